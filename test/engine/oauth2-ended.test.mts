/** OAuth2 sign-ins that have ended or cannot currently be renewed: one clear failure, and nothing more is sent with them. */
import type { IDataObject } from 'n8n-workflow';

import { echoCall, storeCall } from './support/contract-calls.mts';
import { numbered, OAuthAccount, useSignIn } from './support/oauth-account.mts';
import { CONTINUE } from './support/use-node.mts';
import { until } from '../support/until.mts';

const USER = { resource: 'user', operation: 'get' };

const { node, account, run, expireToken } = useSignIn('mika_dev');

const user = (): IDataObject => ({ ...USER, userId: node.service.user('mika_dev').id });
const store = (options: IDataObject = {}): IDataObject =>
	storeCall(node.service.contracts.shapes, { options });
const requests = async () => (await node.service.faults.requests()).length;
const written = async () =>
	await node.service.chain.getTransactionCount(node.service.user('mika_dev').address);

/** Settings of a node whose credential has this name and ID. */
const named = (name: string, id: string | null = null) => ({
	node: { credentials: { walletServiceOAuth2Api: { id, name } } },
});
const loseRefreshToken = () =>
	(account().credential.oauthTokenData = { access_token: account().token('access_token') });

describe('a sign-in that was revoked', () => {
	beforeEach(async () => await account().revoke());
	const clear = /^The sign-in of the credential "My account" has ended: the service no longer /;

	test('ends the run with one clear error, after one request and one attempt to renew', async () => {
		const { error } = await run(user(), { items: numbered(50) });
		expect(error?.message).toMatch(clear);
		expect(error?.description).toContain('Open the credential "My account"');
		expect(await requests()).toBe(1);
		expect(account().door).toMatchObject({ renewals: 0, refusals: 1 });
	});

	test.each([
		['reads', user],
		['writes', store],
	])('is one request for a run of %s that continues after errors', async (_what, parameters) => {
		const { items } = await run(parameters(), { items: numbered(50), node: CONTINUE });
		expect(items).toHaveLength(50);
		for (const { json } of items) expect(json.error).toMatch(clear);
		expect(await requests()).toBe(1);
		expect(account().door.refusals).toBe(1);
	});

	test('is known to the next runs, until the account is connected again', async () => {
		await run(user());
		expect((await run(user())).error?.message).toMatch(clear);
		expect(await requests()).toBe(1);

		const connected = await OAuthAccount.connect(node.service, 'mika_dev');
		await connected.door.close();
		account().credential.oauthTokenData = connected.credential.oauthTokenData;
		const { error, items } = await run(user());
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});

test('revoked in the middle of a run: at most the requests in flight fail', async () => {
	await node.service.faults.add({ kind: 'latency', params: { ms: 150 } });
	const parameters = { ...echoCall(node.service.contracts.shapes), options: { concurrency: 20 } };
	const running = run(parameters, { items: numbered(400), node: CONTINUE });
	await until(async () => (await requests()) >= 50);
	await account().revoke();
	const { items } = await running;
	const good = items.filter(({ json }) => json.error === undefined).length;
	expect(good).toBeGreaterThan(0);
	expect(items).toHaveLength(400);
	expect(await requests()).toBeLessThanOrEqual(good + 20);
	const { renewals, refusals } = account().door;
	expect(renewals).toBe(0);
	// n8n tries to renew once for requests that are refused together, and again for one refused a moment later.
	expect(refusals).toBeLessThanOrEqual(20);
});

test('each sign-in that has ended is known separately', async () => {
	const other = await OAuthAccount.connect(node.service, 'Rahul Sen');
	await other.door.close();
	await Promise.all([account().revoke(), other.revoke()]);
	other.credential.accessTokenUrl = account().door.url;
	for (const by of [account(), other, account(), other]) {
		expect((await run(user(), { account: by })).error?.message).toMatch(/has ended/);
	}
	expect(await requests()).toBe(2);
	expect(account().door.refusals).toBe(2);
});

test('the end of a sign-in is known for each credential that a node knows by name only', async () => {
	loseRefreshToken();
	await expireToken();
	for (const name of ['One', 'Another', 'One', 'Another']) {
		const { error } = await run(user(), named(name));
		expect(error?.message).toMatch(new RegExp(`credential "${name}" has ended`));
	}
	expect(await requests()).toBe(2);
});

test('a sign-in is distinguished from one with the same name and access token that cannot be renewed', async () => {
	const { oauthTokenData } = account().credential;
	loseRefreshToken();
	await expireToken();
	const copy = await run(user(), named('My account', 'copy'));
	expect(copy.error?.message).toContain('has ended');
	account().credential.oauthTokenData = oauthTokenData;
	expect((await run(user())).error).toBeUndefined();
	expect(account().door.renewals).toBe(1);
});

describe('an access token URL that refuses to renew', () => {
	const params = { status: 401, body: 'Unauthorized' };
	beforeEach(async () => await node.service.faults.add({ kind: 'status-text', times: 1, params }));
	const LASTING = ['invalid_request', 'invalid_client', 'unauthorized_client'];
	const PASSING = ['temporarily_unavailable', 'slow_down'];

	test.each(LASTING)('with %s has ended the sign-in', async (code) => {
		account().door.refuseWith = code;
		for (let round = 0; round < 2; round++) {
			const { error } = await run(user());
			expect(error?.message).toContain('has ended: its access token URL');
			expect(error?.message).toContain(`refuses to renew it (${code})`);
		}
		expect(await requests()).toBe(1);
		expect(account().door.refusals).toBe(1);
	});

	test.each(PASSING)('with %s has not: the next run renews it', async (code) => {
		account().door.refuseWith = code;
		const { error } = await run(store({ maxTries: 1 }));
		expect(error?.message).toMatch(/could not be renewed: .* internal error/);
		expect(error?.message).toContain(`(${code})`);
		account().door.refuseWith = undefined;
		await expireToken();
		expect((await run(store())).error).toBeUndefined();
		expect(account().door).toMatchObject({ renewals: 1, refusals: 1 });
	});
});

test('a renewal that takes too long is given up: its write counts as unknown, and is not sent afterwards', async () => {
	const { promise, resolve } = Promise.withResolvers();
	account().door.closedUntil = promise;
	await expireToken();
	const old = account().token('access_token');
	const before = await written();
	const { error } = await run(store({ timeout: 4, maxTries: 1 }));
	expect(error?.message).toMatch(/did not answer in time\. The transaction MAY have been sent/);
	resolve(undefined);
	await until(async () => account().token('access_token') !== old);
	// By the end of another run, n8n would have sent the write.
	expect((await run(user())).error).toBeUndefined();
	expect(await written()).toBe(before);
	const sent = (await node.service.faults.requests()).filter(({ method }) => method === 'POST');
	expect(sent).toHaveLength(1);
});

test('the error states why a sign-in cannot be renewed: no credential ID, or no refresh token', async () => {
	await expireToken();
	const { error } = await run(store(), named('My account'));
	expect(error?.message).toMatch(/has ended: n8n cannot renew it, .* the ID of the credential/);
	expect(await requests()).toBe(1);
	loseRefreshToken();
	const { error: other } = await run(store(), { items: numbered(5) });
	expect(other?.message).toMatch(/"My account" has ended: .*no refresh token.*offline_access/);
	expect(await requests()).toBe(2);
});

test('the error names a token URL that does not answer, and the write is not sent', async () => {
	account().credential.accessTokenUrl = 'http://127.0.0.1:1/token';
	await expireToken();
	const before = await written();
	const { error } = await run(store({ maxTries: 1 }));
	expect(error?.message).toMatch(/"My account" could not be renewed: its access token URL/);
	expect(await written()).toBe(before);
	account().credential.accessTokenUrl = account().door.url;
	expect((await run(store())).error).toBeUndefined();
});
