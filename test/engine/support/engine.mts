import './environment.mts';

import { createHash } from 'node:crypto';
import type {
	ExecutionError,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';

import { startExecution } from './execution.mts';
import { LoadedNodeTypes } from './node-types.mts';
import { assertAsInSchema } from './output-schemas.mts';
import { StoredCredentials } from './stored-credentials.mts';
import { otherNode, ownNode, to } from './workflow-parts.mts';

/** Name of the node under test in its workflow. */
export const NODE = 'Wallet Service';

/** A run of one node of the package over the given items. */
export interface EngineRun {
	readonly parameters: INodeParameters;
	readonly credential: ICredentialDataDecryptedObject;
	/** Input items; one empty item unless given. */
	readonly items?: readonly IDataObject[];
	/** Settings of the node besides its parameters: `onError`, `retryOnFail`, ... */
	readonly node?: Partial<INode>;
	/** Cancels the execution, as the stop button does, once this is fulfilled. */
	readonly cancelWhen?: Promise<unknown>;
	/** n8n's variables (`$vars`), which may change while the execution runs. */
	readonly variables?: IDataObject;
	/** By default, the mode of executions from the editor. */
	readonly mode?: WorkflowExecuteMode;
}

/** The output of the node. */
export interface EngineResult {
	readonly items: INodeExecutionData[];
	/** Items of the error output, if the node has one. */
	readonly errorItems: INodeExecutionData[];
	readonly error: ExecutionError | undefined;
	readonly run: IRun;
}

export function additionalDataFor(
	credentialsHelper: StoredCredentials,
): IWorkflowExecuteAdditionalData {
	const url = 'http://127.0.0.1:0';
	const executionId = String(++executions);
	const workflow = { id: 'workflow', name: 'Workflow', nodes: [], connections: {} };
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		...{ credentialsHelper, executionId, variables: {}, currentNodeExecutionIndex: 0 },
		...{ instanceBaseUrl: url, webhookWaitingBaseUrl: url, formWaitingBaseUrl: url },
		externalSecretsProxy: new ExternalSecretsProxy(),
		logAiEvent: () => undefined,
		hooks: new ExecutionLifecycleHooks('manual', executionId, workflow as never),
	};
	// Only servers, sub-workflows and task runners use the other members.
	return data as IWorkflowExecuteAdditionalData;
}

/** The first node of a workflow; its items are pinned. */
export const startNode = (): INode => otherNode('Start', 'n8n-nodes-base.manualTrigger');

/** ID of a separate credential for each test: a call that one test leaves unknown must not be blocked in another. */
export const credentialOfTest = () =>
	createHash('sha256')
		.update(expect.getState().currentTestName ?? '')
		.digest('hex')
		.slice(0, 16);

/** The node under test. */
const walletServiceNode = (parameters: INodeParameters, settings?: Partial<INode>): INode => ({
	...ownNode(NODE, 'walletService', parameters, credentialOfTest()),
	...settings,
});

let executions = 0;

/** n8n's own execution engine with the built package. */
export class Engine {
	readonly nodeTypes: LoadedNodeTypes;

	/** See `StoredCredentials`. */
	knowsRestriction = true;

	private constructor(nodeTypes: LoadedNodeTypes) {
		this.nodeTypes = nodeTypes;
	}

	/** @param routedByN8n see `LoadedNodeTypes.load` */
	static async create(routedByN8n = false): Promise<Engine> {
		return new Engine(await LoadedNodeTypes.load(routedByN8n));
	}

	/** Runs a workflow of the given nodes from its first one, whose items are pinned. */
	async runWorkflow(
		nodes: INode[],
		connections: Workflow['connectionsBySourceNode'],
		credential: ICredentialDataDecryptedObject,
		items: readonly IDataObject[],
		options: Pick<EngineRun, 'cancelWhen' | 'mode' | 'variables'> = {},
	): Promise<IRun> {
		const { cancelWhen, variables = {}, mode } = options;
		const { nodeTypes } = this;
		const both = StoredCredentials.both(credential);
		const credentials = new StoredCredentials(both, nodeTypes, this.knowsRestriction);
		const additionalData = { ...additionalDataFor(credentials), variables };
		const given = { id: 'workflow', nodes, connections, nodeTypes };
		const { workflow, running } = startExecution(given, additionalData, items, mode);
		void cancelWhen?.then(() => running.cancel());
		const run = await running;
		assertAsInSchema(workflow, run);
		return run;
	}

	/** Runs the Wallet Service node over items. */
	async run(given: EngineRun): Promise<EngineResult> {
		const { parameters, credential, items = [{}], node } = given;
		const nodes = [startNode(), walletServiceNode(parameters, node)];
		const connections = { Start: { main: [to(NODE)] } };
		const run = await this.runWorkflow(nodes, connections, credential, items, given);
		const { data, error } = run.data.resultData.runData[NODE]?.at(-1) ?? {};
		const [output = [], errorOutput = []] = data?.main ?? [];
		return {
			items: output ?? [],
			errorItems: errorOutput ?? [],
			error: error ?? run.data.resultData.error,
			run,
		};
	}
}
