import type {
	ILoadOptionsFunctions,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { LoadOptionsContext } from 'n8n-core';

import { additionalDataFor } from './engine.mts';
import { LoadedNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';

const TYPE = 'n8n-nodes-wallet-service.walletService';

/** The node's form as n8n's editor fills it: lists and fields that depend on what is already filled in. */
export class Form {
	readonly #nodeTypes: LoadedNodeTypes;

	private constructor(nodeTypes: LoadedNodeTypes) {
		this.#nodeTypes = nodeTypes;
	}

	static async create(): Promise<Form> {
		return new Form(await LoadedNodeTypes.load());
	}

	/** The entries of the dropdown that a method loads. */
	async options(method: string, parameters: INodeParameters): Promise<INodePropertyOptions[]> {
		const load = this.#type().methods?.loadOptions?.[method];
		if (load === undefined) throw new Error(`No method ${method}`);
		return await load.call(this.#context(parameters));
	}

	/** The fields of the resource mapper that a method loads. */
	async fields(method: string, parameters: INodeParameters): Promise<ResourceMapperFields> {
		const load = this.#type().methods?.resourceMapping?.[method];
		if (load === undefined) throw new Error(`No method ${method}`);
		return await load.call(this.#context(parameters));
	}

	#type(): INodeType {
		return this.#nodeTypes.getByNameAndVersion(TYPE);
	}

	#context(parameters: INodeParameters): ILoadOptionsFunctions {
		const node = {
			id: 'node',
			name: 'Wallet Service',
			type: TYPE,
			typeVersion: 1,
			position: [0, 0] satisfies [number, number],
			parameters,
		};
		const workflow = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: this.#nodeTypes,
		});
		const credentials = new StoredCredentials({}, (name) => this.#nodeTypes.credentialType(name));
		const data = { ...additionalDataFor(credentials), currentNodeParameters: parameters };
		return new LoadOptionsContext(workflow, node, data, 'parameters.arguments');
	}
}
