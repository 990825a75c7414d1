import './environment.mts';

import { randomUUID } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { additionalDataFor, credentialOfTest } from './engine.mts';
import { contextOf } from './execution.mts';
import type { LoadedNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';
import { otherNode } from './workflow-parts.mts';

/** The caller: all of n8n's own agents use the same values; each tool server uses its own. */
export interface Caller {
	/** By default, n8n's name for the node of every call, regardless of the tool's name. */
	readonly node?: string;
	readonly workflowId?: string;
	readonly credentialId?: string;
	/** ID of the execution; built-in agents have none. */
	readonly executionId?: string;
	readonly mode?: WorkflowExecuteMode;
	/** `walletServiceTool` by default; n8n uses the name without `Tool` if it finds no tool by the longer one. */
	readonly type?: string;
}

/**
 * Runs the node over the model's values as n8n's built-in agents do for each call of a tool (`EphemeralNodeExecutor` of n8n
 * 2.41): in a workflow without an ID, as a node with a new ID, without an execution, through n8n's own routing.
 */
export async function callAsTool(
	nodeTypes: LoadedNodeTypes,
	parameters: INodeParameters,
	credential: ICredentialDataDecryptedObject,
	given: IDataObject,
	caller: Caller,
): Promise<INodeExecutionData[]> {
	const { type = 'walletServiceTool', workflowId, credentialId = credentialOfTest() } = caller;
	const { executionId, mode = 'internal' } = caller;
	const node: INode = {
		...otherNode(caller.node ?? 'Target Node', `n8n-nodes-wallet-service.${type}`, parameters),
		id: randomUUID(),
		credentials: { walletServiceApi: { id: credentialId, name: 'Test credential' } },
	};
	const workflow = new Workflow({
		id: workflowId,
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
	});
	const credentials = new StoredCredentials(credential, nodeTypes);
	const additionalData = { ...additionalDataFor(credentials), executionId };
	const context = contextOf(workflow, node, additionalData, mode, given);
	// All calls of an execution share its token.
	if (executionId !== undefined) Reflect.get(context, 'runExecutionData').resumeToken = executionId;
	const output = await nodeTypes.getByNameAndVersion(node.type, 1).execute?.call(context);
	if (!Array.isArray(output)) throw new Error('The node returned no items');
	return output[0] ?? [];
}
