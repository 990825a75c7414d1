import type {
	ICredentialsExpressionResolveValues,
	IExecuteData,
	INodeParameters,
	WorkflowExecuteMode,
	ICredentialDataDecryptedObject,
	ICredentials,
	IHttpRequestOptions,
	INodeProperties,
	IRequestOptionsSimplified,
} from 'n8n-workflow';
import { ICredentialsHelper, NodeHelpers } from 'n8n-workflow';

import type { LoadedNodeTypes } from './node-types.mts';

/** A credential held in memory, authenticated by the package's own credential types; its sign-in by OAuth2 is renewed. */
export class StoredCredentials extends ICredentialsHelper {
	readonly #data: ICredentialDataDecryptedObject;

	readonly #types: LoadedNodeTypes;

	/** @param data decrypted data, the same for both types of credentials */
	constructor(data: ICredentialDataDecryptedObject, types: LoadedNodeTypes) {
		super();
		this.#data = data;
		this.#types = types;
	}

	getParentTypes(name: string): string[] {
		return this.#types.credentialType(name).extends ?? [];
	}

	/** A type can be restricted to its own nodes. */
	isCredentialUsableByNode(type: string, nodeType: string): boolean {
		const { restrictToSupportedNodes, supportedNodes = [] } = this.#types.credentialType(type);
		if (restrictToSupportedNodes !== true) return true;
		// As in n8n, a tool may use the credentials of the node that it is derived from.
		return supportedNodes
			.flatMap((name) => [name, `${name}Tool`])
			.some((name) => nodeType === `n8n-nodes-wallet-service.${name}`);
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.#types.credentialType(typeName);
		if (typeof authenticate !== 'function') throw new Error(`${typeName} has no function`);
		return await authenticate(credentials, requestOptions as IHttpRequestOptions);
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async getCredentials(): Promise<ICredentials> {
		throw new Error('Encrypted credentials are not kept here');
	}

	async getDecrypted(
		_additionalData: unknown,
		_nodeCredentials: unknown,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		at?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		// n8n also fills in defaults and removes fields that the form does not show.
		const properties = this.getCredentialsProperties(type);
		const given = { ...this.#data } as INodeParameters;
		const filled = NodeHelpers.getNodeParameters(properties, given, true, false, null, null);
		const { oauthTokenData } = this.#data;
		const data = { ...filled, ...(oauthTokenData !== undefined && { oauthTokenData }) };
		if (at === undefined) return data as ICredentialDataDecryptedObject;
		// n8n also resolves the expressions of a credential for the item that uses it.
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = at;
		const place = [runExecutionData, runIndex, itemIndex, node.name, connectionInputData] as const;
		const resolved = workflow.expression.getParameterValue(
			...([data as INodeParameters, ...place, mode, {}, executeData] as const),
		);
		return resolved as ICredentialDataDecryptedObject;
	}

	async updateCredentials(): Promise<void> {
		throw new Error('Credentials are fixed here');
	}

	async updateCredentialsOauthTokenData(
		_nodeCredentials: unknown,
		_type: string,
		{ oauthTokenData }: ICredentialDataDecryptedObject,
	): Promise<void> {
		Object.assign(this.#data, { oauthTokenData });
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.#types.credentialType(type).properties;
	}
}
