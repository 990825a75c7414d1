/** An endpoint that invents, changes or hides what became of a transaction: alone, it decides nothing. */
import axios from 'axios';
import { toQuantity, ZeroAddress } from 'ethers';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { freePort } from '../../tools/network/ports.mts';
import { inTests, Resources, useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { startEndpoint, type RpcRequest } from './support/endpoint.mts';
import { install } from './support/network-and-service.mts';
import { NEVER, startOrders } from './support/orders.mts';
import { changeSettings } from './support/settings.mts';

const STRANGER = `0x${'57'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;

/** What a receipt has beside its transaction and its block. */
const RECEIPT = {
	status: '0x1',
	from: ZeroAddress,
	to: ZeroAddress,
	contractAddress: null,
	logs: [],
	transactionIndex: '0x0',
	gasUsed: '0x1',
	cumulativeGasUsed: '0x1',
	logsBloom: '0x',
	effectiveGasPrice: '0x1',
	type: '0x2',
};

const shared = useResources();
const installed = inTests(beforeAll, async () => {
	const installation = await install(shared, 'sqlite', { blockSeconds: NEVER });
	const metricsPort = await freePort();
	await changeSettings(installation.service, { metricsPort });
	return { ...installation, metrics: `http://127.0.0.1:${metricsPort}/metrics` };
});

type Lie = (request: RpcRequest, truth: Record<string, unknown> | null) => unknown;

/** An endpoint that lies until it is told not to. */
async function startLiar(resources: Resources, lie: Lie) {
	const { network } = installed();
	const state = { isLying: true, rounds: 0 };
	const endpoint = await resources.use(
		startEndpoint(network.rpcUrl, (request) => {
			if (request.method === 'eth_blockNumber') state.rounds += 1;
			if (!state.isLying) return undefined;
			const truth = network.provider.send(request.method, request.params);
			return truth.then((answer) => ({ result: lie(request, answer) }));
		}),
	);
	/** Waits until the service has followed the chain for several rounds. */
	const untilAsked = async (): Promise<void> => {
		const before = state.rounds;
		await until(async () => state.rounds > before + 5);
	};
	return { state, untilAsked, url: endpoint.url };
}

/** Orders at a service whose first endpoint lies. */
async function ordersWith(resources: Resources, lie: Lie) {
	const { network, metrics } = installed();
	const { state, untilAsked, url } = await startLiar(resources, lie);
	const env = { RPC_URL: `${url},${network.rpcUrl}` };
	const orders = await startOrders(resources, installed(), env);
	/** What the service reports about a transaction that lies deep enough, as soon as it ended or is reported as disputed. */
	const lookAtEnd = async (hash?: string) => {
		await until(async () => {
			const { data } = await axios.get(metrics);
			if (/^wallet_service_disputed_writes_total [1-9]/m.test(data)) return true;
			return (await orders.look(hash)).final === true;
		});
		return await orders.look(hash);
	};
	const untilFinal = async (hash?: string): Promise<void> => {
		await until(async () => (await orders.look(hash)).final === true);
	};
	/** An invented receipt in the newest block. */
	const receiptInLatest = async () => {
		const block = await network.provider.send('eth_getBlockByNumber', ['latest', false]);
		return { ...RECEIPT, blockNumber: block.number, blockHash: block.hash };
	};
	return { ...orders, state, untilAsked, lookAtEnd, untilFinal, receiptInLatest };
}

test('a payment that took place is not reverted for good, nor is a transaction of others', async () => {
	await using resources = new Resources();
	const orders = await ordersWith(resources, ({ method }, truth) => {
		return method === 'eth_getTransactionReceipt' && truth ? { ...truth, status: '0x0' } : truth;
	});
	const { state, provider, order, look, mine, untilFinal } = orders;
	await provider.send('anvil_setBalance', [STRANGER, toQuantity(10n ** 18n)]);
	await provider.send('anvil_impersonateAccount', [STRANGER]);
	const sent = { from: STRANGER, to: ZeroAddress, value: '0x0' };
	const other = await provider.send('eth_sendTransaction', [sent]);
	const { hash } = await order(1);
	await mine();
	const note = expect.stringContaining('whether it succeeded');
	await until(async () => (await look(hash)).minedHash === hash);
	expect(await look(hash)).toMatchObject({ status: 'PENDING', final: false, note });
	await mine(70);
	expect(await look(hash)).toMatchObject({ status: 'PENDING', final: false, note });
	expect(await look(other)).toMatchObject({ status: 'PENDING', final: false, note });
	state.isLying = false;
	await untilFinal(hash);
	expect(await look(hash)).toMatchObject({ status: 'SUCCESS' });
	expect(await look(other)).toMatchObject({ status: 'SUCCESS', final: true });
});

test('a payment that is in no block is not done for good, and takes place when the lie ends', async () => {
	await using resources = new Resources();
	const invented: Record<string, unknown> = {};
	const orders = await ordersWith(resources, ({ method, params: [of] }, truth) => {
		if (!('status' in invented)) return truth;
		if (method === 'eth_getTransactionCount') return toQuantity(Number(truth) + 1);
		if (method === 'eth_getTransactionReceipt') return { ...invented, transactionHash: of };
		if (method !== 'eth_getBlockByNumber') return truth;
		return { ...truth, transactions: [hash] };
	});
	const { state, provider, address, order, look, mine, untilAsked, receiptInLatest } = orders;
	const { hash } = await order(2);
	// The chain takes it only again once the wallet can pay.
	const setBalance = async (balance: unknown) =>
		await provider.send('anvil_setBalance', [address, balance]);
	const balance = await provider.send('eth_getBalance', [address, 'latest']);
	await setBalance('0x0');
	await provider.send('anvil_dropTransaction', [hash]);
	await mine();
	Object.assign(invented, await receiptInLatest());
	await untilAsked();
	expect(await look(hash)).toMatchObject({ status: 'PENDING', final: false });
	await mine(70);
	await untilAsked();
	expect(await look(hash)).toMatchObject({ status: 'PENDING', final: false });
	expect(await orders.executions(2)).toBe(0);
	state.isLying = false;
	await setBalance(balance);
	await orders.untilExecuted(2);
	await mine(70);
	await orders.untilFinal(hash);
	expect(await look(hash)).toMatchObject({ status: 'SUCCESS' });
	expect(await orders.executions(2)).toBe(1);
});

test('a payment that took place is not cancelled for good', async () => {
	await using resources = new Resources();
	const invented: Record<string, unknown> = {};
	let more = 0;
	const orders = await ordersWith(resources, ({ method, params: [of] }, truth) => {
		if (method === 'eth_getTransactionCount') return toQuantity(Number(truth) + more);
		if (!('status' in invented)) return truth;
		if (method === 'eth_getTransactionReceipt')
			return invented.transactionHash === of ? invented : null;
		if (method !== 'eth_getBlockByNumber') return truth;
		return { ...truth, transactions: [invented.transactionHash] };
	});
	const { state, provider, order, look, mine, untilAsked, receiptInLatest } = orders;
	const { hash = '' } = await order(5);
	// Until the lie about the receipt, the service sends nothing again.
	more = 1;
	const said = await orders.service.run('wallet', 'cancel', hash);
	const [transactionHash] = /0x[0-9a-f]{64}/.exec(said) ?? [];
	await provider.send('anvil_dropTransaction', [transactionHash]);
	const [call] = await orders.attempts(5);
	await provider.send('eth_sendRawTransaction', [call?.serialized]);
	await mine();
	more = 0;
	Object.assign(invented, await receiptInLatest(), { transactionHash });
	await untilAsked();
	expect((await look(hash)).status).not.toBe('CANCELLED');
	await mine(70);
	await untilAsked();
	expect((await look(hash)).status).not.toBe('CANCELLED');
	state.isLying = false;
	await orders.untilFinal(hash);
	expect(await look(hash)).toMatchObject({ status: 'SUCCESS' });
});

test('a payment whose receipt is hidden is found at the other endpoint, and has one transaction', async () => {
	await using resources = new Resources();
	const orders = await ordersWith(resources, ({ method }, truth) =>
		method === 'eth_getTransactionReceipt' ? null : truth,
	);
	const { state, order, look, mine, lookAtEnd, untilFinal } = orders;
	const { hash } = await order(3);
	await mine();
	await until(async () => {
		await mine(5);
		return (await look(hash)).status !== 'PENDING';
	});
	expect(await lookAtEnd(hash)).toMatchObject({ status: 'SUCCESS', final: false });
	state.isLying = false;
	await untilFinal(hash);
	expect(await look(hash)).toMatchObject({ status: 'SUCCESS' });
	expect(await orders.attempts(3)).toHaveLength(1);
});

test.each([
	['eth_getTransactionReceipt', { ...RECEIPT, blockNumber: '0x7ffffff0', blockHash: HASH }],
	['eth_getTransactionByHash', { ...RECEIPT, blockNumber: '0x7ffffff0', blockHash: HASH }],
	['eth_getTransactionByHash', { ...RECEIPT, blockNumber: null, blockHash: null }],
])(
	'what only one endpoint shows by %s is not certain, and unknown without the lie',
	async (by, shown) => {
		await using resources = new Resources();
		const orders = await ordersWith(resources, ({ method, params: [hash] }, truth) =>
			method === by ? { ...shown, hash, transactionHash: hash, nonce: '0x0' } : truth,
		);
		const note = expect.stringContaining('certain');
		expect(await orders.look(HASH)).toMatchObject({ status: 'PENDING', final: false, note });
		orders.state.isLying = false;
		expect(await orders.look(HASH)).toMatchObject({ code: 'unknown_transaction' });
	},
);

test('nothing is final as long as a second endpoint that is configured was never reached', async () => {
	await using resources = new Resources();
	const { untilAsked, url } = await startLiar(resources, (_request, truth) => truth);
	const RPC_URL = `${url},http://127.0.0.1:${await freePort()}`;
	const { order, look, mine } = await startOrders(resources, installed(), { RPC_URL });
	const { hash } = await order(4);
	await mine(80);
	await until(async () => (await look(hash)).status === 'SUCCESS');
	await untilAsked();
	expect(await look(hash)).toMatchObject({ status: 'SUCCESS', final: false });
});

test('blocks that only one endpoint has make no block final', async () => {
	await using resources = new Resources();
	const { network } = installed();
	const head = await network.provider.getBlockNumber();
	const invented = (number: number) => ({ number: toQuantity(number), hash: HASH });
	const { url } = await startLiar(resources, ({ method, params: [of] }, truth) => {
		if (method === 'eth_blockNumber') return toQuantity(head + 1_000);
		if (method !== 'eth_getBlockByNumber') return truth;
		if (/^[a-z]/.test(String(of))) return invented(head + 1_000);
		return truth ?? invented(Number(of));
	});
	const endpoints = await Endpoints.connect([url, network.rpcUrl]);
	expect((await endpoints.newest()).block).toBe(head + 1_000);
	const final = (await network.provider.getBlock('finalized'))?.number ?? 0;
	expect(await endpoints.finalBlock(10)).toBe(BigInt(Math.min(head - 10, final)));
});
