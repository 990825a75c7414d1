/** A node that is signed in by OAuth2: the same results, renewed tokens, and one clear end. */
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';

import { echoCall, storeCall } from './support/contract-calls.mts';
import { Engine, type EngineResult } from './support/engine.mts';
import { numbered, OAuthAccount } from './support/oauth-account.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

const TOKEN_SECONDS = 2;

let engine: Engine;
let routing: Engine;
let service: Service;
let account: OAuthAccount;

const resources = useResources();
beforeAll(async () => {
	[engine, routing, service] = await Promise.all([
		Engine.create(),
		Engine.create(true),
		resources.use(Service.start({ SANDBOX_TOKEN_SECONDS: String(TOKEN_SECONDS) })),
	]);
});
beforeEach(async () => {
	account = await OAuthAccount.connect(service, 'mika_dev');
});
afterEach(async () => {
	await account.door.close();
	await service.faults.reset();
});

const run = async (
	parameters: INodeParameters,
	items = 1,
	node = {},
	way = engine,
): Promise<EngineResult> => await account.run(way, parameters, numbered(items), node);

/** The passing of time is what makes a token expire: there is no event to wait for. */
const untilExpired = async () => await setTimeout(TOKEN_SECONDS * 1000);

const user = (): INodeParameters => ({
	resource: 'user',
	operation: 'get',
	userId: service.user('mika_dev').id,
});
const echo = (): INodeParameters => echoCall(service.contracts.shapes);
const store = (): INodeParameters => storeCall(service.contracts.shapes);
const wait = (): INodeParameters => ({
	...{ resource: 'contract', operation: 'read', contractAddress: service.contracts.shapes },
	...{ functionSource: 'signature', abi: 'label() view returns (string)' },
	options: { waitUntil: { until: { condition: 'isNot', conditionValue: 'else', waitUpTo: 0 } } },
});
const goOn = { onError: 'continueRegularOutput' as const };

test.each([
	['user', { resource: 'user', operation: 'get' }],
	['native balance', { resource: 'balance', operation: 'native' }],
	['history', { resource: 'history', operation: 'list' }],
])('gives the same %s as with a pasted token', async (_what, parameters) => {
	account.credential.userId = service.user('mika_dev').id;
	const { items, error } = await run(parameters);
	expect(error).toBeUndefined();
	const pasted = await engine.run({ parameters, credential: service.credential('mika_dev') });
	expect(items).toEqual(pasted.items);
	expect(items.length).toBeGreaterThan(0);
});

test("writes with the wallet of the token's user", async () => {
	const { items } = await run(store());
	const transaction = await service.chain.getTransaction(String(items[0]?.json.hash));
	expect(transaction?.from).toBe(service.user('mika_dev').address);
});

test.each([
	['a read', () => engine, echo],
	['a write', () => engine, store],
	['a read that waits', () => engine, wait],
	["a read by n8n's own routing", () => routing, echo],
	["a write by n8n's own routing", () => routing, store],
])('renews an expired token before anything else: %s', async (_what, way, parameters) => {
	await untilExpired();
	const sent = await service.chain.getTransactionCount(service.user('mika_dev').address);
	const { items, error } = await run(parameters(), 3, {}, way());
	expect(error).toBeUndefined();
	expect(items).toHaveLength(3);
	expect([account.door.renewals, account.door.refusals]).toEqual([1, 0]);
	// One request was too late; no other one left before the token was new.
	expect(await service.faults.requests()).toHaveLength(4);
	const written = parameters === store ? 3 : 0;
	expect(await service.chain.getTransactionCount(service.user('mika_dev').address)).toBe(
		sent + written,
	);
});

test('with 20 requests in flight when the token expires, none fails, and one renews', async () => {
	await service.faults.add({ kind: 'latency', params: { ms: 150 } });
	const begin = Date.now();
	const parameters = { ...echo(), options: { concurrency: 20 } };
	const { items, error } = await run(parameters, 600, goOn);
	const lifetimes = (Date.now() - begin) / (TOKEN_SECONDS * 1000);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.value)).toEqual(
		numbered(600).map(({ index }) => String(index)),
	);
	expect(await service.faults.mostInFlight()).toBe(20);
	expect(account.door.renewals).toBeGreaterThanOrEqual(2);
	// A lifetime is given in whole seconds, so that a token may live up to one less.
	expect(account.door.renewals).toBeLessThanOrEqual(2 * Math.ceil(lifetimes));
	expect(account.door.refusals).toBe(0);
	const repeated = (await service.faults.requests()).length - 600;
	expect(repeated).toBeLessThanOrEqual(20 * account.door.renewals);
});

test.each([
	['not connected', { oauthTokenData: undefined }, /The credential "My account" is not connected/],
	['of a public http service', { baseUrl: 'http://wallet.example.com' }, /unencrypted \(http\)/],
	[
		'with a public http token URL',
		{ accessTokenUrl: 'http://wallet.example.com/oauth/token' },
		/Access Token URL.*unencrypted \(http\) to wallet\.example\.com/,
	],
	['with user info', { baseUrl: 'https://me:secret@wallet.example' }, /user name or password/],
	['that may not write', { allowWrites: false }, /spending limits .* "Allow Writes"/],
])('a credential %s sends nothing', async (_what, changes, message) => {
	Object.assign(account.credential, changes);
	const { error } = await run(store());
	expect(error?.message).toMatch(message);
	expect(await service.faults.requests()).toEqual([]);
});

test('the token goes nowhere else and shows nowhere, also after it was renewed', async () => {
	await untilExpired();
	await using elsewhere = await Service.start();
	await service.faults.add({
		kind: 'redirect',
		params: { location: `${elsewhere.ready.baseUrl}/v1/x` },
	});
	const redirected = await run(user(), 1);
	expect(redirected.error?.message).toMatch(/redirects/);
	expect(await elsewhere.faults.requests()).toEqual([]);
	await service.faults.reset();

	await run(user());
	expect(account.door.renewals).toBe(1);
	await service.faults.add({ kind: 'echo-authorization' });
	for (const node of [{}, goOn]) {
		for (const parameters of [user(), { ...user(), simplify: false }, store()]) {
			const { run: whole } = await run(parameters, 2, node);
			const shown = inspect(whole, { depth: 20 });
			expect(shown).not.toContain(account.token('access_token'));
			expect(shown).not.toContain(account.token('refresh_token'));
		}
	}
});
