/** An endpoint that reports more transactions of a wallet than there are: alone, it must close no wallet and end no write. */
import { toQuantity } from 'ethers';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { newWallets } from '../../service/src/store/users.mts';
import { startEndpoint } from './support/endpoint.mts';
import { NEVER, startOrders } from './support/orders.mts';
import { useInstallation } from './support/network-and-service.mts';

const installed = useInstallation('sqlite', NEVER);

/** Orders at a service with two endpoints, of which one adds to each number of transactions. */
async function ordersWithLiar(resources: Resources, isLiarFirst = true) {
	const { network, service } = installed();
	const state = { more: 0, asked: 0 };
	const liar = await resources.use(
		startEndpoint(network.rpcUrl, ({ method, params: [address, tag] }) => {
			if (method !== 'eth_getTransactionCount' || state.more === 0) return undefined;
			state.asked += 1;
			const count = network.provider.send(method, [address, tag]);
			return count.then((real) => ({ result: toQuantity(Number(real) + state.more) }));
		}),
	);
	const urls = isLiarFirst ? [liar.url, network.rpcUrl] : [network.rpcUrl, liar.url];
	const env = { RPC_URL: urls.join(',') };
	/** Numbers of the wallets that were not compared with the chain yet. */
	const uncompared = async (): Promise<number> => {
		const db = await openDatabase(service.database);
		const wallets = await newWallets(db);
		await db.destroy();
		return wallets.length;
	};
	return { state, uncompared, ...(await startOrders(resources, installed(), env)) };
}

test('a wallet stays open, signs nothing meanwhile, and has its own next nonce', async () => {
	await using resources = new Resources();
	const { state, order, service, untilExecuted } = await ordersWithLiar(resources);
	state.more = 1_000;
	await service.run('user', 'add', 'LOCAL-new');
	await until(async () => state.asked > 0);
	expect(await order(1)).toMatchObject({ code: 424 });
	expect(await service.run('wallet', 'list')).toMatch(/^(seed:\d .* next nonce 0 {2}open\n?)+$/);
	state.more = 0;
	expect(await order(1)).toMatchObject({ code: 200, status: 'SUCCESS' });
	await untilExecuted(1);
});

test('a new wallet takes no first nonce that only one endpoint reports, whichever is asked first', async () => {
	await using resources = new Resources();
	const { state, uncompared, service } = await ordersWithLiar(resources, false);
	await until(async () => (await uncompared()) === 0);
	state.more = 3;
	await service.run('user', 'add', 'LOCAL-second');
	await until(async () => state.asked > 1 || (await uncompared()) === 0);
	expect(await uncompared()).toBe(1);
	state.more = 0;
	await until(async () => (await uncompared()) === 0);
});

test('a wallet stays open if no endpoint repeats the number', async () => {
	await using resources = new Resources();
	const asked = new Map<unknown, number>();
	const { address, service } = await startOrders(
		resources,
		installed(),
		{},
		({ method, params: [wallet] }) => {
			if (method !== 'eth_getTransactionCount') return undefined;
			asked.set(wallet, (asked.get(wallet) ?? 0) + 1);
			return asked.get(wallet) === 1 ? { result: '0x999' } : { id: -1 };
		},
	);
	const isClosed = async () => (await service.run('wallet', 'list')).includes('closed');
	await until(async () => (asked.get(address) ?? 0) > 2 || (await isClosed()));
	expect(await isClosed()).toBe(false);
});

/** Orders at a service with two endpoints: one reports an invented number of transactions, the other none. */
async function ordersWithLiarAndMute(resources: Resources) {
	const { network } = installed();
	const state = { isLying: false };
	const start = async (answer: object) =>
		await resources.use(
			startEndpoint(network.rpcUrl, ({ method }) => {
				if (!state.isLying || method !== 'eth_getTransactionCount') return undefined;
				return answer;
			}),
		);
	const [liar, mute] = [await start({ result: '0x999' }), await start({ id: -1 })];
	const env = { RPC_URL: `${liar.url},${mute.url}` };
	return { state, ...(await startOrders(resources, installed(), env)) };
}

test('a wallet stays open if the other endpoint does not report the number', async () => {
	await using resources = new Resources();
	const { state, order, service } = await ordersWithLiarAndMute(resources);
	state.isLying = true;
	expect(await order(3)).toMatchObject({ code: 424 });
	expect(await service.run('wallet', 'list')).not.toContain('closed');
});

test('a write is confirmed while nobody else reports the number', async () => {
	await using resources = new Resources();
	const { state, order, look, mine } = await ordersWithLiarAndMute(resources);
	const { hash } = await order(4);
	state.isLying = true;
	await mine();
	await until(async () => (await look(hash)).status === 'SUCCESS');
});

test('a write that is in no block is not foreign', async () => {
	await using resources = new Resources();
	const { state, provider, order, look, mine, untilExecuted } = await ordersWithLiar(resources);
	const { hash } = await order(2);
	state.more = 1;
	await provider.send('anvil_dropTransaction', [hash]);
	await mine();
	await until(async () => state.asked > 3);
	await mine(70);
	const before = state.asked;
	const status = async () => (await look(hash)).status;
	await until(async () => state.asked > before + 20 || (await status()) !== 'PENDING');
	expect(await status()).toBe('PENDING');
	state.more = 0;
	await untilExecuted(2);
});
