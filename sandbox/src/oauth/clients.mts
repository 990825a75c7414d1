import type { ClientMetadata } from 'oidc-provider';

/** Client ID of n8n as an application: a public client, because software that anyone can install cannot keep a secret. */
export const N8N_CLIENT_ID = 'n8n';

/** A second application, to test that it cannot use the codes and tokens of the first. */
const OTHER_CLIENT: ClientMetadata = {
	client_id: 'wallet-viewer',
	client_name: 'Wallet Viewer',
	redirect_uris: ['http://127.0.0.1:5679/callback'],
};

/** Settings common to all applications: authorization code and refresh token, without a client secret. */
const PUBLIC_CLIENT = {
	application_type: 'web',
	grant_types: ['authorization_code', 'refresh_token'],
	response_types: ['code'],
	token_endpoint_auth_method: 'none',
} as const satisfies Omit<ClientMetadata, 'client_id'>;

/**
 * The registered applications.
 *
 * @param redirectUris the only addresses that receive n8n's codes
 */
export function registeredClients(redirectUris: string[]): ClientMetadata[] {
	const n8n = { client_id: N8N_CLIENT_ID, client_name: 'n8n', redirect_uris: redirectUris };
	return [n8n, OTHER_CLIENT].map((client) => ({ ...PUBLIC_CLIENT, ...client }));
}
