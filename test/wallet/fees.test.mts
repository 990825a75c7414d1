/** What transactions offer for gas: on chains with and without a base fee, in replacements, within the operator's limits. */
import { readFile, writeFile } from 'node:fs/promises';
import { toQuantity } from 'ethers';
import { homeOf } from '../../service/src/config/settings.mts';
import { Endpoints } from '../../service/src/rpc/endpoints.mts';
import { highestPrice, isBelow, offer, raise, readDataFee } from '../../service/src/rpc/fees.mts';
import { readMarket, type Fees, type Market } from '../../service/src/rpc/fees.mts';
import { networkOf, type Network } from '../../service/src/rpc/networks.mts';
import { startJsonServer } from '../../tools/network/json-server.mts';
import { LEDGER } from '../../tools/wallet/network.mts';
import { Resources } from '../support/resources.mts';
import { useInstallation } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';
import type { RpcRequest } from './support/endpoint.mts';

const NO_CAP = 10n ** 30n;
const neutral = networkOf(31_337);

/** Endpoints with these answers; all other methods are refused. */
async function withAnswers(
	resources: Resources,
	answers: Record<string, (params: unknown[]) => unknown>,
): Promise<Endpoints> {
	const known: typeof answers = {
		eth_chainId: () => '0x1',
		eth_blockNumber: () => '0x64',
		...answers,
	};
	const answer = ({ id, method, params }: RpcRequest) => {
		const found = Object.entries(known).find(([name]) => name === method)?.[1];
		if (found) return { jsonrpc: '2.0', id, result: found(params) };
		return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
	};
	const server = await startJsonServer((_path, body) => {
		const asked = body as RpcRequest | RpcRequest[];
		return Array.isArray(asked) ? asked.map(answer) : answer(asked);
	});
	await resources.use(Promise.resolve(server));
	return await Endpoints.connect([server.url]);
}

const blockWith = (baseFeePerGas?: bigint) => () => ({
	hash: '0x01',
	...(baseFeePerGas === undefined ? {} : { baseFeePerGas: toQuantity(baseFeePerGas) }),
});
const history = (...rewards: bigint[]) => ({
	eth_feeHistory: () => ({ reward: rewards.map((reward) => [toQuantity(reward)]) }),
});
const proposal = { eth_maxPriorityFeePerGas: () => toQuantity(7n) };

test.each<[string, Record<string, (params: unknown[]) => unknown>, Network, Market]>([
	['the middle of the tips', history(9n, 1n, 5n), neutral, { baseFee: 100n, tip: 5n }],
	[
		'the tips of blocks that are not empty',
		history(0n, 0n, 4n),
		neutral,
		{ baseFee: 100n, tip: 4n },
	],
	[
		'the proposal if all are empty',
		{ ...history(0n), ...proposal },
		neutral,
		{ baseFee: 100n, tip: 7n },
	],
	['the proposal without a history', proposal, neutral, { baseFee: 100n, tip: 7n }],
	['no tip where the node knows none', {}, neutral, { baseFee: 100n, tip: 0n }],
	[
		'no tip on a network that collects none',
		history(0n),
		networkOf(42_161),
		{ baseFee: 100n, tip: 0n },
	],
	['at least the minimum', history(1n), networkOf(137), { baseFee: 100n, tip: 30_000_000_000n }],
])('blocks ask for %s', async (_name, answers, network, market) => {
	await using resources = new Resources();
	const endpoints = await withAnswers(resources, {
		eth_getBlockByNumber: blockWith(100n),
		...answers,
	});
	expect(await readMarket(endpoints, network)).toEqual(market);
});

test('without a base fee, there is one price, and at least the minimum', async () => {
	await using resources = new Resources();
	const price = { eth_gasPrice: () => toQuantity(12n) };
	const endpoints = await withAnswers(resources, { eth_getBlockByNumber: blockWith(), ...price });
	const market = await readMarket(endpoints, neutral);
	expect(market).toEqual({ baseFee: undefined, tip: 12n });
	expect(offer(market, NO_CAP)).toEqual({ type: 0, gasPrice: 12n });
	expect(await readMarket(endpoints, networkOf(56))).toMatchObject({ tip: 50_000_000n });
});

const dynamic = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Fees => ({
	type: 2,
	maxFeePerGas,
	maxPriorityFeePerGas,
});
const legacy = (gasPrice: bigint): Fees => ({ type: 0, gasPrice });
const market = (baseFee: bigint | undefined, tip: bigint): Market => ({ baseFee, tip });

test.each<[Market, bigint, Fees]>([
	[market(100n, 3n), NO_CAP, dynamic(203n, 3n)],
	[market(100n, 3n), 150n, dynamic(150n, 3n)],
	[market(0n, 5n), NO_CAP, dynamic(5n, 5n)],
	[market(undefined, 5n), NO_CAP, legacy(5n)],
])('for %j up to %s it offers %j', (asked, cap, fees) => {
	expect(offer(asked, cap)).toEqual(fees);
});

test.each<[Fees, Market, boolean]>([
	[dynamic(203n, 3n), market(100n, 3n), false],
	[dynamic(203n, 3n), market(200n, 3n), false],
	[dynamic(203n, 3n), market(201n, 3n), true],
	[dynamic(203n, 3n), market(100n, 4n), true],
	[legacy(12n), market(undefined, 12n), false],
	[legacy(12n), market(undefined, 13n), true],
	[legacy(12n), market(10n, 3n), true],
])('whether %j is below %j: %s', (fees, asked, isSo) => {
	expect(isBelow(fees, asked)).toBe(isSo);
});

test.each<[Fees, Market, bigint, Fees | undefined]>([
	// By 15 % at least, rounded up.
	[dynamic(203n, 3n), market(100n, 3n), NO_CAP, dynamic(234n, 4n)],
	[dynamic(203n, 3n), market(1_000n, 9n), NO_CAP, dynamic(2_009n, 9n)],
	// Not above the cap; and not at all if nodes would refuse what the cap leaves.
	[dynamic(203n, 3n), market(1_000n, 9n), 1_015n, dynamic(1_015n, 9n)],
	[dynamic(203n, 3n), market(1_000n, 9n), 233n, undefined],
	[dynamic(203n, 0n), market(100n, 0n), NO_CAP, dynamic(234n, 1n)],
	[dynamic(10n, 10n), market(0n, 500n), 50n, dynamic(50n, 50n)],
	[legacy(100n), market(undefined, 90n), NO_CAP, legacy(115n)],
	[legacy(100n), market(undefined, 300n), 200n, legacy(200n)],
])('%j in a market of %j, up to %s, is replaced by %j', (old, asked, cap, fees) => {
	expect(raise(old, asked, cap)).toEqual(fees);
});

test('the limit for the cost is a limit for the price, after the data fee', () => {
	expect(highestPrice({ price: NO_CAP, cost: 1_000n }, 10n)).toBe(100n);
	expect(highestPrice({ price: 7n, cost: 1_000n }, 10n)).toBe(7n);
	expect(highestPrice({ price: NO_CAP, cost: 1_000n }, 10n, 500n)).toBe(50n);
	expect(highestPrice({ price: NO_CAP, cost: 1_000n }, 10n, 2_000n)).toBe(0n);
});

test.each([
	[10, '0x420000000000000000000000000000000000000F', 2, 10n],
	[534_352, '0x5300000000000000000000000000000000000002', 1, 5n],
	[42_220, '', 0, 0n],
	[1, '', 0, 0n],
])('on chain %s, %s knows the data fee by %s calls', async (chainId, oracle, count, fee) => {
	await using resources = new Resources();
	const calls: unknown[] = [];
	const endpoints = await withAnswers(resources, {
		eth_getBlockByNumber: blockWith(1n),
		eth_call: ([call]) => {
			calls.push(call);
			return toQuantity(5n);
		},
	});
	expect(await readDataFee(endpoints, networkOf(chainId), '0x1234', 21_000n)).toBe(fee);
	expect(calls).toEqual(Array(count).fill(expect.objectContaining({ to: oracle })));
});

describe('the limits of the operator', () => {
	const installed = useInstallation('sqlite');

	test.each([
		['maxGasPrice', '0.5'],
		['maxGasCost', '0.00000001'],
	])('%s of %s refuses before anything is signed', async (name, value) => {
		const { network, service, payers } = installed();
		const [payer] = payers;
		if (!payer) throw new Error('There is no user');
		const { config } = homeOf(service.environment);
		const before = await readFile(config, 'utf8');
		await writeFile(config, JSON.stringify({ ...JSON.parse(before), [name]: value }));
		await using resources = new Resources();
		const running = await resources.use(service.start());
		const refused = await pay(service.url, payer, name, payloadOf(name.length), 30_000);
		expect(refused).toMatchObject({
			code: 424,
			error: expect.stringMatching(/^A unit of gas costs/),
		});
		expect(refused).not.toHaveProperty('hash');
		await running.kill();
		await writeFile(config, before);
		await resources.use(service.start());
		const told = await pay(service.url, payer, name, payloadOf(name.length), 30_000);
		expect(told).toMatchObject({ code: 200, status: 'SUCCESS' });
		expect(await network.provider.getStorage(LEDGER, payloadOf(name.length))).toMatch(/01$/);
	});
});
