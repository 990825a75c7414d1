/** With OAuth2, "my wallet" is that of the user who signed in: nobody has to enter a User ID. */
import type { IDataObject } from 'n8n-workflow';

import { useSignIn } from './support/oauth-account.mts';
import { useTrigger } from './support/trigger-service.mts';

const MINE = 'Nelly';
const OTHER = 'Rahul Sen';
const { node, account, run } = useSignIn(MINE);
const { poller } = useTrigger(() => node.service);

const USER = { resource: 'user', operation: 'get', userId: '' };
const mine = () => node.service.user(MINE);
const other = () => node.service.user(OTHER);
const send = (changes: IDataObject = {}): IDataObject => ({
	...{ resource: 'token', operation: 'send', recipient: other().id, amount: '1' },
	token: { __rl: true, mode: 'address', value: node.service.contracts.usd },
	...changes,
});
const idOfUser = async (changes: IDataObject = {}) =>
	(await run({ ...USER, ...changes })).items[0]?.json.id;

describe.each([
	['in a workflow', 0],
	['as a tool that n8n routes', 1],
] as const)('%s', (_where, way) => {
	test.each([
		['user', USER],
		['coin', { resource: 'balance', operation: 'native', userId: '' }],
		['history', { resource: 'history', operation: 'list', userId: ' ' }],
	])('an empty User ID gives the %s of who signed in', async (_what, parameters) => {
		const given = { items: [{}, {}] };
		const { items, error } = await run(parameters, given, (await node.ways())[way]);
		expect(error).toBeUndefined();
		const credential = node.service.credential(OTHER);
		const pasted = { ...parameters, userId: mine().id };
		expect(items).toEqual((await node.run(pasted, { ...given, credential })).items);
		expect(items.length).toBeGreaterThan(0);
	});
});

test('tokens are sent in the name of who signed in, and their balance is looked up', async () => {
	const preview = await run(send({ preview: true }));
	expect(preview.items[0]?.json.summary).toMatch(`from ${mine().id} to `);
	const tooMuch = await run(send({ amount: '1000000000' }));
	expect(tooMuch.error).toMatchObject({ context: { details: { parameter: 'Amount' } } });
	const asked = (await node.service.faults.requests()).map(({ path }) => path);
	const balances = asked.filter((path) => path.includes('/balance/'));
	expect(new Set(balances)).toEqual(
		new Set([`/v1/users/${mine().id}/balance/${node.service.contracts.usd}`]),
	);
	const { items } = await run(send());
	expect(items[0]?.json.userId).toBe(mine().id);
	const transaction = await node.service.chain.getTransaction(String(items[0]?.json.hash));
	expect(transaction?.from).toBe(mine().address);
});

test('an NFT leaves the wallet of who signed in', async () => {
	const piece = { tokenStandard: 'erc721', pieceId: '1', preview: true, simplify: false };
	const { items, error } = await run(send(piece));
	expect(error).toBeUndefined();
	expect(JSON.stringify(items[0]?.json)).toContain(mine().address);
});

test('the trigger watches who signed in', async () => {
	const parameters = { authentication: 'oAuth2', event: 'newTransfer', userIds: '' };
	const trigger = poller(parameters, { credential: account().credential, mode: 'manual' });
	expect((await trigger.poll())?.[0]?.userId).toBe(mine().id);
});

test('a User ID of the credential or of the node comes first', async () => {
	account().credential.userId = other().id;
	expect(await idOfUser()).toBe(other().id);
	expect(await idOfUser({ userId: mine().id })).toBe(mine().id);
});

test.each([true, false])('a renewal keeps the user, its ID token left out: %s', async (leftOut) => {
	account().door.leavesOutIdToken = leftOut;
	const params = { status: 401, body: 'Unauthorized' };
	await node.service.faults.add({ kind: 'status-text', times: 1, params });
	// With the old token, and with the new one.
	expect([await idOfUser(), await idOfUser()]).toEqual([mine().id, mine().id]);
	expect(account().door.renewals).toBe(1);
});

test('another sign-in takes effect at once', async () => {
	await account().reconnect(node.service, OTHER);
	expect(await idOfUser()).toBe(other().id);
	expect((await run(send())).items[0]?.json.userId).toBe(other().id);
});

test.each([
	['whose ID token is left over from somebody else', { scope: 'email offline_access' }],
	['of another client', { clientId: 'wallet-viewer' }],
])('a sign-in %s names nobody', async (_what, changes) => {
	await account().reconnect(node.service, OTHER, false);
	Object.assign(account().credential, changes);
	expect((await run(USER)).error?.message).toMatch(/No user is set/);
	expect(await node.service.faults.requests()).toEqual([]);
});

test('a write that was prepared for one account is not sent with another one', async () => {
	const { faults } = node.service;
	await faults.add({ kind: 'latency', params: { ms: 300 } });
	const sending = run(send());
	while ((await faults.requests()).length === 0) await Promise.resolve();
	await account().reconnect(node.service, OTHER);
	const { error } = await sending;
	expect(error?.message).toContain(mine().id);
	const details = { code: 'invalid-input', outcome: 'refused' };
	expect(error).toMatchObject({ context: { details } });
	expect((await faults.requests()).filter(({ path }) => path.endsWith('/write'))).toEqual([]);
});
