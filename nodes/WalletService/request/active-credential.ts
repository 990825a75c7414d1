import type {
	ICredentialDataDecryptedObject,
	INodeCredentialDescription,
	INodeProperties,
	IPollFunctions,
} from 'n8n-workflow';

/** A pasted access token. */
export const TOKEN_CREDENTIAL = 'walletServiceApi';
/** A sign-in that n8n renews. */
export const OAUTH_CREDENTIAL = 'walletServiceOAuth2Api';

export type CredentialType = typeof TOKEN_CREDENTIAL | typeof OAUTH_CREDENTIAL;

/** What of a context of n8n is needed. */
export type CredentialContext = Pick<IPollFunctions, 'getNode' | 'getCredentials'>;

/** The parameter by which a user chooses the kind of credential. n8n finds it by its name. */
export const authentication: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Access Token', value: 'accessToken' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'accessToken',
	description:
		'How to sign in: with a pasted access token, or by connecting an account, which n8n keeps signed in',
};

/**
 * The credentials of a node that has the parameter `authentication`.
 *
 * @param testedBy the node's own method that tests a pasted token, when it has one
 */
export function credentialChoice(testedBy?: string): INodeCredentialDescription[] {
	return [
		{
			name: TOKEN_CREDENTIAL,
			required: true,
			testedBy,
			displayOptions: { show: { authentication: ['accessToken'] } },
		},
		{
			name: OAUTH_CREDENTIAL,
			required: true,
			displayOptions: { show: { authentication: ['oAuth2'] } },
		},
	];
}

/** Whether a node is set to use a sign-in that n8n renews. */
export function usesOAuth(context: Pick<IPollFunctions, 'getNode'>): boolean {
	return activeCredentialType(context) === OAUTH_CREDENTIAL;
}

/** The type of the credential that a node is set to use. */
export function activeCredentialType(context: Pick<IPollFunctions, 'getNode'>): CredentialType {
	const { parameters } = context.getNode();
	return parameters.authentication === 'oAuth2' ? OAUTH_CREDENTIAL : TOKEN_CREDENTIAL;
}

/** The decrypted credential that a node is set to use. */
export async function readActiveCredential(
	context: CredentialContext,
	itemIndex?: number,
): Promise<ICredentialDataDecryptedObject> {
	return await context.getCredentials(activeCredentialType(context), itemIndex);
}
