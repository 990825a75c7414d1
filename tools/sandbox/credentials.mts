import type { SandboxReady } from '../../sandbox/src/ready.mts';

/** A credential as n8n's `import:credentials` takes it. */
export interface ImportedCredential {
	id: string;
	name: string;
	type: string;
	data: Record<string, string | boolean | Record<string, string | number>>;
	/** When it was changed last, as an ISO text; n8n takes the time of the first import when it is absent. */
	updatedAt?: string;
}

/** Key that the webhook example asks its callers for. Public test material. */
export const WEBHOOK_KEY = { name: 'X-Webhook-Key', value: 'sandbox-webhook-key' };

/** The credential with which any user of the sandbox can be connected by signing in. */
export const ACCOUNT_CREDENTIAL = 'sandboxAccount01';

/** The wallet credential for agents: it reads only. */
export const READ_ONLY_CREDENTIAL = 'sandboxReadOnly1';

/**
 * The credential of the language model that the agent example uses.
 *
 * @param url - Base URL of a service that speaks the OpenAI API, with its version.
 * @param apiKey - Whoever tries the example enters a key of their own.
 */
export function modelCredential(
	url = 'https://api.openai.com/v1',
	apiKey = '',
): ImportedCredential {
	const name = 'Language model: enter your own key';
	return { id: 'sandboxModel0001', name, type: 'openAiApi', data: { apiKey, url } };
}

/**
 * Credentials for n8n: one for each user of the sandbox, one that only reads, one that is connected by signing in, the key of
 * the webhook example, and the language model of the agent example. Their ids never change: the example workflows refer to them.
 */
export function sandboxCredentials({ baseUrl, oauth, users }: SandboxReady): ImportedCredential[] {
	const walletCredentials = users.map(({ id, username, accessToken }, index) => ({
		id: `sandboxUser${String(index + 1).padStart(4, '0')}`,
		name: `Wallet Service sandbox: ${username}`,
		type: 'walletServiceApi',
		data: { baseUrl, accessToken, userId: id, allowInsecureHttp: false },
	}));
	const readOnly = {
		id: READ_ONLY_CREDENTIAL,
		name: 'Wallet Service sandbox: read-only, for agents',
		type: 'walletServiceApi',
		data: { baseUrl, accessToken: users[0]?.accessToken ?? '', userId: '', allowWrites: false },
	};
	const account = {
		id: ACCOUNT_CREDENTIAL,
		name: 'Wallet Service sandbox: my account',
		type: 'walletServiceOAuth2Api',
		data: {
			baseUrl,
			authUrl: oauth.authorizationUrl,
			accessTokenUrl: oauth.tokenUrl,
			clientId: oauth.clientId,
			scope: 'openid email offline_access',
		},
	};
	const webhookKey = {
		id: 'sandboxWebhook01',
		name: 'Wallet Service sandbox: webhook key',
		type: 'httpHeaderAuth',
		data: WEBHOOK_KEY,
	};
	return [...walletCredentials, readOnly, account, webhookKey, modelCredential()];
}
