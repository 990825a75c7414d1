/** With OAuth2, "my wallet" is that of the user who signed in: nobody has to enter a User ID. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Engine } from './support/engine.mts';
import { LoadedNodeTypes } from './support/node-types.mts';
import { OAuthAccount } from './support/oauth-account.mts';
import { Poller } from './support/poller.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

const MINE = 'Nelly';
const OTHER = 'Rahul Sen';

let engine: Engine;
let routing: Engine;
let nodeTypes: LoadedNodeTypes;
let service: Service;
let account: OAuthAccount;

const resources = useResources();
beforeAll(async () => {
	[engine, routing, nodeTypes, service] = await Promise.all([
		Engine.create(),
		Engine.create(true),
		LoadedNodeTypes.load(),
		resources.use(Service.start()),
	]);
});
beforeEach(async () => {
	account = await OAuthAccount.connect(service, MINE);
});
afterEach(async () => {
	await account.door.close();
	await service.faults.reset();
});

const oAuth2 = { authentication: 'oAuth2' };
const USER = { resource: 'user', operation: 'get', userId: '' };
const send = (): INodeParameters => ({
	resource: 'token',
	operation: 'send',
	token: { __rl: true, mode: 'address', value: service.contracts.usd },
	recipient: service.user(OTHER).id,
	amount: '1',
});

async function run(parameters: INodeParameters, way = engine, items: IDataObject[] = [{}]) {
	return await way.run({
		parameters: { ...oAuth2, ...parameters },
		credential: account.credential,
		items,
		node: account.node,
	});
}

/** Has the service refuse the access token once, so that it is renewed. */
const endToken = async () =>
	await service.faults.add({
		kind: 'status-text',
		times: 1,
		params: { status: 401, body: 'Unauthorized' },
	});

describe.each([
	['in a workflow', () => engine],
	['as a tool that n8n routes', () => routing],
])('%s', (_where, way) => {
	test.each([
		['user', USER],
		['coin', { resource: 'balance', operation: 'native', userId: '' }],
		['history', { resource: 'history', operation: 'list', userId: ' ' }],
	])('an empty User ID gives the %s of who signed in', async (_what, parameters) => {
		const { items, error } = await run(parameters, way(), [{}, {}]);
		expect(error).toBeUndefined();
		const named = await engine.run({
			parameters: { ...parameters, userId: service.user(MINE).id },
			credential: service.credential(OTHER),
			items: [{}, {}],
		});
		expect(items).toEqual(named.items);
		expect(items.length).toBeGreaterThan(0);
	});
});

test('tokens are sent in the name of who signed in, and their balance is looked up', async () => {
	const { id } = service.user(MINE);
	const preview = await run({ ...send(), preview: true });
	expect(preview.items[0]?.json.summary).toMatch(`from ${id} to `);
	const tooMuch = await run({ ...send(), amount: '1000000000' });
	expect(tooMuch.error?.message).toMatch(`${id} has `);
	const { items } = await run(send());
	expect(items[0]?.json.userId).toBe(id);
	const transaction = await service.chain.getTransaction(String(items[0]?.json.hash));
	expect(transaction?.from).toBe(service.user(MINE).address);
});

test('an NFT leaves the wallet of who signed in', async () => {
	const tokenStandard = { tokenStandard: 'erc721', pieceId: '1', preview: true };
	const { items, error } = await run({ ...send(), ...tokenStandard, simplify: false });
	expect(error).toBeUndefined();
	expect(JSON.stringify(items[0]?.json)).toContain(service.user(MINE).address);
});

test('the trigger watches who signed in', async () => {
	const trigger = new Poller(nodeTypes, {
		parameters: { ...oAuth2, event: 'newTransfer', userIds: '' },
		credential: account.credential,
		mode: 'manual',
	});
	const [item] = (await trigger.poll()) ?? [];
	expect(item?.userId).toBe(service.user(MINE).id);
});

test('a User ID of the credential or of the node comes first', async () => {
	account.credential.userId = service.user(OTHER).id;
	expect((await run(USER)).items[0]?.json.id).toBe(service.user(OTHER).id);
	const { items } = await run({ ...USER, userId: service.user('Nelly').id });
	expect(items[0]?.json.id).toBe(service.user('Nelly').id);
});

test.each([true, false])('a renewal keeps the user, its ID token left out: %s', async (leftOut) => {
	account.door.leavesOutIdToken = leftOut;
	await endToken();
	// With the old token, and with the new one.
	for (const { items, error } of [await run(USER), await run(USER)]) {
		expect(error).toBeUndefined();
		expect(items[0]?.json.id).toBe(service.user(MINE).id);
	}
	expect(account.door.renewals).toBe(1);
});

test('another sign-in takes effect at once', async () => {
	await account.reconnect(service, OTHER);
	expect((await run(USER)).items[0]?.json.id).toBe(service.user(OTHER).id);
	const { items } = await run(send(), engine);
	expect(items[0]?.json.userId).toBe(service.user(OTHER).id);
});

test.each([
	['whose ID token is left over from somebody else', { scope: 'email offline_access' }],
	['of another client', { clientId: 'wallet-viewer' }],
])('a sign-in %s names nobody', async (_what, changes) => {
	await account.reconnect(service, OTHER, false);
	Object.assign(account.credential, changes);
	const { error } = await run(USER);
	expect(error?.message).toMatch(/No user is given/);
	expect(await service.faults.requests()).toEqual([]);
});

test('a write that was prepared for one account is not sent with another one', async () => {
	await service.faults.add({ kind: 'latency', params: { ms: 300 } });
	const sending = run(send());
	while ((await service.faults.requests()).length === 0) await Promise.resolve();
	await account.reconnect(service, OTHER);
	const { error } = await sending;
	expect(error?.message).toBe(
		`The credential was that of ${service.user(MINE).id} when the write was prepared, and is not any more`,
	);
	const posts = (await service.faults.requests()).filter(({ path }) => path.endsWith('/write'));
	expect(posts).toEqual([]);
});
