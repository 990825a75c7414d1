/** An access token that cannot be sent: nothing is, by neither kind of credential, and the error says which field to correct. */
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { Form } from './support/form.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { Poller } from './support/poller.mts';
import { useScriptedService } from './support/scripted-service.mts';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const READ: INodeParameters = { resource: 'user', operation: 'get' };
const WRITE: INodeParameters = {
	...{ resource: 'contract', operation: 'write', functionSource: 'signature' },
	...{ contractAddress: ADDRESS, abi: 'f()' },
};

/** What a credential may hold instead of a token; an expression is one that finds nothing. */
const TOKENS: readonly [name: string, token: unknown, said: RegExp][] = [
	['missing', undefined, /access token.* is empty/],
	['null', null, /access token.* is empty/],
	['empty', '', /access token.* is empty/],
	['white space', ' \n\t', /access token.* (?:is empty|contains white space)/],
	['of two lines', 'ab\ncd', /access token.* contains white space/],
	['with a line break in a header', 'ab\r\nX-Other: cd', /access token.* contains white space/],
	['with Bearer in front', 'Bearer abcd', /access token.* contains white space/],
	['with a letter that no header has', 'ab\u2028cd', /access token.* contains white space/],
];

let engine: Engine;
let form: Form;
let nodeTypes: LoadedNodeTypes;

beforeAll(async () => {
	[engine, form, nodeTypes] = await Promise.all([
		Engine.create(),
		Form.create(),
		LoadedNodeTypes.load(),
	]);
});
const service = useScriptedService();

function credentialWith(token: unknown): ICredentialDataDecryptedObject {
	const baseUrl = service().baseUrl;
	const oauthTokenData = { access_token: token, token_type: 'Bearer' };
	return {
		...{ baseUrl, userId: 'X-1', accessTokenUrl: `${baseUrl}/token`, grantType: 'pkce' },
		...{ accessToken: token, oauthTokenData },
	} as ICredentialDataDecryptedObject;
}

const CREDENTIALS = [
	['accessToken', /^Access Token: /],
	['oAuth2', /^The credential "Test account" is not connected: /],
] as const;

describe.each(CREDENTIALS)('%s', (authentication, field) => {
	describe.each(TOKENS)('%s', (_name, token, said) => {
		test.each([
			['a read', READ],
			['a write', WRITE],
		])('%s', async (_what, parameters) => {
			const { items, error } = await engine.run({
				parameters: { ...parameters, authentication },
				credential: credentialWith(token),
				node: { onError: 'continueRegularOutput' },
			});
			expect(error).toBeUndefined();
			const { json } = items[0] ?? {};
			expect(json?.error).toMatch(field);
			expect(json?.error).toMatch(said);
			const outcome = parameters === WRITE ? { outcome: 'refused' } : {};
			expect(json?.details).toMatchObject({ code: 'invalid-input', ...outcome });
			expect(service().requests).toEqual([]);
		});

		test('a trigger', async () => {
			const poller = new Poller(nodeTypes, {
				parameters: { event: 'newTransfer', authentication },
				credential: credentialWith(token),
			});
			await expect(poller.poll()).rejects.toThrow(said);
			expect(service().requests).toEqual([]);
		});

		test('a list in a form', async () => {
			const type = authentication === 'oAuth2' ? 'walletServiceOAuth2Api' : 'walletServiceApi';
			const listing = form.search('getTokens', {
				parameters: { authentication },
				credentials: { [type]: credentialWith(token) },
			});
			await expect(listing).rejects.toThrow(said);
			expect(service().requests).toEqual([]);
		});
	});
});

test('an expression without a result is no token, and white space around one is left out', async () => {
	service().script = () => ({ body: '{"id":"X-1","address":"0x1"}' });
	const credential = { ...credentialWith(''), accessToken: '={{ $json.token }}' };
	const items = [{}, { token: ' abcd\n' }];
	const result = await engine.run({
		...{ parameters: READ, credential, items, node: { onError: 'continueRegularOutput' } },
	});
	expect(result.items.map(({ json }) => json.error)).toEqual([
		'Access Token: The access token is empty',
		undefined,
	]);
	expect(service().requests.map(({ authorization }) => authorization)).toEqual(['Bearer abcd']);
});

test('a base URL that the credential refuses is named as well', async () => {
	const credential = { ...credentialWith('abcd'), baseUrl: 'http://wallet.example.com' };
	const { error } = await engine.run({ parameters: READ, credential });
	expect(error?.message).toMatch(/^Base URL: The base URL sends tokens unencrypted/);
});
