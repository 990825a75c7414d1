/** Which fees are signed: on chains with and without a base fee, in replacements, within the limits for gas. */
import {
	decideFees,
	GasTooExpensive,
	isBelow,
	type Fees,
	type GasCaps,
	type Market,
} from '../../service/src/rpc/fees.mts';
import { gasCapsIn, networkFor } from '../../service/src/identity.mts';
import { coinOf, networkOf } from '../../service/src/rpc/networks.mts';

const FREE: GasCaps = { price: undefined, cost: 10n ** 30n };
const GAS = { gasLimit: 1n, dataFee: 0n };

const dynamic = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Fees => ({
	type: 2,
	maxFeePerGas,
	maxPriorityFeePerGas,
});
const legacy = (gasPrice: bigint): Fees => ({ type: 0, gasPrice });
const market = (baseFee: bigint | undefined, tip: bigint, usual?: bigint): Market => ({
	baseFee,
	tip,
	usual,
});
const upTo = (price: bigint): GasCaps => ({ ...FREE, price });

test.each<[Market, GasCaps, Fees]>([
	[market(100n, 3n), FREE, dynamic(203n, 3n)],
	[market(100n, 3n), upTo(150n), dynamic(150n, 3n)],
	[market(100n, 3n), upTo(103n), dynamic(103n, 3n)],
	[market(0n, 5n), FREE, dynamic(5n, 5n)],
	[market(undefined, 5n), FREE, legacy(5n)],
	// Ten times what the latest blocks were paid.
	[market(1_000n, 30n, 103n), FREE, dynamic(2_030n, 30n)],
])('for %j, %j allows %j', (asked, caps, fees) => {
	expect(decideFees(asked, caps, GAS)).toEqual(fees);
});

test.each<[Fees, Market, boolean]>([
	[dynamic(203n, 3n), market(100n, 3n), false],
	[dynamic(203n, 3n), market(200n, 3n), false],
	[dynamic(203n, 3n), market(201n, 3n), true],
	[dynamic(203n, 3n), market(100n, 4n), true],
	[legacy(12n), market(undefined, 12n), false],
	[legacy(12n), market(undefined, 13n), true],
	[legacy(12n), market(10n, 3n), true],
	// Since then the operator has found out that the network does not know the type.
	[dynamic(203n, 3n), market(undefined, 3n), true],
])('whether %j is below %j: %s', (fees, asked, isSo) => {
	expect(isBelow(fees, asked)).toBe(isSo);
});

test.each<[Fees, Market, GasCaps, Fees]>([
	// By 15 % at least, rounded up.
	[dynamic(203n, 3n), market(100n, 3n), FREE, dynamic(234n, 4n)],
	[dynamic(203n, 3n), market(1_000n, 9n), FREE, dynamic(2_009n, 9n)],
	[dynamic(203n, 3n), market(1_000n, 9n), upTo(1_015n), dynamic(1_015n, 9n)],
	[dynamic(203n, 0n), market(100n, 0n), FREE, dynamic(234n, 1n)],
	[legacy(100n), market(undefined, 90n), FREE, legacy(115n)],
	[legacy(100n), market(undefined, 300n), FREE, legacy(300n)],
	[dynamic(100n, 5n), market(undefined, 90n), FREE, legacy(115n)],
	// A lie made the first price nearly nothing; how often it is raised does not matter.
	[dynamic(14n, 0n), market(1_000_000n, 9n, 1_000_009n), FREE, dynamic(2_000_009n, 9n)],
])('%j in a market of %j, with %j, is replaced by %j', (old, asked, caps, fees) => {
	expect(decideFees(asked, caps, GAS, old)).toEqual(fees);
});

const GWEI = 10n ** 9n;
const asks = (baseFee: bigint, tip: bigint, usual?: bigint) =>
	market(baseFee * GWEI, tip * GWEI, usual === undefined ? usual : usual * GWEI);

test.each<[string, Parameters<typeof decideFees>, string]>([
	[
		'the price',
		[asks(49n, 2n), upTo(50n * GWEI), GAS],
		'A unit of gas costs 51.0 gwei; "maxGasPrice" allows 50.0 gwei for this transaction',
	],
	[
		'the cost',
		[asks(49n, 2n), { price: 60n * GWEI, cost: 50n * GWEI * 10n }, { gasLimit: 10n, dataFee: 0n }],
		'A unit of gas costs 51.0 gwei; "maxGasCost" allows 50.0 gwei for this transaction',
	],
	[
		'the cost with the data fee',
		[asks(4n, 2n), { price: undefined, cost: 10n * GWEI }, { gasLimit: 1n, dataFee: 5n * GWEI }],
		'A unit of gas costs 6.0 gwei; "maxGasCost" allows 5.0 gwei for this transaction',
	],
	[
		'the data fee alone',
		[asks(4n, 2n), { price: undefined, cost: 10n * GWEI }, { gasLimit: 1n, dataFee: 10n * GWEI }],
		'The data of the transaction costs 0.00000001 in native coin; "maxGasCost" allows 0.00000001',
	],
	[
		'what nodes want for a replacement',
		[asks(1n, 1n), upTo(114n * GWEI), GAS, dynamic(100n * GWEI, GWEI)],
		'A unit of gas costs 115.0 gwei; "maxGasPrice" allows 114.0 gwei for this transaction',
	],
	[
		'ten times what the latest blocks were paid',
		[asks(99n, 2n, 10n), FREE, GAS],
		'A unit of gas costs 101.0 gwei, more than 10 times the 10.0 gwei of the latest blocks',
	],
	[
		'the same in a replacement',
		[asks(99n, 2n, 10n), FREE, GAS, dynamic(100n, 1n)],
		'A unit of gas costs 101.0 gwei, more than 10 times the 10.0 gwei of the latest blocks',
	],
])('beyond %s, nothing is signed', (_name, asked, words) => {
	const decide = () => decideFees(...asked);
	expect(decide).toThrow(GasTooExpensive);
	expect(decide).toThrow(words);
});

test.each([
	[1, 'ETH', '0.02'],
	[137, 'POL', '5.0'],
	[56, 'BNB', '0.05'],
	[31_337, '', '0.02'],
])('without settings, chain %s has a limit for the cost of gas', (chainId, symbol, most) => {
	const network = networkOf(chainId);
	const wei = BigInt(Math.round(Number(most) * 1e9)) * GWEI;
	expect(gasCapsIn({}, network)).toEqual({ price: undefined, cost: wei });
	expect(network.symbol).toContain(symbol);
	const own = { maxGasPrice: '50', maxGasCost: '0.01' };
	expect(gasCapsIn(own, network)).toEqual({ price: 50n * GWEI, cost: 10n ** 16n });
});

test('the settings know more about a network than the table', () => {
	const settings = { symbol: 'POL', minTip: '2.5', transactionType: 0 as const };
	expect(networkFor(31_337, settings)).toMatchObject({
		...coinOf('POL'),
		minTip: 2_500_000_000n,
		transactionType: 0,
	});
});
