import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

/** A pasted access token. */
export const TOKEN_CREDENTIAL = 'walletServiceApi';
/** An OAuth2 sign-in that n8n renews. */
export const RENEWED_CREDENTIAL = 'walletServiceOAuth2Api';

export type CredentialType = typeof TOKEN_CREDENTIAL | typeof RENEWED_CREDENTIAL;

export type CredentialContext = Pick<IPollFunctions, 'getNode' | 'getCredentials'>;

/** The choice of a credential type. n8n finds this parameter by its name. */
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
		'How to sign in: with a pasted access token, or with an account that n8n keeps connected',
};

/** The credential type selected in a node. */
export function activeCredentialType(context: Pick<IPollFunctions, 'getNode'>): CredentialType {
	const { parameters } = context.getNode();
	return parameters.authentication === 'oAuth2' ? RENEWED_CREDENTIAL : TOKEN_CREDENTIAL;
}
