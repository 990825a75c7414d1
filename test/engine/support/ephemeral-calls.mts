import './environment.mts';

import { randomUUID } from 'node:crypto';
import { ExecuteContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
} from 'n8n-workflow';
import { createEmptyRunExecutionData, Workflow } from 'n8n-workflow';

import { additionalDataFor, credentialOfTest } from './engine.mts';
import { LoadedNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';

/** The name that n8n gives the node of every call, whatever the tool is called. */
const NODE = 'Target Node';

/** Who calls: n8n's own agents all call alike, servers of tools each with theirs. */
export interface Caller {
	readonly node?: string;
	readonly workflowId?: string;
	readonly credentialId?: string;
}

/**
 * Runs the node as n8n's built-in agents do for each call of a tool (`EphemeralNodeExecutor` of n8n 2.41): in a workflow without
 * id, as a node with a new id, without an execution, through n8n's own routing.
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
	 * @param type - With or without the `Tool` that n8n puts behind the names of tools.
	 * @param given - What the model filled in; the item that the node works on.
	 * @param caller - Another one than n8n's own agents.
	 * @throws what the node throws; a model sees its message alone.
	 */
	async call(
		type: string,
		parameters: INodeParameters,
		credential: ICredentialDataDecryptedObject,
		given: IDataObject,
		{ node: name = NODE, workflowId, credentialId = credentialOfTest() }: Caller = {},
	): Promise<INodeExecutionData[]> {
		const node: INode = {
			id: randomUUID(),
			name,
			type,
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { walletServiceApi: { id: credentialId, name: 'Test credential' } },
		};
		const nodeTypes = this.#withTools();
		const workflow = new Workflow({
			id: workflowId,
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes,
		});
		const credentials = new StoredCredentials({ walletServiceApi: credential }, (name) =>
			this.#loaded.credentialType(name),
		);
		const additionalData = { ...additionalDataFor(credentials), executionId: undefined };
		const items = [{ json: given }];
		const main = { main: [items] };
		const context = new ExecuteContext(
			workflow,
			node,
			additionalData,
			'internal',
			createEmptyRunExecutionData(),
			0,
			items,
			main,
			{ node, data: main, source: null },
			[],
		);
		const output = await nodeTypes.getByNameAndVersion(type, 1).execute?.call(context);
		if (!Array.isArray(output)) throw new Error('The node gave no items');
		return output[0] ?? [];
	}

	/** n8n finds the node by the name of its tool, too, and calls the tool's description so: forms go by that. */
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
