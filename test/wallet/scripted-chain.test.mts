/** The scripted chain itself: the real service works over it, and each of its answers can be replaced. */
import { JsonRpcProvider, Wallet } from 'ethers';
import { RpcClient } from '../../service/src/rpc/client.mts';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { ScriptedChain } from './support/scripted-chain.mts';
import { ScriptedEndpoint } from './support/scripted-endpoint.mts';
import { installScripted, TOKEN } from './support/scripted-service.mts';

const STRANGER = `0x${'57'.repeat(32)}`;
const BERT = `0x${'be'.repeat(20)}`;
const DEPTH = 3;

async function endpointOf(own: Resources, chain: ScriptedChain) {
	const endpoint = await own.use(ScriptedEndpoint.start(chain));
	const provider = new JsonRpcProvider(endpoint.url, undefined, { cacheTimeout: -1 });
	await own.use({ [Symbol.asyncDispose]: async () => provider.destroy() });
	return { endpoint, provider };
}

test('a payment is submitted, mined, final, and in the history', async () => {
	await using own = new Resources();
	const scripted = await installScripted(own, { depth: DEPTH });
	const { chain, get, put } = scripted;
	await scripted.start();
	const body = { address: TOKEN, abi: 'transfer(address,uint256)', args: [BERT, '2500000'] };
	const { status, data } = await put('order 1', body);
	expect({ status, data }).toMatchObject({ status: 200, data: { status: 'SUCCESS' } });
	chain.mine();
	const [{ one } = { one: undefined }] = chain.history();
	const look = async () => await get(`/transactions/${one?.hash}`);
	await until(async () => JSON.stringify((await look()).data).includes('"SUCCESS"'));
	chain.mine(DEPTH);
	await until(async () => JSON.stringify((await look()).data).includes('"final":true'));
	await scripted.run().history.catchUp();
	const history = await get('/users/LOCAL-0/history');
	expect(history.data).toMatchObject([{ amount: { formatted: 2.5, symbol: 'USDX' } }]);
	const balance = await get(`/users/LOCAL-0/balance/${TOKEN}`);
	expect(balance.data).toMatchObject({ [TOKEN]: { formatted: '997.5' } });
	expect((await get('/users/LOCAL-0/balance')).status).toBe(200);
	expect(scripted.run().log).toEqual([]);
});

test('blocks, transactions and receipts are those that a client reads, and signatures are whole', async () => {
	await using own = new Resources();
	const chain = new ScriptedChain();
	const { provider } = await endpointOf(own, chain);
	const hash = chain.signElsewhere(STRANGER, { to: BERT, value: 7n });
	expect((await provider.getTransaction(hash))?.blockNumber).toBeNull();
	chain.mine(2);
	const block = await provider.getBlock(chain.head - 1, true);
	const [transaction] = block?.prefetchedTransactions ?? [];
	const from = new Wallet(STRANGER).address;
	expect(transaction).toMatchObject({ hash, from, nonce: 0, value: 7n });
	expect(block?.parentHash).toBe(chain.blocks[chain.head - 2]?.hash);
	expect(await provider.getTransactionReceipt(hash)).toMatchObject({ status: 1, from });
	expect(await provider.getTransactionCount(from, chain.head - 2)).toBe(0);
	expect(await provider.getTransactionCount(from)).toBe(1);
	expect(await provider.getBalance(BERT)).toBe(7n);
});

test('a reorganisation returns transactions to the pool, and an eviction forgets one', async () => {
	await using own = new Resources();
	const chain = new ScriptedChain();
	const { provider } = await endpointOf(own, chain);
	const hash = chain.signElsewhere(STRANGER);
	chain.mine(3);
	const before = chain.blocks.map((block) => block.hash);
	chain.reorganise(3);
	expect(chain.head).toBe(before.length);
	expect(chain.blocks.at(-5)?.hash).toBe(before.at(-4));
	expect(chain.blocks.at(-4)?.hash).not.toBe(before.at(-3));
	expect(await provider.getTransactionReceipt(hash)).toBeNull();
	expect([...chain.pool.keys()]).toEqual([hash]);
	chain.evict(hash);
	chain.mine();
	expect(await provider.getTransaction(hash)).toBeNull();
});

test('an endpoint lies until it becomes honest, lags, and is dead, while another one is not', async () => {
	await using own = new Resources();
	const chain = new ScriptedChain();
	const endpoints = [await endpointOf(own, chain), await endpointOf(own, chain)];
	const [one, other] = endpoints.map(({ endpoint }) => endpoint);
	if (!one || !other) throw new Error('There are two');
	const balanceAt = async ({ url }: ScriptedEndpoint) =>
		await new RpcClient(url, 2_000).call('eth_getBalance', [BERT, 'latest']);
	one.lie('eth_getBalance', () => ({ error: { code: -32005, message: 'slow down' } }));
	await expect(balanceAt(one)).rejects.toThrow('slow down');
	expect(await balanceAt(other)).toBe('0x0');
	one.lieByHttp(() => ({ status: 503, body: '<h1>Busy</h1>', contentType: 'text/html' }));
	await expect(balanceAt(one)).rejects.toThrow('not answer in JSON');
	one.becomeHonest();
	expect(await balanceAt(one)).toBe('0x0');
	one.lag = 5;
	const [first] = endpoints;
	expect(await first?.provider.getBlockNumber()).toBe(chain.head - 5);
	expect(await first?.provider.getBlock(chain.head)).toBeNull();
	other.isDead = true;
	await expect(balanceAt(other)).rejects.toThrow('does not answer');
});
