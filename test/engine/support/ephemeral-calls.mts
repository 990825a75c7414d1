import './environment.mts';

import { randomUUID } from 'node:crypto';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { additionalDataFor, credentialOfTest } from './engine.mts';
import { contextOf } from './execution.mts';
import { LoadedNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';
import { otherNode } from './workflow-parts.mts';

/** n8n's name for the node of every call, regardless of the tool's name. */
const NODE = 'Target Node';

/** The caller: all of n8n's own agents use the same values; each tool server uses its own. */
export interface Caller {
	readonly node?: string;
	readonly workflowId?: string;
	readonly credentialId?: string;
}

/**
 * Runs the node as n8n's built-in agents do for each call of a tool (`EphemeralNodeExecutor` of n8n 2.41): in a workflow without
 * an ID, as a node with a new ID, without an execution, through n8n's own routing.
 */
export class EphemeralCalls {
	readonly #loaded: LoadedNodeTypes;

	private constructor(loaded: LoadedNodeTypes) {
		this.#loaded = loaded;
	}

	static async create(): Promise<EphemeralCalls> {
		return new EphemeralCalls(await LoadedNodeTypes.load(true));
	}

	/**
	 * @param type with or without the `Tool` that n8n appends to the names of tools
	 * @param given the model's values: the item that the node processes
	 * @param caller a caller other than n8n's own agents
	 * @throws the node's error; a model sees only its message
	 */
	async call(
		type: string,
		parameters: INodeParameters,
		credential: ICredentialDataDecryptedObject,
		given: IDataObject,
		{ node: name = NODE, workflowId, credentialId = credentialOfTest() }: Caller = {},
	): Promise<INodeExecutionData[]> {
		const node: INode = {
			...otherNode(name, type, parameters),
			id: randomUUID(),
			credentials: { walletServiceApi: { id: credentialId, name: 'Test credential' } },
		};
		const nodeTypes = this.#withTools();
		const workflow = new Workflow({
			...{ id: workflowId, nodes: [node], connections: {}, active: false, nodeTypes },
		});
		const credentials = new StoredCredentials({ walletServiceApi: credential }, this.#loaded);
		const additionalData = { ...additionalDataFor(credentials), executionId: undefined };
		const context = contextOf(workflow, node, additionalData, 'internal', given);
		const output = await nodeTypes.getByNameAndVersion(type, 1).execute?.call(context);
		if (!Array.isArray(output)) throw new Error('The node gave no items');
		return output[0] ?? [];
	}

	/** n8n also finds the node by its tool's name, and uses that name in the tool's description, on which forms depend. */
	#withTools(): INodeTypes {
		const baseOf = (type: string) => type.replace(/Tool$/, '');
		return {
			getByName: (type) => this.#loaded.getByName(baseOf(type)),
			getByNameAndVersion: (type, version): INodeType => {
				const node = this.#loaded.getByNameAndVersion(baseOf(type), version);
				if (!type.endsWith('Tool')) return node;
				const description = { ...node.description, name: `${node.description.name}Tool` };
				return Object.create(node, { description: { value: description } }) as INodeType;
			},
			getKnownTypes: () => ({}),
		};
	}
}
