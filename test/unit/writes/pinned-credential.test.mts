/** A write's check and its request share one reading of the credential. */
import type { ICredentialDataDecryptedObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { pinCredential } from '../../../nodes/WalletService/writes/pinned-credential.ts';
import { open } from '../support/policy/calls.mts';

const first = {
	...open,
	baseUrl: 'https://wallet.example',
	allowInsecureHttp: false,
	accessToken: 'one',
	oauthTokenData: { access_token: 'one' },
	maxValuePerExecution: '1 ether',
};

/** An n8n context that returns the next of the given credentials each time the credential is read. */
function contextOf(authentication: string, readings: ICredentialDataDecryptedObject[]) {
	const types: string[] = [];
	const context = {
		getNode: () => ({ parameters: { authentication } }),
		getCredentials: async (type: string) => {
			types.push(type);
			return await Promise.resolve(readings.shift());
		},
	};
	return { types, context: context as unknown as IExecuteSingleFunctions };
}

test('between the check and the request of a write, the tokens of a sign-in may change', async () => {
	const renewed = { ...first, accessToken: 'two', oauthTokenData: { access_token: 'two' } };
	const { context } = contextOf('oAuth2', [first, renewed]);
	const { credential, getCredentials } = await pinCredential(context);
	expect(credential).toBe(first);
	expect(await getCredentials('walletServiceOAuth2Api')).toBe(renewed);
});

test.each([
	['baseUrl', 'https://other.example'],
	['allowInsecureHttp', true],
	['allowWrites', false],
	['allowedContracts', '0x5FbDB2315678afecb367f032d93F642f64180aa3'],
	['allowedFunctions', '0xa9059cbb'],
	['maxValuePerCall', '1 wei'],
	['maxValuePerExecution', undefined],
])('between the check and the request of a write, %s must not change', async (field, value) => {
	const { context } = contextOf('oAuth2', [first, { ...first, [field]: value } as never]);
	const { getCredentials } = await pinCredential(context);
	await expect(getCredentials('walletServiceOAuth2Api')).rejects.toMatchObject({
		code: 'policy-unreadable',
		message: `The credential changed while the write was being prepared (${field})`,
	});
});

test('between the check and the request of a write, the sign-in that shows the base URL must not change', async () => {
	const at = (host: string) =>
		({ ...first, baseUrl: '', accessTokenUrl: `https://${host}/oauth/token` }) as never;
	const { context } = contextOf('oAuth2', [at('wallet.example'), at('other.example')]);
	const { baseUrl, key, getCredentials } = await pinCredential(context);
	expect([baseUrl, key]).toEqual(['https://wallet.example', expect.stringContaining(baseUrl)]);
	const message = 'The credential changed while the write was being prepared (baseUrl)';
	await expect(getCredentials('walletServiceOAuth2Api')).rejects.toMatchObject({ message });
});

test('a pasted token is read once, and another credential, such as that of a proxy, normally', async () => {
	const other = { user: 'u' };
	const { types, context } = contextOf('accessToken', [first, other]);
	const { credential, getCredentials } = await pinCredential(context);
	expect(credential).toBe(first);
	expect(await getCredentials('walletServiceApi')).toBe(first);
	expect(await getCredentials('httpBasicAuth')).toBe(other);
	expect(types).toEqual(['walletServiceApi', 'httpBasicAuth']);
});
