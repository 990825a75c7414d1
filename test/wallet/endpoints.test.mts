/** Endpoints that hang, refuse transactions or are gone, and what a caller is told meanwhile. */
import axios, { type AxiosInstance } from 'axios';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { inTests, useResources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import type { RunningService } from '../../tools/wallet/installed-service.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import { startEndpoint, type RpcRequest } from './support/endpoint.mts';
import { install } from './support/network-and-service.mts';
import { payloadOf } from './support/payment.mts';

const SERVING = 'test/wallet/support/serving.mts';
/** Waiting for the whole time limit would show nothing more. */
const QUICK = { ANSWER_MS: '5000' };

const resources = useResources();
const installed = inTests(beforeAll, async () => await install(resources, 'sqlite'));
/** Decides what an endpoint answers; undefined passes the request on. */
let treat: (request: RpcRequest, endpoint: number) => object | Promise<object> | undefined;
let client: AxiosInstance;
let running: RunningService;

const refusal = { error: { code: -32000, message: 'transaction underpriced' } };
const forever = new Promise<object>(() => undefined);

beforeAll(async () => {
	const { network, service, payers } = installed();
	treat = () => undefined;
	const endpoints = await Promise.all(
		[0, 1].map(async (number) => {
			return await resources.use(
				startEndpoint(network.rpcUrl, (request) => treat(request, number)),
			);
		}),
	);
	service.environment.RPC_URL = endpoints.map(({ url }) => url).join(',');
	running = await resources.use(service.start(SERVING, QUICK));
	client = axios.create({
		baseURL: `${service.url}/v1/writes`,
		headers: { authorization: `Bearer ${payers[0]?.token}` },
		validateStatus: () => true,
	});
	// A wallet signs nothing before both endpoints have reported its transactions.
	await until(async () => (await write(0)).data.status === 'SUCCESS');
});
afterEach(() => {
	treat = () => undefined;
});

const write = async (number: number) =>
	await client.put(`/${number}`, {
		address: LEDGER,
		abi: 'pay(bytes32)',
		args: [payloadOf(number)],
	});
const executions = async (number: number) =>
	await installed().network.executions(payloadOf(number));

test('one endpoint that does not answer changes nothing', async () => {
	treat = (_request, endpoint) => (endpoint === 0 ? { result: null, id: -1 } : undefined);
	expect(await write(1)).toMatchObject({ status: 200, data: { status: 'SUCCESS' } });
	await until(async () => (await executions(1)) === 1);
});

describe.each([
	'eth_estimateGas',
	'eth_getBalance',
	'eth_getTransactionCount',
	'eth_feeHistory',
	'eth_getTransactionReceipt',
])('answers to %s that cannot be read', (garbled) => {
	const garble = (request: RpcRequest) =>
		request.method === garbled ? { result: { status: 'soon' } } : undefined;
	let next = 100 + garbled.length * 10;

	test('of one endpoint change nothing', async () => {
		const number = next++;
		treat = (request, endpoint) => (endpoint === 0 ? garble(request) : undefined);
		expect(await write(number)).toMatchObject({ status: 200, data: { status: 'SUCCESS' } });
		await until(async () => (await executions(number)) === 1);
	});

	test('of every endpoint are no failure of the service', async () => {
		treat = garble;
		const number = next++;
		const ofOthers = `../transactions/0x${'ab'.repeat(32)}`;
		for (const { status, data } of [await write(number), await client.get(ofOthers)]) {
			expect([200, 404, 424]).toContain(status);
			if (status === 424) expect(data).toMatchObject({ code: 'chain_unavailable' });
		}
		treat = () => undefined;
		expect((await write(number)).data.status).toBe('SUCCESS');
		await until(async () => (await executions(number)) === 1);
	});
});

test.each(['eth_getCode', 'eth_getBalance', 'eth_getBlockByNumber'])(
	'where every endpoint refuses %s, as above its rate limit, nothing is signed',
	async (method) => {
		const error = { code: -32005, message: 'daily request count exceeded' };
		treat = (request) => (request.method === method ? { error } : undefined);
		const refused = { status: 424, data: { code: 'chain_unavailable' } };
		expect(await write(200)).toMatchObject(refused);
		expect((await client.get('/200')).status).toBe(404);
	},
);

test('without an endpoint nothing is signed, and the key stays free', async () => {
	treat = () => ({ id: -1 });
	const refused = await write(2);
	expect(refused).toMatchObject({ status: 424, data: { code: 'chain_unavailable' } });
	expect(JSON.stringify(refused.data)).not.toMatch(/0x[0-9a-f]{64}/);
	treat = () => undefined;
	expect((await client.get('/2')).status).toBe(404);
	expect((await write(2)).data.status).toBe('SUCCESS');
});

test('a transaction that no endpoint takes is pending with its hash, survives a kill, and takes place once', async () => {
	treat = ({ method }) => (method === 'eth_sendRawTransaction' ? refusal : undefined);
	const pending = await write(3);
	expect(pending).toMatchObject({ status: 202, data: { status: 'PENDING' } });
	expect(await executions(3)).toBe(0);
	await running.kill();
	treat = () => undefined;
	running = await resources.use(installed().service.start(SERVING, QUICK));
	// The loops send it, without any request.
	await until(async () => (await executions(3)) === 1);
	const { data } = await write(3);
	expect(data).toMatchObject({ status: 'SUCCESS', hash: pending.data.hash });
	expect(await executions(3)).toBe(1);
});

test('a request that hangs does not hold up other writes of the wallet', async () => {
	treat = ({ method, params }) => {
		const isHanging =
			method === 'eth_estimateGas' && JSON.stringify(params).includes(payloadOf(4).slice(2));
		return isHanging ? forever : undefined;
	};
	const hanging = write(4);
	const answered = await Promise.all([5, 6, 7].map(write));
	expect(answered.map(({ data }) => data.status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
	expect(await hanging).toMatchObject({ status: 424 });
});

test('a transaction that was taken although the endpoints refused it is known by its hash', async () => {
	const { network } = installed();
	treat = ({ method, params }) => {
		if (method !== 'eth_sendRawTransaction') return undefined;
		return axios
			.post(network.rpcUrl, { jsonrpc: '2.0', id: 1, method, params })
			.then(() => refusal);
	};
	expect(await write(8)).toMatchObject({ status: 200, data: { status: 'SUCCESS' } });
	await until(async () => (await executions(8)) === 1);
});

test('a transaction of the wallet that was signed elsewhere closes it', async () => {
	const { network, service, payers } = installed();
	const [{ address = '' } = {}] = payers;
	const next = (await network.provider.getTransactionCount(address)) + 1;
	await network.provider.send('anvil_setNonce', [address, `0x${next.toString(16)}`]);
	await running.kill();
	running = await resources.use(service.start(SERVING, QUICK));
	expect(await write(9)).toMatchObject({ status: 403, data: { code: 'wallet_closed' } });
	expect(await service.run('wallet', 'list')).toMatch(/closed +The chain has \d+ transactions/);
	// A repeat of an earlier write is still a look-up.
	expect((await write(1)).data.status).toBe('SUCCESS');
});

test('an endpoint that has not answered for ten minutes need not agree', async () => {
	const { network } = installed();
	let isSilent = false;
	const { url } = await resources.use(
		startEndpoint(network.rpcUrl, () => (isSilent ? { id: -1 } : undefined)),
	);
	const endpoints = await Endpoints.connect([network.rpcUrl, url], { limitMs: 2_000 });
	expect(endpoints.quorum).toBe(2);
	isSilent = true;
	await endpoints.poll();
	expect(endpoints.quorum).toBe(2);
	const now = performance.now();
	const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 600_000);
	await endpoints.poll();
	expect(endpoints.quorum).toBe(1);
	isSilent = false;
	await endpoints.poll();
	expect(endpoints.quorum).toBe(2);
	clock.mockRestore();
});
