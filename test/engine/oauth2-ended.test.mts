/** Sign-ins by OAuth2 that end, or that cannot be renewed for the moment: one clear failure, and nothing more is sent with them. */
import { setTimeout } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { echoCall, storeCall } from './support/contract-calls.mts';
import { Engine, type EngineResult } from './support/engine.mts';
import { numbered, OAuthAccount } from './support/oauth-account.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

const TOKEN_SECONDS = 2;

let engine: Engine;
let service: Service;
let account: OAuthAccount;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([
		Engine.create(),
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

const run = async (parameters: INodeParameters, items = 1, node = {}): Promise<EngineResult> =>
	await account.run(engine, parameters, numbered(items), node);

/** The passing of time is what makes a token expire: there is no event to wait for. */
const untilExpired = async () => await setTimeout(TOKEN_SECONDS * 1000);

const user = (): INodeParameters => ({
	resource: 'user',
	operation: 'get',
	userId: service.user('mika_dev').id,
});
const store = (): INodeParameters => storeCall(service.contracts.shapes);
const goOn = { onError: 'continueRegularOutput' as const };

describe('a sign-in that was revoked', () => {
	beforeEach(async () => await account.revoke());
	const clear =
		/^The sign-in of the credential "My account" has ended: the service no longer accepts it/;

	test('ends the run with one clear error, after one request and one try to renew', async () => {
		const { error } = await run(user(), 50);
		expect(error?.message).toMatch(clear);
		expect(error?.description).toContain('Open the credential "My account"');
		expect(await service.faults.requests()).toHaveLength(1);
		expect([account.door.renewals, account.door.refusals]).toEqual([0, 1]);
	});

	test.each([
		['reads', user],
		['writes', store],
	])('is one request for a run of %s that goes on after errors', async (_what, parameters) => {
		const { items } = await run(parameters(), 50, goOn);
		expect(items).toHaveLength(50);
		for (const { json } of items) expect(json.error).toMatch(clear);
		expect(await service.faults.requests()).toHaveLength(1);
		expect(account.door.refusals).toBe(1);
	});

	test('is known to the next runs, until the account is connected again', async () => {
		await run(user());
		const again = await run(user());
		expect(again.error?.message).toMatch(clear);
		expect(await service.faults.requests()).toHaveLength(1);

		const connected = await OAuthAccount.connect(service, 'mika_dev');
		await connected.door.close();
		account.credential.oauthTokenData = connected.credential.oauthTokenData;
		const { error, items } = await run(user());
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});

test('revoked in the middle of a run: at most the requests in flight are in vain', async () => {
	await service.faults.add({ kind: 'latency', params: { ms: 150 } });
	const running = run(
		{ ...echoCall(service.contracts.shapes), options: { concurrency: 20 } },
		400,
		goOn,
	);
	while ((await service.faults.requests()).length < 50) await setTimeout(20);
	await account.revoke();
	const { items } = await running;
	const good = items.filter(({ json }) => json.error === undefined).length;
	expect(good).toBeGreaterThan(0);
	expect(items).toHaveLength(400);
	// On a slow machine the token expires before: a renewal costs as many, and what is sent again with the new token, which is
	// revoked meanwhile, makes room for as many more.
	const sentAgain = items.filter(({ json }) => /renewed just now/.test(String(json.error))).length;
	const inVain = 20 * (1 + account.door.renewals) + sentAgain;
	expect((await service.faults.requests()).length).toBeLessThanOrEqual(good + inVain);
	// n8n renews once for those that are refused together, and again for one that is refused a moment later.
	expect(account.door.refusals).toBeLessThanOrEqual(20);
});

test('each sign-in that has ended is known by itself', async () => {
	const other = await OAuthAccount.connect(service, 'Rahul Sen');
	await other.door.close();
	await Promise.all([account.revoke(), other.revoke()]);
	const runOther = async () => await other.run(engine, user());
	other.credential.accessTokenUrl = account.door.url;
	for (let round = 0; round < 2; round++) {
		for (const { error } of [await run(user()), await runOther()]) {
			expect(error?.message).toMatch(/has ended/);
		}
	}
	expect(await service.faults.requests()).toHaveLength(2);
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
	expect(await service.faults.requests()).toHaveLength(2);
});

test('a sign-in is not taken for another of the same name and access token, which cannot be renewed', async () => {
	const { oauthTokenData } = account.credential;
	account.credential.oauthTokenData = { access_token: account.token('access_token') };
	await untilExpired();
	const copy = { credentials: { walletServiceOAuth2Api: { id: 'copy', name: 'My account' } } };
	expect((await run(user(), 1, copy)).error?.message).toContain('has ended');
	account.credential.oauthTokenData = oauthTokenData;
	expect((await run(user())).error).toBeUndefined();
	expect(account.door.renewals).toBe(1);
});

describe('an access token URL that refuses to renew', () => {
	const bad = { status: 401, body: 'Unauthorized' };

	test.each(['invalid_request', 'invalid_client', 'unauthorized_client'])(
		'with %s has ended the sign-in',
		async (code) => {
			account.door.refuseWith = code;
			await service.faults.add({ kind: 'status-text', times: 1, params: bad });
			expect((await run(user())).error?.message).toContain('has ended: its access token URL');
			const again = await run(user());
			expect(again.error?.message).toContain(`refuses to renew it (${code})`);
			expect(await service.faults.requests()).toHaveLength(1);
			expect(account.door.refusals).toBe(1);
		},
	);

	test.each(['temporarily_unavailable', 'slow_down'])(
		'with %s has not: the next run renews it',
		async (code) => {
			account.door.refuseWith = code;
			await service.faults.add({ kind: 'status-text', times: 1, params: bad });
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

test('a renewal that takes too long is given up: its write counts as unknown, and is not sent when it comes after all', async () => {
	const { promise, resolve } = Promise.withResolvers();
	account.door.closedUntil = promise;
	await untilExpired();
	const sent = await service.chain.getTransactionCount(service.user('mika_dev').address);
	const { error } = await run({ ...store(), options: { timeout: 1, maxTries: 1 } });
	expect(error?.message).toMatch(/did not answer in time\. The transaction MAY have been sent/);
	const renewed = account.door.untilRenewals(1);
	resolve(undefined);
	await renewed;
	// n8n has the tokens now, and does with them what it does before the next run is through.
	await untilExpired();
	expect((await run(user())).error).toBeUndefined();
	expect(await service.chain.getTransactionCount(service.user('mika_dev').address)).toBe(sent);
	const writes = (await service.faults.requests()).filter(({ method }) => method === 'POST');
	expect(writes).toHaveLength(1);
});

test('a node that names its credential without its ID says that n8n cannot renew it', async () => {
	await untilExpired();
	const named = { credentials: { walletServiceOAuth2Api: { id: null, name: 'My account' } } };
	const { error } = await run(store(), 1, named);
	expect(error?.message).toMatch(/has ended: n8n cannot renew it, .* without its ID/);
	expect(await service.faults.requests()).toHaveLength(1);
});

test('without a refresh token the error says why', async () => {
	account.credential.oauthTokenData = { access_token: account.token('access_token') };
	await untilExpired();
	const { error } = await run(user(), 5);
	expect(error?.message).toMatch(/"My account" has ended: .*no refresh token.*offline_access/);
	expect(await service.faults.requests()).toHaveLength(1);
});

test('a token URL that does not answer is named, and the write was not sent', async () => {
	account.credential.accessTokenUrl = 'http://127.0.0.1:1/token';
	await untilExpired();
	const sent = await service.chain.getTransactionCount(service.user('mika_dev').address);
	const { error } = await run({ ...store(), options: { maxTries: 1 } });
	expect(error?.message).toMatch(/"My account" could not be renewed: its access token URL/);
	expect(await service.chain.getTransactionCount(service.user('mika_dev').address)).toBe(sent);
	account.credential.accessTokenUrl = account.door.url;
	expect((await run(store())).error).toBeUndefined();
});
