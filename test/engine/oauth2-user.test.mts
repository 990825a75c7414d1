/** With OAuth2, "my wallet" belongs to the signed-in user; if a new token is refused, only its request fails. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { hashOf } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { useSignIn } from './support/oauth-account.mts';
import { ScriptedService } from './support/scripted-service.mts';
import { useTrigger } from './support/trigger-service.mts';
import { CONTINUE } from './support/use-node.mts';

const MINE = 'Nelly';
const OTHER = 'Rahul Sen';
const { node, account, run } = useSignIn(MINE);
const { poller } = useTrigger(() => node.service);

const USER = { resource: 'user', operation: 'get', userId: '' };
const mine = () => node.service.user(MINE);
const other = () => node.service.user(OTHER);
const send = (changes: IDataObject = {}): IDataObject =>
	sendOf({ token: node.service.contracts.usd, recipient: other().id, amount: '1', ...changes });
const requests = async () => await node.service.faults.requests();
const answerWith = async (status: number, body: string, more: Partial<FaultRequest> = {}) =>
	await node.service.faults.add({ kind: 'status-text', params: { status, body }, ...more });
const idOfUser = async () => (await run(USER)).items[0]?.json.id;

describe.each([
	['in a workflow', 0],
	['as a tool that n8n routes', 1],
] as const)('%s', (_where, way) => {
	test.each([
		['user', USER],
		['coin', { resource: 'balance', operation: 'native', userId: '' }],
		['history', { resource: 'history', operation: 'list', userId: ' ' }],
	])('an empty User ID means the %s of the signed-in user', async (_what, parameters) => {
		const given = { items: [{}, {}] };
		const { items, error } = await run(parameters, given, (await node.ways())[way]);
		expect(error).toBeUndefined();
		const credential = node.service.credential(OTHER);
		const pasted = { ...parameters, userId: mine().id };
		expect(items).toEqual((await node.run(pasted, { ...given, credential })).items);
		expect(items.length).toBeGreaterThan(0);
	});
});

test('tokens are sent in the name of the signed-in user, whose balance is looked up', async () => {
	const preview = await run(send({ preview: true }));
	expect(preview.items[0]?.json.summary).toMatch(`from ${mine().id} to `);
	const tooMuch = await run(send({ amount: '1000000000' }));
	expect(tooMuch.error).toMatchObject({ context: { details: { parameter: 'Amount' } } });
	const asked = (await requests()).map(({ path }) => path);
	const balances = asked.filter((path) => path.includes('/balance/'));
	expect(new Set(balances)).toEqual(
		new Set([`/v1/users/${mine().id}/balance/${node.service.contracts.usd}`]),
	);
	const { items } = await run(send());
	expect(items[0]?.json.userId).toBe(mine().id);
	const transaction = await node.service.chain.getTransaction(String(items[0]?.json.hash));
	expect(transaction?.from).toBe(mine().address);
});

test('a write whose spending limits change at its request is not sent, and its error has their code', async () => {
	let readings = 0;
	const credential = {
		...account().credential,
		get maxValuePerCall() {
			readings += 1;
			// The policy and the sign-in are read before n8n reads the credential.
			return readings <= 2 ? '' : '1 wei';
		},
	};
	const { error } = await run(storeCall(node.service.contracts.shapes), { credential });
	const details = { outcome: 'refused', code: 'policy-unreadable' };
	expect(error).toMatchObject({ context: { details } });
	expect(error?.message).toMatch(/^The credential changed while the write was being prepared/);
	expect((await requests()).filter(({ method }) => method === 'POST')).toEqual([]);
});

test('the trigger watches the signed-in user', async () => {
	const parameters = { authentication: 'oAuth2', event: 'newTransfer', userIds: '' };
	const trigger = poller(parameters, { credential: account().credential, mode: 'manual' });
	expect((await trigger.poll())?.[0]?.userId).toBe(mine().id);
});

test.each([true, false])('a renewal keeps the user (ID token omitted: %s)', async (leftOut) => {
	account().door.leavesOutIdToken = leftOut;
	await answerWith(401, 'Unauthorized', { times: 1 });
	// The first request starts with the old token, the second with the new one.
	expect([await idOfUser(), await idOfUser()]).toEqual([mine().id, mine().id]);
	expect(account().door.renewals).toBe(1);
});

test('another sign-in takes effect at once', async () => {
	await account().reconnect(node.service, OTHER);
	expect(await idOfUser()).toBe(other().id);
	expect((await run(send())).items[0]?.json.userId).toBe(other().id);
});

test.each([
	['whose ID token belongs to an earlier user', { scope: 'email offline_access' }],
	['of another client', { clientId: 'wallet-viewer' }],
])('a sign-in %s names no user', async (_what, changes) => {
	await account().reconnect(node.service, OTHER, false);
	Object.assign(account().credential, changes);
	expect((await run(USER)).error?.message).toMatch(/No user is set/);
	expect(await requests()).toEqual([]);
});

test('a write that was prepared for one account is not sent with another', async () => {
	await node.service.faults.add({ kind: 'latency', params: { ms: 300 } });
	const sending = run(send());
	while ((await requests()).length === 0) await Promise.resolve();
	await account().reconnect(node.service, OTHER);
	const { error } = await sending;
	expect(error?.message).toContain(mine().id);
	const details = { code: 'invalid-input', outcome: 'refused' };
	expect(error).toMatchObject({ context: { details } });
	expect((await requests()).filter(({ path }) => path.endsWith('/write'))).toEqual([]);
});

describe('a service that refuses a new access token', () => {
	const words = /rejects the access token .* just renewed/;

	const usersOf = { ...USER, userId: '={{ $json.id }}' };
	const ids = () => [{ id: mine().id }, { id: other().id }];
	const store = () => storeCall(node.service.contracts.shapes);

	test('a 401 for some items of a run is their failure only, and does not end the sign-in', async () => {
		await answerWith(401, 'Unauthorized', { match: { path: `/v1/users/${other().id}` } });
		const items = Array.from({ length: 15 }, ids).flat();
		const { items: output } = await run(usersOf, { items, node: CONTINUE });
		const [good, bad] = [{ address: mine().address }, { error: expect.stringMatching(words) }];
		expect(output).toMatchObject(items.map((_, index) => ({ json: index % 2 === 0 ? good : bad })));
		expect(await idOfUser()).toBe(mine().id);
	});

	test('a 401 that is followed by another failure after the renewal is reported as that failure', async () => {
		await answerWith(401, 'Unauthorized', { times: 1 });
		await answerWith(500, `Broken off after ${hashOf(9)}`, { times: 1 });
		const { error } = await run(store());
		expect(error?.message).toContain(`Broken off after ${hashOf(9)}`);
		expect(error).toMatchObject({ httpCode: '500' });
		expect(await requests()).toHaveLength(2);
	});

	test.each<[body: string, error: RegExp, details: object]>([
		['Unauthorized', words, { outcome: 'refused' }],
		[`Signed out: ${hashOf(9)}`, /0{63}9/, { outcome: 'unknown', hashes: [hashOf(9)] }],
	])('a second 401, to the repeated write, with the body %j', async (body, error, details) => {
		await answerWith(401, 'Unauthorized', { times: 1 });
		await answerWith(401, body, { times: 1 });
		const { items } = await run(store(), { node: CONTINUE });
		expect(items[0]?.json).toMatchObject({ error: expect.stringMatching(error), details });
		expect(await requests()).toHaveLength(2);
	});

	test('a first 401 with a hash is unknown: the write is not repeated, and the hash is kept', async () => {
		await answerWith(401, `Signed out: ${hashOf(9)}`, { times: 1 });
		const { items } = await run(store(), { node: CONTINUE });
		const details = { outcome: 'unknown', hashes: [hashOf(9)] };
		expect(items[0]?.json).toMatchObject({ error: expect.stringContaining(hashOf(9)), details });
		expect(await requests()).toHaveLength(1);
	});

	test.each([
		['cut off', { 'content-length': '1000', connection: 'close' }],
		['not gzip as declared', { 'content-encoding': 'gzip' }],
	])('a first 401 that is %s is unknown: the write is not repeated', async (_what, headers) => {
		await using scripted = await ScriptedService.start();
		scripted.script = () => ({ status: 401, headers, body: '{"error":"Signed out","hash":"0xab' });
		account().credential.baseUrl = scripted.baseUrl;
		const { items } = await run(store(), { node: CONTINUE });
		expect(items[0]?.json).toMatchObject({ details: { outcome: 'unknown' } });
		expect(scripted.requests).toHaveLength(1);
		expect(account().door.renewals).toBe(0);
	});

	test('a second 401, to the repeated write, that is cut off is unknown', async () => {
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
			const { error, run: whole } = await run(parameters, { items: ids() });
			expect(error?.message).toMatch(/of type "DPoP".*only Bearer tokens can be used/);
			expect(JSON.stringify(whole.data.resultData)).not.toContain(token);
		}
		expect(await requests()).toEqual([]);
	});
});
