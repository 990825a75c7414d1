import type { SandboxReady } from '../../sandbox/src/ready.mts';

/** A credential for n8n's `import:credentials`. */
export interface ImportedCredential {
	id: string;
	name: string;
	type: string;
	data: Record<string, string | number | boolean | Record<string, string | number>>;
	/** Time of the last change, ISO 8601; by default the time of the first import. */
	updatedAt?: string;
}

/** Header with the key of the webhook example, for tests only. */
export const WEBHOOK_KEY = { name: 'X-Webhook-Key', value: 'sandbox-webhook-key' };

/** ID of the credential for signing in as any user of the sandbox. */
export const ACCOUNT_CREDENTIAL = 'sandboxAccount01';

/** ID of the read-only wallet credential for agents. */
export const READ_ONLY_CREDENTIAL = 'sandboxReadOnly1';

/** The credential of the language model in the agent examples. Its key is empty: users enter their own. */
export function modelCredential(url = 'https://api.openai.com/v1', apiKey = '') {
	const name = 'Language model: enter your own key';
	return { id: 'sandboxModel0001', name, type: 'openAiApi', data: { apiKey, url } };
}

/** The credential of the mail server in the refund example; users enter their own server. */
export function mailCredential(port = 25): ImportedCredential {
	const name = 'Mail server: enter your own';
	const data = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	return { id: 'sandboxMail00001', name, type: 'smtp', data };
}

/**
 * Credentials for n8n: one per user of the sandbox, one read-only, one for signing in, the webhook key, the language
 * model, and the mail server. Their IDs never change, because the example workflows refer to them.
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
	const others = [account, webhookKey, modelCredential(), mailCredential()];
	return [...walletCredentials, readOnly, ...others];
}
