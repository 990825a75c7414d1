import type {
	ICredentialsExpressionResolveValues,
	IExecuteData,
	INodeParameters,
	WorkflowExecuteMode,
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	IRequestOptionsSimplified,
} from 'n8n-workflow';
import { ICredentialsHelper, NodeHelpers } from 'n8n-workflow';

type DataByType = Readonly<Record<string, ICredentialDataDecryptedObject>>;

interface CredentialTypes {
	credentialType(name: string): ICredentialType;
}

/** Credentials held in memory, authenticated by the package's own credential types; OAuth2 credentials are renewed. */
export class StoredCredentials extends ICredentialsHelper {
	readonly #data: DataByType;

	readonly #types: CredentialTypes;

	readonly #knowsRestriction: boolean;

	/**
	 * @param data decrypted data by credential type
	 * @param knowsRestriction whether a type can be restricted to its own nodes, as in n8n 2.25 and newer
	 */
	constructor(data: DataByType, types: CredentialTypes, knowsRestriction = true) {
		super();
		this.#knowsRestriction = knowsRestriction;
		this.#data = data;
		this.#types = types;
	}

	/** The same data for both types of credentials. */
	static both(data: ICredentialDataDecryptedObject): DataByType {
		return { walletServiceApi: data, walletServiceOAuth2Api: data };
	}

	getParentTypes(name: string): string[] {
		return this.#types.credentialType(name).extends ?? [];
	}

	isCredentialUsableByNode(type: string, nodeType: string): boolean {
		const { restrictToSupportedNodes, supportedNodes = [] } = this.#types.credentialType(type);
		if (!this.#knowsRestriction || restrictToSupportedNodes !== true) return true;
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
		const stored = this.#data[type];
		if (stored === undefined) throw new Error(`No credential of type ${type}`);
		// n8n also fills in defaults and removes fields that the form does not show.
		const properties = this.getCredentialsProperties(type);
		const given = { ...stored } as INodeParameters;
		const filled = NodeHelpers.getNodeParameters(properties, given, true, false, null, null);
		const { oauthTokenData } = stored;
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
		type: string,
		{ oauthTokenData }: ICredentialDataDecryptedObject,
	): Promise<void> {
		Object.assign(this.#data[type] ?? {}, { oauthTokenData });
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return this.#types.credentialType(type).properties;
	}
}
