/** The history that a running service lists: at once, never shorter than it is, and never with wrong amounts. */
import axios, { type AxiosInstance } from 'axios';
import { toQuantity } from 'ethers';
import type { RunningService } from '../../tools/wallet/installed-service.mts';
import { inTests, useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { startEndpoint, type RpcRequest } from './support/endpoint.mts';
import { walletAt } from './support/indexed.mts';
import { DATABASES, install } from './support/network-and-service.mts';
import { NEVER } from './support/orders.mts';
import { LOGGER, logOf, TransferChain } from './support/transfer-chain.mts';

const STRANGER = walletAt(1);
const refusal = { error: { code: -32005, message: 'too many requests' } };

describe.each(DATABASES)('on %s', (database) => {
	const resources = useResources();
	const installed = inTests(beforeAll, async () => {
		return await install(resources, database, { blockSeconds: NEVER });
	});
	/** Calls that the endpoint is answering, and most of them at a time. */
	const calls = { now: 0, most: 0 };
	/** Methods that the endpoint refuses. */
	const refused = new Set<string>();
	const refuseLogs = () =>
		['eth_getLogs', 'eth_getBlockReceipts'].forEach((method) => refused.add(method));
	const refuseBlocks = () => {
		refuseLogs();
		refused.add('eth_getTransactionReceipt');
	};
	let chain: TransferChain;
	let client: AxiosInstance;
	let address = '';
	let url = '';
	let running: RunningService;

	beforeAll(async () => {
		const { network, service, payers } = installed();
		chain = new TransferChain(network.rpcUrl);
		await resources.use({ [Symbol.asyncDispose]: async () => chain.provider.destroy() });
		await chain.prepare();
		const treat = async ({ method, params }: RpcRequest) => {
			if (refused.has(method)) return refusal;
			if (method !== 'eth_call') return undefined;
			calls.now += 1;
			calls.most = Math.max(calls.most, calls.now);
			const { data } = await axios.post(network.rpcUrl, { jsonrpc: '2.0', id: 1, method, params });
			calls.now -= 1;
			return { result: data.result, error: data.error };
		};
		({ url } = await resources.use(startEndpoint(network.rpcUrl, treat)));
		// A block without transactions is known to have no transfers.
		const { provider } = chain;
		await provider.send('anvil_setBalance', [STRANGER, toQuantity(10n ** 18n)]);
		await provider.send('anvil_impersonateAccount', [STRANGER]);
		await provider.send('eth_sendTransaction', [{ from: STRANGER, to: STRANGER, value: '0x1' }]);
		await chain.mine();
		refuseBlocks();
		running = await resources.use(service.start(undefined, { RPC_URL: url }));
		const [payer] = payers;
		if (!payer) throw new Error('There is no user');
		({ address } = payer);
		client = axios.create({
			baseURL: `${service.url}/v1`,
			headers: { authorization: `Bearer ${payer.token}` },
			validateStatus: () => true,
		});
	});
	afterEach(() => {
		refused.clear();
	});

	const history = async () => await client.get('/users/LOCAL-0/history');
	const hashes = async (): Promise<string[]> =>
		[(await history()).data].flat().map(({ hash }) => hash);

	/** Has the service send a transaction that logs a transfer of its wallet. */
	async function order(key: string): Promise<string> {
		const [topics, data] = logOf({ from: address, to: STRANGER, amounts: [5n] });
		const args = [JSON.stringify(topics), data];
		const body = { address: LOGGER, abi: 'log(bytes32[],bytes)', args };
		const { status, data: answer } = await client.put(`/writes/${key}`, body);
		expect({ status, answer }).toMatchObject({ status: 200, answer: { status: 'SUCCESS' } });
		return answer.hash;
	}

	test('a history that could be shorter than it is is not answered', async () => {
		const { status, data } = await history();
		expect({ status, data }).toMatchObject({ status: 503, data: { code: 'history_not_read' } });
		refused.clear();
		await until(async () => (await history()).status === 200);
		expect((await history()).data).toEqual([]);
	});

	test("the service's own transfers are listed with their receipt, and leave with it", async () => {
		refuseLogs();
		const hash = await order('first');
		await chain.mine();
		await until(async () => (await hashes()).includes(hash));
		await chain.reorganise(1);
		await until(async () => !(await hashes()).includes(hash));
		await until(async () => {
			await chain.mine();
			return (await hashes()).includes(hash);
		});
		refused.clear();
		await chain.mine(100);
		expect((await hashes()).filter((one) => one === hash)).toHaveLength(1);
	});

	test('after a pause, a history without the transfers of that time is not answered', async () => {
		await running.kill();
		const hash = await chain.log({ from: STRANGER, to: address, amounts: [3n] });
		await chain.mine();
		refuseBlocks();
		running = await resources.use(installed().service.start(undefined, { RPC_URL: url }));
		expect(await history()).toMatchObject({ status: 503, data: { code: 'history_not_read' } });
		refused.clear();
		await until(async () => (await history()).status === 200);
		expect(await hashes()).toContain(hash);
	});

	test('an endpoint that refuses calls does not change the amount of a token', async () => {
		const token = walletAt(2_000);
		await chain.deploy(token, 6);
		const hash = await chain.log({ from: STRANGER, to: address, amounts: [2_500_000n], token });
		await chain.mine();
		refused.add('eth_call');
		await until(async () => (await history()).status !== 200);
		refused.clear();
		await until(async () => (await hashes()).includes(hash));
		const [entry] = (await history()).data;
		expect(entry).toMatchObject({ hash, amount: { decimals: 6, formatted: 2.5 } });
	});

	test('few contracts of strangers are read together: they return as much as they like', async () => {
		const tokens = Array.from({ length: 30 }, (_unused, number) => walletAt(3_000 + number));
		refused.clear();
		let last = '';
		for (const token of tokens) {
			await chain.deploy(token, 2);
			last = await chain.log({ from: STRANGER, to: address, amounts: [100n], token });
		}
		await chain.mine();
		calls.most = 0;
		await until(async () => (await hashes())[0] === last);
		expect((await history()).data.slice(0, tokens.length)).toEqual(
			tokens.map(() =>
				expect.objectContaining({ amount: expect.objectContaining({ formatted: 1 }) }),
			),
		);
		// Name, symbol and decimals of five.
		expect(calls.most).toBeLessThanOrEqual(15);
	});
});
