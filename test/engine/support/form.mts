import type {
	ICredentialDataDecryptedObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { LoadOptionsContext } from 'n8n-core';

import { additionalDataFor } from './engine.mts';
import { LoadedNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';
import { otherNode } from './workflow-parts.mts';

const PACKAGE = 'n8n-nodes-wallet-service';
const TYPE = 'walletService';

/** A node whose form is open. */
interface OpenForm {
	/** `walletService` by default. */
	readonly type?: string | undefined;
	readonly parameters: INodeParameters;
	/** The selected credential by type; none by default. */
	readonly credentials?: Readonly<Record<string, ICredentialDataDecryptedObject>>;
}

function present<T>(method: T | undefined, name: string): T {
	if (method === undefined) throw new Error(`No method ${name}`);
	return method;
}

/** The node's form as n8n's editor fills it: lists and fields that depend on earlier fields. */
export class Form {
	readonly #nodeTypes: LoadedNodeTypes;

	private constructor(nodeTypes: LoadedNodeTypes) {
		this.#nodeTypes = nodeTypes;
	}

	static async create(): Promise<Form> {
		return new Form(await LoadedNodeTypes.load());
	}

	/** The entries of a dropdown. */
	async options(method: string, parameters: INodeParameters, type?: string) {
		const load = present(this.#methods(type).loadOptions?.[method], method);
		return await load.call(this.#context({ parameters, type }));
	}

	/** The fields of a resource mapper. */
	async fields(method: string, parameters: INodeParameters, type?: string) {
		const load = present(this.#methods(type).resourceMapping?.[method], method);
		return await load.call(this.#context({ parameters, type }));
	}

	/** The entries of a searchable list. */
	async search(method: string, form: OpenForm, filter?: string): Promise<INodeListSearchResult> {
		const search = present(this.#methods(form.type).listSearch?.[method], method);
		// The editor passes a value for every displayed parameter, if necessary its default.
		const parameters = { authentication: 'accessToken', ...form.parameters };
		return await search.call(this.#context({ ...form, parameters }), filter);
	}

	#methods(type = TYPE): NonNullable<INodeType['methods']> {
		return this.#nodeTypes.getByNameAndVersion(`${PACKAGE}.${type}`).methods ?? {};
	}

	#context({ type = TYPE, parameters, credentials = {} }: OpenForm): ILoadOptionsFunctions {
		const node = {
			...otherNode('Wallet Service', `${PACKAGE}.${type}`, parameters),
			credentials: Object.fromEntries(
				Object.keys(credentials).map((name) => [name, { id: '1', name: 'Test credential' }]),
			),
		};
		const nodeTypes = this.#nodeTypes;
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		const stored = new StoredCredentials(credentials, nodeTypes);
		const data = { ...additionalDataFor(stored), currentNodeParameters: parameters };
		return new LoadOptionsContext(workflow, node, data, 'parameters.arguments');
	}
}
