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
import { useNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';
import { otherNode } from './workflow-parts.mts';

const PACKAGE = 'n8n-nodes-wallet-service';
const TYPE = 'walletService';

/** A node whose form is open. */
interface OpenForm {
	/** `walletService` by default. */
	readonly type?: string | undefined;
	/** 1 by default. */
	readonly typeVersion?: number;
	readonly parameters: INodeParameters;
	/** The selected credential, by its type; none by default. */
	readonly credentials?: Readonly<Record<string, ICredentialDataDecryptedObject>>;
}

type Methods = Required<NonNullable<INodeType['methods']>>;

/** Lets the tests of a file use the node's form as n8n's editor fills it: lists and fields that depend on earlier fields. */
export function useForm() {
	const nodeTypes = useNodeTypes();
	const methodsOf = (type = TYPE) =>
		nodeTypes().getByNameAndVersion(`${PACKAGE}.${type}`).methods as Methods;

	function contextOf(form: OpenForm): ILoadOptionsFunctions {
		const { type = TYPE, parameters, credentials = {}, typeVersion } = form;
		const types = nodeTypes();
		const selected = Object.entries(credentials).map(
			([name]) => [name, { id: '1', name: 'Test credential' }] as const,
		);
		const node = {
			...otherNode('Wallet Service', `${PACKAGE}.${type}`, parameters, typeVersion),
			credentials: Object.fromEntries(selected),
		};
		const given = { nodes: [node], connections: {}, active: false, nodeTypes: types };
		const [data = {}] = Object.values(credentials);
		const additionalData = additionalDataFor(new StoredCredentials(data, types));
		const open = { ...additionalData, currentNodeParameters: parameters };
		return new LoadOptionsContext(new Workflow(given), node, open, 'parameters.arguments');
	}

	return {
		/** The description of a node, with all parameters of its form. */
		descriptionOf: (type = TYPE) =>
			nodeTypes().getByNameAndVersion(`${PACKAGE}.${type}`).description,
		/** The entries of a dropdown. */
		async options(method: string, parameters: INodeParameters, type?: string) {
			return await methodsOf(type).loadOptions[method].call(contextOf({ parameters, type }));
		},
		/** The fields of a resource mapper. */
		async fields(method: string, parameters: INodeParameters, type?: string) {
			return await methodsOf(type).resourceMapping[method].call(contextOf({ parameters, type }));
		},
		/** The entries of a searchable list. */
		async search(method: string, form: OpenForm, filter?: string): Promise<INodeListSearchResult> {
			const search = methodsOf(form.type).listSearch[method];
			// The editor passes a value for every displayed parameter, if necessary its default.
			const parameters = { authentication: 'accessToken', ...form.parameters };
			return await search.call(contextOf({ ...form, parameters }), filter);
		},
	};
}
