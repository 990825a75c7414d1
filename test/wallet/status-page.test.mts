/** The status page: who may see it, what it shows, and that strangers' words stay words. */
import axios from 'axios';
import { openDatabase } from '../../service/src/store/open.mts';
import { inTests, useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { install } from './support/network-and-service.mts';

/** Numbers of writes that `status` and the page list. */
const LISTED = { status: 5, page: 20 };

const HOSTILE = '"><script>alert(1)</script>';

const resources = useResources();
const started = inTests(beforeAll, async () => {
	const { service, payers, network } = await install(resources, 'sqlite', { payers: 2 });
	const operator = await service.run('token', 'create', 'LOCAL-0', '--scope', 'operator');
	await resources.use(service.start());
	const client = axios.create({ baseURL: service.url, validateStatus: () => true });
	return {
		client,
		service,
		payers,
		network,
		operator,
		open: async (password: string) =>
			await client.get('/', { auth: { username: 'anna', password } }),
	};
});

test('only the token of an operator opens it, and it opens nothing else', async () => {
	const { client, open, operator, payers } = started();
	const refused = await client.get('/');
	expect(refused.status).toBe(401);
	expect(refused.headers['www-authenticate']).toMatch(/^Basic realm=/);
	expect(refused.data).not.toContain(payers[0]?.address);
	for (const password of ['', 'wrong', payers[0]?.token ?? '']) {
		expect((await open(password)).status).toBe(401);
	}
	const bearer = { headers: { authorization: `Bearer ${operator}` } };
	expect((await client.get('/', bearer)).status).toBe(401);
	expect((await client.get('/v1/users/LOCAL-0', bearer)).status).toBe(403);
	expect((await open(operator)).status).toBe(200);
});

test('it shows the network, wallets and what to do about a closed one, without secrets', async () => {
	const { open, operator, payers, service, network } = started();
	const db = await openDatabase(service.database);
	await db
		.updateTable('wallets')
		.set({ state: 'closed', closed_reason: HOSTILE })
		.where('id', '=', 1)
		.execute();
	await db.destroy();
	await until(async () => (await open(operator)).data.includes('Closed wallets'));
	const { data, headers } = await open(operator);
	for (const text of [
		'chain-31337',
		'wallet reconcile',
		'1000.0 ETH',
		new URL(network.rpcUrl).host,
	]) {
		expect(data).toContain(text);
	}
	for (const { address, key, token } of payers) {
		expect(data).toContain(address);
		expect(data).not.toContain(key.slice(2));
		expect(data).not.toContain(token);
	}
	expect(data).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
	expect(data).not.toContain('<script');
	expect(headers).toMatchObject({
		'cache-control': 'no-store',
		'content-security-policy': expect.stringMatching(/^default-src 'none';style-src 'sha256-/),
		'x-frame-options': 'SAMEORIGIN',
		'referrer-policy': 'no-referrer',
	});
});

test('writes that are not listed are counted', async () => {
	const { open, operator, service } = started();
	const db = await openDatabase(service.database);
	const user = { user_id: 'LOCAL-0', wallet_id: 0, token_id: null };
	for (let nonce = 0; nonce <= LISTED.page; nonce++) {
		const call = { fingerprint: 'x', to_address: '', data: '0x', value: '0', cost: '0' };
		const place = { mined_hash: null, block_number: null, block_hash: null, status: null };
		const end = { revert_reason: null, final_at: null, created_at: new Date().toISOString() };
		const row = { id: `${nonce}`, key: `order ${nonce}`, nonce, state: 'accepted' as const };
		await db
			.insertInto('writes')
			.values({ ...user, ...call, ...place, ...end, ...row })
			.execute();
	}
	await db.destroy();
	await until(async () => (await open(operator)).data.includes('and 1 more'));
	expect(await service.run('status')).toMatch(/LOCAL-0 order 4\n +and 16 more$/m);
});
