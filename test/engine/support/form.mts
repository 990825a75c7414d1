import type {
	ICredentialDataDecryptedObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
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

const PACKAGE = 'n8n-nodes-wallet-service';
const TYPE = 'walletService';

/** A node whose form is open. */
export interface OpenForm {
	/** `walletService` unless given. */
	readonly type?: string;
	readonly parameters: INodeParameters;
	/** What is chosen as credential, by its type; nothing unless given. */
	readonly credentials?: Readonly<Record<string, ICredentialDataDecryptedObject>>;
}

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
	async options(
		method: string,
		parameters: INodeParameters,
		type?: string,
	): Promise<INodePropertyOptions[]> {
		const load = this.#type(type).methods?.loadOptions?.[method];
		if (load === undefined) throw new Error(`No method ${method}`);
		return await load.call(this.#context({ parameters, ...(type !== undefined && { type }) }));
	}

	/** The fields of the resource mapper that a method loads. */
	async fields(
		method: string,
		parameters: INodeParameters,
		type?: string,
	): Promise<ResourceMapperFields> {
		const load = this.#type(type).methods?.resourceMapping?.[method];
		if (load === undefined) throw new Error(`No method ${method}`);
		return await load.call(this.#context({ parameters, ...(type !== undefined && { type }) }));
	}

	/** What a list shows from which one can choose, and search. */
	async search(method: string, form: OpenForm, filter?: string): Promise<INodeListSearchResult> {
		const search = this.#type(form.type).methods?.listSearch?.[method];
		if (search === undefined) throw new Error(`No method ${method}`);
		// The editor knows every parameter that is shown, by its default if need be.
		const parameters = { authentication: 'accessToken', ...form.parameters };
		return await search.call(this.#context({ ...form, parameters }), filter);
	}

	#type(name = TYPE): INodeType {
		return this.#nodeTypes.getByNameAndVersion(`${PACKAGE}.${name}`);
	}

	#context({ type = TYPE, parameters, credentials = {} }: OpenForm): ILoadOptionsFunctions {
		const node = {
			id: 'node',
			name: 'Wallet Service',
			type: `${PACKAGE}.${type}`,
			typeVersion: 1,
			position: [0, 0] satisfies [number, number],
			parameters,
			credentials: Object.fromEntries(
				Object.keys(credentials).map((name) => [name, { id: '1', name: 'Test credential' }]),
			),
		};
		const workflow = new Workflow({
			nodes: [node],
			connections: {},
			active: false,
			nodeTypes: this.#nodeTypes,
		});
		const stored = new StoredCredentials(credentials, (name) =>
			this.#nodeTypes.credentialType(name),
		);
		const data = { ...additionalDataFor(stored), currentNodeParameters: parameters };
		return new LoadOptionsContext(workflow, node, data, 'parameters.arguments');
	}
}
