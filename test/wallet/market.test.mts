/** What blocks ask for, as one or two endpoints report it, in the forms of many clients. */
import { toQuantity } from 'ethers';
import { readDataFee } from '../../service/src/rpc/data-fee.mts';
import { ChainUnavailable } from '../../service/src/rpc/failures.mts';
import { readMarket } from '../../service/src/rpc/market.mts';
import { networkOf, type Network } from '../../service/src/rpc/networks.mts';
import { Resources } from '../support/resources.mts';
import { blockWith, Refused, withAnswers, type Answers } from './support/answering.mts';

const neutral = networkOf(31_337);
const GWEI = 10n ** 9n;

const header = (baseFeePerGas?: unknown, gasLimit: unknown = '0x1c9c380') => ({
	eth_getBlockByNumber: blockWith({ baseFeePerGas, gasLimit }),
});
const history = (...rewards: bigint[]) => ({
	eth_feeHistory: () => ({
		reward: rewards.map((reward) => [toQuantity(reward)]),
		baseFeePerGas: [...rewards.map(() => toQuantity(90n)), toQuantity(100n)],
	}),
});
const proposal = (tip: bigint) => ({ eth_maxPriorityFeePerGas: () => toQuantity(tip) });
const at100 = header('0x64');

test.each<[string, Answers, Network, object]>([
	['the middle of the tips', history(9n, 1n, 5n), neutral, { tip: 5n, usual: 95n }],
	['the tips of blocks that are not empty', history(0n, 0n, 4n), neutral, { tip: 4n }],
	['the proposal if all are empty', { ...history(0n), ...proposal(7n) }, neutral, { tip: 7n }],
	['the proposal without a history', proposal(7n), neutral, { tip: 7n, usual: undefined }],
	['no tip where the node knows none', {}, neutral, { tip: 0n }],
	['no tip on a network that collects none', history(0n), networkOf(42_161), { tip: 0n }],
	['at least the minimum', history(1n), networkOf(137), { tip: 30n * GWEI }],
])('blocks ask for %s', async (_name, answers, network, asked) => {
	await using resources = new Resources();
	const endpoints = await withAnswers(resources, { ...at100, ...answers });
	expect(await readMarket(endpoints, network)).toMatchObject({ baseFee: 100n, ...asked });
});

test('without a base fee, or by the setting, there is one price, and at least the minimum', async () => {
	await using resources = new Resources();
	const price = { eth_gasPrice: () => toQuantity(12n) };
	const endpoints = await withAnswers(resources, { ...header(), ...price });
	const market = { baseFee: undefined, tip: 12n };
	expect(await readMarket(endpoints, neutral)).toMatchObject(market);
	expect(await readMarket(endpoints, networkOf(56))).toMatchObject({ tip: 50_000_000n });
	const newer = await withAnswers(resources, { ...at100, ...history(5n), ...price });
	const legacy: Network = { ...neutral, transactionType: 0 };
	expect(await readMarket(newer, legacy)).toMatchObject(market);
});

/** Forms of clients other than geth, with a public report of each. */
test.each<[source: string, Answers, object]>([
	['bnb-chain/bsc#3247, hemilabs/op-geth#33: a negative reward', reward([['-0x7'], ['0x5']]), {}],
	['evmos/ethermint#970: rewards are null', reward([[null], ['0x5'], [null]]), {}],
	['axonweb3/axon#1106: there is no reward', reward(null), { tip: 7n }],
	['hyperlane-xyz/hyperlane-monorepo#3428: empty lists', reward([[], [], ['0x5']]), {}],
	['a relay in JavaScript: not a number', reward([['0xNaN'], ['0x5']]), {}],
	['a JSON number instead of hexadecimal', reward([[5]]), {}],
	['foundry-rs/foundry#7084: no base fees', { eth_feeHistory: () => ({ reward: [['0x5']] }) }, {}],
	[
		'paradigmxyz/reth#1782: the oldest block is a hash',
		reward([['0x5']], { oldestBlock: `0x${'8'.repeat(64)}`, gasUsedRatio: [0.5, 0.5] }),
		{},
	],
	['alloy-rs/alloy#414: base fees of 0', reward([['0x5']], { baseFeePerGas: ['0x0', '0x0'] }), {}],
	[
		'ethereum-optimism/op-geth#542: an error',
		{ eth_feeHistory: refusing('json: unsupported value: NaN', -32603) },
		{ tip: 7n },
	],
	['MetaMask/metamask-extension#11905: no such method', {}, { tip: 7n }],
	[
		'matter-labs/zksync-era#13: no proposal either',
		{ eth_maxPriorityFeePerGas: refusing('Method not found', -32601) },
		{ tip: 0n },
	],
	['boundless-xyz/boundless#1909: only empty blocks', reward([['0x0'], ['0x0']]), { tip: 7n }],
	[
		'Zilliqa/zq2#1042: no base fee',
		{ ...header(), eth_gasPrice: () => '0x0c' },
		{ baseFee: undefined, tip: 12n },
	],
	[
		'hiero-ledger/hiero-json-rpc-relay#250: null instead',
		{ ...header(null), eth_gasPrice: () => 12 },
		{ baseFee: undefined, tip: 12n },
	],
	[
		'a base fee that cannot be read',
		{ ...header('0xNaN'), ...history(5n, 5n, 5n) },
		{ baseFee: 90n },
	],
	['a gas limit that cannot be read', { ...header('0x64', '0x'), ...history(5n) }, {}],
	['aurora-is-near/aurora-relayer#348: leading zeros', { ...header('0x0064'), ...history(5n) }, {}],
])('%s', async (_source, answers, asked) => {
	await using resources = new Resources();
	const endpoints = await withAnswers(resources, { ...at100, ...proposal(7n), ...answers });
	const market = { baseFee: 100n, tip: 5n, ...asked };
	expect(await readMarket(endpoints, neutral)).toMatchObject(market);
});

function reward(rewards: unknown, more: object = {}): Answers {
	return { eth_feeHistory: () => ({ reward: rewards, baseFeePerGas: ['0x64'], ...more }) };
}

function refusing(message: string, code: number) {
	return () => {
		throw new Refused(message, { code });
	};
}

const HUGE = 10n ** 15n;
const huge = toQuantity(HUGE);
const honest = { ...at100, ...history(5n, 5n), ...proposal(5n), eth_gasPrice: () => '0x69' };

test.each<[string, Answers]>([
	['the tips', { eth_feeHistory: () => ({ reward: [[huge]], baseFeePerGas: ['0x64'] }) }],
	['all of the history', { eth_feeHistory: () => ({ reward: [[huge]], baseFeePerGas: [huge] }) }],
	['the base fee', header(huge)],
	['no base fee', { ...header(), eth_gasPrice: () => huge }],
	['the proposal', { ...proposal(HUGE), eth_feeHistory: refusing('no', -32601) }],
	['all of it', { ...header(huge), ...history(HUGE), ...proposal(HUGE) }],
])('one endpoint of two that lies about %s changes no price', async (_name, lies) => {
	await using resources = new Resources();
	for (const each of [
		[honest, { ...honest, ...lies }],
		[{ ...honest, ...lies }, honest],
	]) {
		const endpoints = await withAnswers(resources, ...each);
		expect(await readMarket(endpoints, neutral)).toMatchObject({ baseFee: 100n, tip: 5n });
	}
});

test('of two prices without a base fee the lower one counts', async () => {
	await using resources = new Resources();
	const asks = (price: string) => ({ ...header(), eth_gasPrice: () => price });
	const endpoints = await withAnswers(resources, asks('0x7'), asks(huge));
	expect(await readMarket(endpoints, neutral)).toMatchObject({ tip: 7n });
});

test('a price that no endpoint reports is not made up', async () => {
	await using resources = new Resources();
	const endpoints = await withAnswers(resources, { ...header('0xNaN') });
	await expect(readMarket(endpoints, neutral)).rejects.toThrow(ChainUnavailable);
	const legacy = await withAnswers(resources, { ...header(), eth_gasPrice: () => '0xNaN' });
	await expect(readMarket(legacy, neutral)).rejects.toThrow(ChainUnavailable);
});

test.each([
	[10, '0x420000000000000000000000000000000000000F', 2, 10n],
	[534_352, '0x5300000000000000000000000000000000000002', 1, 5n],
	[42_220, '', 0, 0n],
	[1, '', 0, 0n],
])('on chain %s, %s knows the data fee by %s calls', async (chainId, oracle, count, fee) => {
	await using resources = new Resources();
	const calls: unknown[] = [];
	const call = ([asked]: unknown[]) => {
		calls.push(asked);
		return toQuantity(5n);
	};
	const endpoints = await withAnswers(resources, { eth_call: call });
	expect(await readDataFee(endpoints, networkOf(chainId), '0x1234', 21_000n)).toBe(fee);
	expect(calls).toEqual(Array(count).fill(expect.objectContaining({ to: oracle })));
});

test('of two data fees the higher one counts, and a contract that has none costs nothing', async () => {
	await using resources = new Resources();
	const fee = async (...answers: Answers[]) =>
		await readDataFee(await withAnswers(resources, ...answers), networkOf(534_352), '0x', 21_000n);
	const says = (result: string) => ({ eth_call: () => result });
	const reverts = {
		eth_call: () => {
			throw new Refused('execution reverted', { code: 3, data: '0x' });
		},
	};
	expect(await fee(says('0x05'), says('0x09'))).toBe(9n);
	expect(await fee(says('0x05'), reverts)).toBe(5n);
	expect(await fee(says('0x'), reverts)).toBe(0n);
});
