/** A node that is signed in by OAuth2: the same results, renewed tokens, and one clear end. */
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Engine, type EngineResult } from './support/engine.mts';
import { OAuthAccount } from './support/oauth-account.mts';
import { Service } from './support/service.mts';

const TOKEN_SECONDS = 2;

let engine: Engine;
let routing: Engine;
let service: Service;
let account: OAuthAccount;

beforeAll(async () => {
	[engine, routing, service] = await Promise.all([
		Engine.create(),
		Engine.create(true),
		Service.start({ SANDBOX_TOKEN_SECONDS: String(TOKEN_SECONDS) }),
	]);
});
beforeEach(async () => {
	account = await OAuthAccount.connect(service, 2);
});
afterEach(async () => {
	await account.door.close();
	await service.reset();
});
afterAll(async () => await service.stop());

const oAuth2 = { authentication: 'oAuth2' };

async function run(
	parameters: INodeParameters,
	items = 1,
	node = {},
	way = engine,
): Promise<EngineResult> {
	return await way.run({
		parameters: { ...oAuth2, ...parameters },
		credential: account.credential,
		items: Array.from({ length: items }, (_, index): IDataObject => ({ index })),
		node: { ...account.node, ...node },
	});
}

/** The passing of time is what makes a token expire: there is no event to wait for. */
const untilExpired = async () => await setTimeout(TOKEN_SECONDS * 1000);

const user = (): INodeParameters => ({
	resource: 'user',
	operation: 'get',
	userId: service.user(2).id,
});
const store = (): INodeParameters => ({
	resource: 'contract',
	operation: 'write',
	contractAddress: service.ready.contracts.shapes,
	abi: 'store(uint256)',
	argumentsMode: 'json',
	args: '["1"]',
});
const goOn = { onError: 'continueRegularOutput' as const };

test.each([
	['user', { resource: 'user', operation: 'get' }],
	['native balance', { resource: 'balance', operation: 'native' }],
	['history', { resource: 'history', operation: 'list' }],
])('gives the same %s as with a pasted token', async (_what, parameters) => {
	account.credential.userId = service.user(2).id;
	const { items, error } = await run(parameters);
	expect(error).toBeUndefined();
	const pasted = await engine.run({ parameters, credential: service.credential(2) });
	expect(items).toEqual(pasted.items);
	expect(items.length).toBeGreaterThan(0);
});

test("writes with the wallet of the token's user", async () => {
	const { items } = await run(store());
	const transaction = await service.chain.getTransaction(String(items[0]?.json.hash));
	expect(transaction?.from).toBe(service.user(2).address);
});

test.each([
	['a read', () => engine, user],
	['a write', () => engine, store],
	["a read by n8n's own routing", () => routing, user],
	["a write by n8n's own routing", () => routing, store],
])('renews an expired token before anything else: %s', async (_what, way, parameters) => {
	await untilExpired();
	const sent = await service.chain.getTransactionCount(service.user(2).address);
	const { items, error } = await run(parameters(), 3, {}, way());
	expect(error).toBeUndefined();
	expect(items).toHaveLength(3);
	expect([account.door.renewals, account.door.refusals]).toEqual([1, 0]);
	// One request was too late; no other one left before the token was new.
	expect(await service.requests()).toHaveLength(4);
	const written = parameters === store ? 3 : 0;
	expect(await service.chain.getTransactionCount(service.user(2).address)).toBe(sent + written);
});

test('with 20 requests in flight when the token expires, none fails, and one renews', async () => {
	await service.fault({ kind: 'latency', params: { ms: 150 } });
	const begin = Date.now();
	const parameters = { ...user(), options: { concurrency: 20 } };
	const { items, error } = await run(parameters, 600, goOn);
	const lifetimes = (Date.now() - begin) / (TOKEN_SECONDS * 1000);
	expect(error).toBeUndefined();
	expect(items.filter(({ json }) => json.address !== service.user(2).address)).toEqual([]);
	expect(items).toHaveLength(600);
	expect(await service.mostInFlight()).toBe(20);
	expect(account.door.renewals).toBeGreaterThanOrEqual(2);
	// A lifetime is given in whole seconds, so that a token may live up to one less.
	expect(account.door.renewals).toBeLessThanOrEqual(2 * Math.ceil(lifetimes));
	expect(account.door.refusals).toBe(0);
	const repeated = (await service.requests()).length - 600;
	expect(repeated).toBeLessThanOrEqual(20 * account.door.renewals);
});

describe('a sign-in that was revoked', () => {
	beforeEach(async () => await account.revoke());
	const clear =
		/^The sign-in of the credential "My account" has ended: the service no longer accepts it/;

	test('ends the run with one clear error, after one request and one try to renew', async () => {
		const { error } = await run(user(), 50);
		expect(error?.message).toMatch(clear);
		expect(error?.description).toContain('Open the credential "My account"');
		expect(await service.requests()).toHaveLength(1);
		expect([account.door.renewals, account.door.refusals]).toEqual([0, 1]);
	});

	test.each([
		['reads', user],
		['writes', store],
	])('is one request for a run of %s that goes on after errors', async (_what, parameters) => {
		const { items } = await run(parameters(), 50, goOn);
		expect(items).toHaveLength(50);
		for (const { json } of items) expect(json.error).toMatch(clear);
		expect(await service.requests()).toHaveLength(1);
		expect(account.door.refusals).toBe(1);
	});

	test('is known to the next runs, until the account is connected again', async () => {
		await run(user());
		const again = await run(user());
		expect(again.error?.message).toMatch(clear);
		expect(await service.requests()).toHaveLength(1);

		const connected = await OAuthAccount.connect(service, 2);
		await connected.door.close();
		account.credential.oauthTokenData = connected.credential.oauthTokenData;
		const { error, items } = await run(user());
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});

test('revoked in the middle of a run: at most the requests in flight are in vain', async () => {
	await service.fault({ kind: 'latency', params: { ms: 150 } });
	const running = run({ ...user(), options: { concurrency: 20 } }, 400, goOn);
	while ((await service.requests()).length < 50) await setTimeout(20);
	await account.revoke();
	const { items } = await running;
	const good = items.filter(({ json }) => json.error === undefined).length;
	expect(good).toBeGreaterThan(0);
	expect(items).toHaveLength(400);
	expect((await service.requests()).length).toBeLessThanOrEqual(good + 20);
	expect(account.door.refusals).toBe(1);
});

test('each sign-in that has ended is known by itself', async () => {
	const other = await OAuthAccount.connect(service, 1);
	await other.door.close();
	await Promise.all([account.revoke(), other.revoke()]);
	const runOther = async () =>
		await engine.run({
			parameters: { ...oAuth2, ...user() },
			credential: other.credential,
			node: other.node,
		});
	other.credential.accessTokenUrl = account.door.url;
	for (let round = 0; round < 2; round++) {
		for (const { error } of [await run(user()), await runOther()]) {
			expect(error?.message).toMatch(/has ended/);
		}
	}
	expect(await service.requests()).toHaveLength(2);
	expect(account.door.refusals).toBe(2);
});

test('also of credentials that a node knows by their names only', async () => {
	account.credential.oauthTokenData = { access_token: account.token('access_token') };
	await untilExpired();
	const named = (name: string) => ({ credentials: { walletServiceOAuth2Api: { id: null, name } } });
	for (let round = 0; round < 2; round++) {
		for (const name of ['One', 'Another']) {
			const { error } = await run(user(), 1, named(name));
			expect(error?.message).toMatch(new RegExp(`credential "${name}" has ended`));
		}
	}
	expect(await service.requests()).toHaveLength(2);
});

describe('an access token URL that refuses to renew', () => {
	const bad = { status: 401, body: 'Unauthorized' };

	test.each(['invalid_request', 'invalid_client', 'unauthorized_client'])(
		'with %s has ended the sign-in',
		async (code) => {
			account.door.refuseWith = code;
			await service.fault({ kind: 'status-text', times: 1, params: bad });
			expect((await run(user())).error?.message).toContain('has ended: its access token URL');
			const again = await run(user());
			expect(again.error?.message).toContain(`refuses to renew it (${code})`);
			expect(await service.requests()).toHaveLength(1);
			expect(account.door.refusals).toBe(1);
		},
	);

	test.each(['temporarily_unavailable', 'slow_down'])(
		'with %s has not: the next run renews it',
		async (code) => {
			account.door.refuseWith = code;
			await service.fault({ kind: 'status-text', times: 1, params: bad });
			const { error } = await run({ ...store(), options: { maxTries: 1 } });
			expect(error?.message).toMatch(/could not be renewed: .* problem of its own/);
			expect(error?.message).toContain(`(${code})`);
			account.door.refuseWith = undefined;
			await untilExpired();
			expect((await run(store())).error).toBeUndefined();
			expect(account.door).toMatchObject({ renewals: 1, refusals: 1 });
		},
	);
});

test('a renewal that takes too long is given up, and nothing is sent when it comes after all', async () => {
	const { promise, resolve } = Promise.withResolvers();
	account.door.closedUntil = promise;
	await untilExpired();
	const sent = await service.chain.getTransactionCount(service.user(2).address);
	const { error } = await run({ ...store(), options: { timeout: 1, maxTries: 1 } });
	expect(error?.message).toMatch(/could not be renewed: .* does not answer in time/);
	const renewed = account.door.untilRenewals(1);
	resolve(undefined);
	await renewed;
	// n8n has the tokens now, and does with them what it does before the next run is through.
	await untilExpired();
	expect((await run(store())).error).toBeUndefined();
	expect(await service.chain.getTransactionCount(service.user(2).address)).toBe(sent + 1);
	expect(await service.requests()).toHaveLength(3);
});

test('without a refresh token the error says why', async () => {
	account.credential.oauthTokenData = { access_token: account.token('access_token') };
	await untilExpired();
	const { error } = await run(user(), 5);
	expect(error?.message).toMatch(/"My account" has ended: .*no refresh token.*offline_access/);
	expect(await service.requests()).toHaveLength(1);
});

test('a token URL that does not answer is named, and the write was not sent', async () => {
	account.credential.accessTokenUrl = 'http://127.0.0.1:1/token';
	await untilExpired();
	const sent = await service.chain.getTransactionCount(service.user(2).address);
	const { error } = await run({ ...store(), options: { maxTries: 1 } });
	expect(error?.message).toMatch(/"My account" could not be renewed: its access token URL/);
	expect(await service.chain.getTransactionCount(service.user(2).address)).toBe(sent);
	account.credential.accessTokenUrl = account.door.url;
	expect((await run(store())).error).toBeUndefined();
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
	['that may not write', { allowWrites: false }, /spending policy .* "Allow Writes"/],
])('a credential %s sends nothing', async (_what, changes, message) => {
	Object.assign(account.credential, changes);
	const { error } = await run(store());
	expect(error?.message).toMatch(message);
	expect(await service.requests()).toEqual([]);
});

test('the token goes nowhere else and shows nowhere, also after it was renewed', async () => {
	await untilExpired();
	const elsewhere = await Service.start();
	await service.fault({
		kind: 'redirect',
		params: { location: `${elsewhere.ready.baseUrl}/v1/x` },
	});
	const redirected = await run(user(), 1);
	expect(redirected.error?.message).toMatch(/redirects/);
	expect(await elsewhere.requests()).toEqual([]);
	await elsewhere.stop();
	await service.reset();

	await run(user());
	expect(account.door.renewals).toBe(1);
	await service.fault({ kind: 'echo-authorization' });
	for (const node of [{}, goOn]) {
		for (const parameters of [user(), { ...user(), simplify: false }, store()]) {
			const { run: whole } = await run(parameters, 2, node);
			const shown = inspect(whole, { depth: 20 });
			expect(shown).not.toContain(account.token('access_token'));
			expect(shown).not.toContain(account.token('refresh_token'));
		}
	}
});

describe('a 401 to a token that lives for long', () => {
	let lasting: Service;
	let lastingAccount: OAuthAccount;

	beforeAll(async () => {
		lasting = await Service.start();
	});
	afterAll(async () => await lasting.stop());
	beforeEach(async () => {
		lastingAccount = await OAuthAccount.connect(lasting);
	});
	afterEach(async () => {
		await lastingAccount.door.close();
		await lasting.reset();
	});

	const refused = { status: 401, body: 'Unauthorized' };
	const words = /rejects the access token .* renewed just now \(HTTP 401\): Unauthorized/;
	const forbid = async (index: number) =>
		await lasting.fault({
			kind: 'status-text',
			match: { path: `/v1/users/${lasting.user(index).id}` },
			params: refused,
		});

	async function runLasting(parameters: INodeParameters, items: IDataObject[], node = {}) {
		return await engine.run({
			parameters: { ...oAuth2, ...parameters },
			credential: lastingAccount.credential,
			items,
			node: { ...lastingAccount.node, ...node },
		});
	}

	const usersOf = { resource: 'user', operation: 'get', userId: '={{ $json.id }}' };
	const idOf = (index: number): IDataObject => ({ id: lasting.user(index).id });

	test('for one thing is the failure of that request, and ends the sign-in for nobody', async () => {
		await forbid(1);
		const one = await runLasting(usersOf, [idOf(1)]);
		expect(one.error?.message).toMatch(words);
		const other = await runLasting(usersOf, [idOf(0)]);
		expect(other.error).toBeUndefined();
		expect(other.items).toMatchObject([{ json: { id: lasting.user(0).id } }]);
		expect(lastingAccount.door.renewals).toBe(1);
	});

	test('does not renew a token that is new: once for all items of a run', async () => {
		await forbid(1);
		const items = Array.from({ length: 30 }, (_, index) => idOf(index % 2));
		const { items: output } = await runLasting(usersOf, items, goOn);
		for (const [index, { json }] of output.entries()) {
			if (index % 2 === 0) expect(json.address).toBe(lasting.user(0).address);
			else expect(json.error).toMatch(words);
		}
		expect(output).toHaveLength(30);
		expect(lastingAccount.door.renewals).toBe(1);
		// Sent again with the new token: one to begin with, and those that were under way with the old one.
		expect((await lasting.requests()).length).toBeLessThanOrEqual(30 + 10);
	});

	test('that is answered with another failure after the renewal gives that one', async () => {
		const hash = `0x${'ab'.repeat(32)}`;
		await lasting.fault({ kind: 'status-text', times: 1, params: refused });
		await lasting.fault({
			kind: 'status-text',
			times: 1,
			params: { status: 500, body: `Broken off after ${hash}` },
		});
		const { error } = await runLasting({ ...store(), contractAddress: shapes() }, [{}]);
		expect(error?.message).toContain(`Broken off after ${hash}`);
		expect(error?.message).toContain('HTTP 500');
		expect(await lasting.requests()).toHaveLength(2);
	});

	test('to a write that names a transaction is no refusal: it is not sent again', async () => {
		const body = JSON.stringify({ error: 'Signed out', hash: `0x${'ab'.repeat(32)}` });
		await lasting.fault({ kind: 'status-text', times: 1, params: { status: 401, body } });
		const { error } = await runLasting({ ...store(), contractAddress: shapes() }, [{}]);
		expect(error?.message).toContain('HTTP 401');
		expect(await lasting.requests()).toHaveLength(1);
		expect(lastingAccount.door.renewals).toBe(0);
	});

	const shapes = () => lasting.ready.contracts.shapes;
});
