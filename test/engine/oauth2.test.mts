/** A node signed in with OAuth2: tokens are renewed in time, sent only to the service, and never appear in output. */
import { inspect } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import { echoCall, storeCall } from './support/contract-calls.mts';
import { numbered, useSignIn } from './support/oauth-account.mts';
import { CONTINUE } from './support/use-node.mts';
import { Service } from '../support/sandbox/service.mts';

const { node, account, run, expireToken } = useSignIn('mika_dev');

const written = async () =>
	await node.service.chain.getTransactionCount(node.service.user('mika_dev').address);

const user = () => ({ resource: 'user', operation: 'get' });
const echo = () => echoCall(node.service.contracts.shapes);
const store = () => storeCall(node.service.contracts.shapes);
const wait = () =>
	storeCall(node.service.contracts.shapes, {
		operation: 'read',
		abi: 'label() view returns (string)',
		args: '[]',
		options: { waitUntil: { until: { condition: 'isNot', conditionValue: 'else', waitUpTo: 0 } } },
	});

test.each<[string, 0 | 1, () => IDataObject, writes: number]>([
	['a read', 0, echo, 0],
	['a write', 0, store, 3],
	['a read that waits', 0, wait, 0],
	["a read by n8n's own routing", 1, echo, 0],
	["a write by n8n's own routing", 1, store, 3],
])('renews an expired token before anything else: %s', async (_what, way, parameters, writes) => {
	const ways = await node.ways();
	await expireToken();
	const before = await written();
	const { items, error } = await run(parameters(), { items: numbered(3) }, ways[way]);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(3);
	expect(account().door).toMatchObject({ renewals: 1, refusals: 0 });
	// One request had the expired token; no other was sent before the token was renewed.
	expect(await node.service.faults.requests()).toHaveLength(4);
	expect(await written()).toBe(before + writes);
});

test('with 20 requests in flight when the token expires, none fails, and one renews', async () => {
	const { faults } = node.service;
	await faults.add({ kind: 'latency', params: { ms: 300 } });
	for (const skip of [100, 400]) await faults.add({ kind: 'expire-token', skip, times: 1 });
	const parameters = { ...echo(), options: { concurrency: 20 } };
	const { items, error } = await run(parameters, { items: numbered(600), node: CONTINUE });
	expect(error).toBeUndefined();
	const values = items.map(({ json }) => json.value);
	expect(values).toEqual(numbered(600).map(({ index }) => String(index)));
	expect(await faults.mostInFlight()).toBe(20);
	expect(account().door).toMatchObject({ renewals: 2, refusals: 0 });
	expect((await faults.requests()).length - 600).toBeLessThanOrEqual(2 * 20);
});

const HTTP = 'http://wallet.example.com';
const UNENCRYPTED = /Access Token URL.*unencrypted \(http\) to wallet\.example\.com/;

test.each<[string, object, RegExp]>([
	['with a public http token URL', { accessTokenUrl: `${HTTP}/oauth/token` }, UNENCRYPTED],
	['of a public http service', { baseUrl: HTTP }, /unencrypted \(http\)/],
	['that forbids writes', { allowWrites: false }, /spending limits .* "Allow Writes"/],
])('a credential %s sends nothing', async (_what, changes, message) => {
	Object.assign(account().credential, changes);
	const { error } = await run(store());
	expect(error?.message).toMatch(message);
	expect(await node.service.faults.requests()).toEqual([]);
});

test('the token is sent nowhere else and appears nowhere, also after its renewal', async () => {
	await using elsewhere = await Service.start();
	const location = `${elsewhere.ready.baseUrl}/v1/x`;
	await node.service.faults.add({ kind: 'redirect', params: { location } });
	expect((await run(user())).error?.message).toMatch(/redirects/);
	expect(await elsewhere.faults.requests()).toEqual([]);
	await node.service.faults.reset();

	await expireToken();
	await run(user());
	expect(account().door.renewals).toBe(1);
	await node.service.faults.add({ kind: 'echo-authorization' });
	for (const settings of [{}, CONTINUE]) {
		for (const parameters of [user(), { ...user(), simplify: false }, store()]) {
			const { run: whole } = await run(parameters, { items: numbered(2), node: settings });
			const shown = inspect(whole, { depth: 20 });
			expect(shown).not.toContain(account().token('access_token'));
			expect(shown).not.toContain(account().token('refresh_token'));
		}
	}
});
