/** Unusable access tokens and URLs: nothing is sent, the error names the field, and a refused URL, a possible secret, is hidden. */
import { inspect } from 'node:util';
import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { storeCall } from './support/contract-calls.mts';
import { useForm } from './support/form.mts';
import type { Poller } from './support/poller.mts';
import { CONTRACT } from './support/scripted-world.mts';
import { useTrigger } from './support/trigger-service.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();
const { poller } = useTrigger(() => node.service);
const form = useForm();

const READ = { resource: 'user', operation: 'get' };
const WRITE = storeCall(CONTRACT);

/** Data of either kind of credential. */
function credentialWith(token: unknown, changes: object = {}): ICredentialDataDecryptedObject {
	const oauthTokenData = { access_token: token, token_type: 'Bearer' };
	const accessTokenUrl = `${node.service.baseUrl}/token`;
	const account = { accessTokenUrl, grantType: 'pkce', oauthTokenData };
	return node.service.credential({ accessToken: token, ...account, ...changes });
}

/** A trigger that is activated when n8n starts. */
const pollerWith = (credential: ICredentialDataDecryptedObject, authentication: string): Poller =>
	poller({ event: 'newTransfer', authentication }, { credential, activation: 'init' });

describe.each([
	['accessToken', 'walletServiceApi', /^Access Token: /],
	['oAuth2', 'walletServiceOAuth2Api', /^The credential "Test account" is not connected: /],
])('%s', (authentication, type, field) => {
	// An expression may return nothing; a header may contain neither line breaks nor characters such as U+2028.
	describe.each<[token: unknown, said: RegExp]>([
		[undefined, /access token.* is empty/],
		[null, /access token.* is empty/],
		['', /access token.* is empty/],
		[' \n\t', /access token.* (?:is empty|contains white space)/],
		['ab\ncd', /access token.* contains white space/],
		['ab\r\nX-Other: cd', /access token.* contains white space/],
		['Bearer abcd', /access token.* contains white space/],
		['ab\u2028cd', /access token.* contains white space/],
	])('the token %j', (token, said) => {
		afterEach(() => expect(node.service.requests).toEqual([]));

		test.each<[string, IDataObject, outcome: IDataObject]>([
			['a read', READ, {}],
			['a write', WRITE, { outcome: 'refused' }],
		])('%s', async (_what, parameters, outcome) => {
			const settings = { credential: credentialWith(token), node: CONTINUE };
			const [item] = await node.items({ ...parameters, authentication }, settings);
			expect(item?.error).toMatch(field);
			expect(item?.error).toMatch(said);
			expect(item?.details).toMatchObject({ code: 'invalid-input', ...outcome });
		});

		test('a trigger', async () => {
			const trigger = pollerWith(credentialWith(token), authentication);
			await trigger.poll();
			expect(node.log.lines).toEqual([expect.stringMatching(said)]);
			await expect(trigger.poll()).rejects.toThrow(said);
		});

		test('a list in a form', async () => {
			const credentials = { [type]: credentialWith(token) };
			const listing = form.search('getTokens', { parameters: { authentication }, credentials });
			await expect(listing).rejects.toThrow(said);
		});
	});
});

test('an expression without a result is not a token, and white space around a token is removed', async () => {
	const credential = credentialWith('={{ $json.token }}');
	const given = [{}, { token: ' abcd\n' }];
	const items = await node.items(READ, { credential, items: given, node: CONTINUE });
	const errors = items.map(({ error }) => error);
	expect(errors).toEqual([expect.stringMatching(/^Access Token: /), undefined]);
	expect(node.service.requests).toMatchObject([{ authorization: 'Bearer abcd' }]);
});

const SECRET = 'hunter2';
const WELL_FORMED = `https://user:${SECRET}@wallet.example.com`;
const BROKEN = [
	`https://user:${SECRET}@wallet example`,
	`user:${SECRET}@wallet.example.com`,
	`http://${SECRET}:99/x@wallet.example.com`,
	`eyJ.${SECRET}.V1Qi`,
];
const NODES = [{}, CONTINUE, { onError: 'continueErrorOutput' as const }];

function expectHidden(value: unknown, field: string): void {
	const shown = inspect(value, { depth: Infinity, maxStringLength: Infinity });
	expect(shown).not.toContain(SECRET);
	expect(shown).toContain(field);
}

describe.each([WELL_FORMED, ...BROKEN])('%j as the base URL', (baseUrl) => {
	const credential = () => credentialWith('token', { baseUrl });

	test.each(['accessToken', 'oAuth2'])('of a node (%s)', async (authentication) => {
		const read = { ...WRITE, operation: 'read' };
		for (const [index, call] of [READ, read, WRITE, { ...WRITE, preview: true }].entries()) {
			const parameters = { ...call, authentication, options: { maxTries: 1 } };
			const settings = { credential: credential(), node: NODES[index % NODES.length] ?? {} };
			expectHidden(await node.run(parameters, settings), 'base URL');
		}
	});

	test('of a trigger', async () => {
		const trigger = pollerWith(credential(), 'accessToken');
		await trigger.poll();
		expectHidden(node.log.lines, 'base URL');
		expectHidden(await Promise.allSettled([trigger.poll()]), 'base URL');
		expect(trigger.staticData).toEqual({});
	});
});

test.each(BROKEN)('%j as the access token URL', async (accessTokenUrl) => {
	const credential = credentialWith('token', { accessTokenUrl });
	for (const settings of NODES) {
		const parameters = { ...READ, authentication: 'oAuth2' };
		const result = await node.run(parameters, { credential, node: settings });
		expectHidden(result, 'Access Token URL');
	}
});
