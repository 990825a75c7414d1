/** A service that refuses a new access token: the refusal concerns the request, not the sign-in. */
import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { hashOf } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { useSignIn } from './support/oauth-account.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { CONTINUE } from './support/use-node.mts';
import type { Username } from '../support/sandbox/service.mts';

const { node, account, run } = useSignIn();

const words = /rejects the access token .* just renewed/;

const answerWith = async (status: number, body: string, more: Partial<FaultRequest> = {}) =>
	await node.service.faults.add({ kind: 'status-text', params: { status, body }, ...more });
/** Makes the service refuse every request about a user. */
const forbid = async (username: Username) =>
	await answerWith(401, 'Unauthorized', {
		match: { path: `/v1/users/${node.service.user(username).id}` },
	});

const usersOf = { resource: 'user', operation: 'get', userId: '={{ $json.id }}' };
const idOf = (username: Username) => ({ id: node.service.user(username).id });
const store = () => storeCall(node.service.contracts.shapes);
const requests = async () => (await node.service.faults.requests()).length;

test('a 401 for one thing is the failure of that request, and ends the sign-in for nobody', async () => {
	await forbid('Rahul Sen');
	const one = await run(usersOf, { items: [idOf('Rahul Sen')] });
	expect(one.error?.message).toMatch(words);
	const other = await run(usersOf, { items: [idOf('Nelly')] });
	expect(other.error).toBeUndefined();
	expect(other.items).toMatchObject([{ json: idOf('Nelly') }]);
	expect(account().door.renewals).toBe(1);
});

test('a 401 for some items of a run is their failure only', async () => {
	await forbid('Rahul Sen');
	const items = Array.from({ length: 30 }, (_, index) =>
		idOf(index % 2 === 0 ? 'Nelly' : 'Rahul Sen'),
	);
	const { items: output } = await run(usersOf, { items, node: CONTINUE });
	const { address } = node.service.user('Nelly');
	expect(output.map(({ json }) => json)).toEqual(
		items.map((_, index): unknown =>
			expect.objectContaining(
				index % 2 === 0 ? { address } : { error: expect.stringMatching(words) },
			),
		),
	);
});

test('a 401 that is answered with another failure after the renewal gives that one', async () => {
	await answerWith(401, 'Unauthorized', { times: 1 });
	await answerWith(500, `Broken off after ${hashOf(9)}`, { times: 1 });
	const { error } = await run(store());
	expect(error?.message).toContain(`Broken off after ${hashOf(9)}`);
	expect(error).toMatchObject({ httpCode: '500' });
	expect(await requests()).toBe(2);
});

const NAMING = JSON.stringify({ error: 'Signed out', hash: hashOf(9) });

test.each<[what: string, body: string, error: unknown, details: object]>([
	['is a refusal', 'Unauthorized', expect.stringMatching(words), { outcome: 'refused' }],
	[
		'whose body names a transaction is unknown, with its hash',
		NAMING,
		expect.stringContaining(hashOf(9)),
		{ outcome: 'unknown', hashes: [hashOf(9)] },
	],
])('a second 401, to the repeated write, %s', async (_what, body, error, details) => {
	await answerWith(401, body, { times: 2 });
	const { items } = await run(store(), { node: CONTINUE });
	expect(items[0]?.json).toMatchObject({ error, details });
	expect(await requests()).toBe(2);
});

test('a second 401, to the repeated write, that is cut off is unknown: nobody knows what it would have named', async () => {
	await using scripted = await ScriptedService.start();
	const cut = { 'content-length': '1000', connection: 'close' };
	scripted.script = () => ({
		status: 401,
		headers: scripted.requests.length > 1 ? cut : {},
		body: '{"error":"Signed out","hash":"0xab',
	});
	account().credential.baseUrl = scripted.baseUrl;
	const { items } = await run(store(), { node: CONTINUE });
	expect(items[0]?.json).toMatchObject({ details: { outcome: 'unknown', httpStatus: 401 } });
	expect(scripted.requests).toHaveLength(2);
});

test('a token that is not a Bearer one is refused before n8n puts it into the URL', async () => {
	const token = account().token('access_token');
	account().credential.oauthTokenData = { access_token: token, token_type: 'DPoP' };
	for (const parameters of [store(), usersOf]) {
		const { error, run: whole } = await run(parameters, { items: [idOf('Nelly')] });
		expect(error?.message).toMatch(/of type "DPoP".*only Bearer tokens can be used/);
		expect(JSON.stringify(whole.data.resultData)).not.toContain(token);
	}
	expect(await requests()).toBe(0);
});
