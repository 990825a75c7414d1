/** What the words of nodes that refuse a transaction mean, and what is not signed because of them. */
import type { Fees } from '../../service/src/rpc/fees.mts';
import { CallRefused } from '../../service/src/writes/failures.mts';
import { gasCapIn, Refusals, type Offered } from '../../service/src/writes/refusals.mts';

const GWEI = 10n ** 9n;
const type2 = (tip: bigint): Fees => ({
	type: 2,
	maxFeePerGas: 100n * GWEI,
	maxPriorityFeePerGas: tip,
});
const offered: Offered = { gasLimit: 20_000_000n, fees: type2(GWEI) };

const CAP = 'The network takes at most 16777216 gas per transaction';
const NO_TYPE_2 =
	'If the network lacks transactions of type 2, set "transactionType" to 0 in config.json';
const tip = (most: string) =>
	`If the network wants a higher tip, set "minTip"${most} in config.json`;

/** With a public report of each. */
const WORDS: [source: string, words: string, advice: string | undefined][] = [
	[
		'ethereum/go-ethereum#32348',
		'transaction gas limit too high (cap: 16777216, tx: 20000000)',
		CAP,
	],
	[
		'NomicFoundation/hardhat#7751',
		'transaction gas limit (20000000) is greater than the cap (16777216)',
		CAP,
	],
	[
		'NomicFoundation/hardhat#7751',
		'Transaction gas limit is 20000000 and exceeds transaction gas cap of 16777216',
		CAP,
	],
	[
		'hiero-ledger/hiero-json-rpc-relay#1752',
		"[Request ID: 87feb184] Transaction gas limit '20000000' exceeds block gas limit '15000000'",
		'The network takes at most 15000000 gas per transaction',
	],
	[
		'rsksmart/rskj#412',
		'its gas limit 20000000 is higher than the block gas limit 3002929',
		'The network takes at most 3002929 gas per transaction',
	],
	[
		'ethereum/go-ethereum#30838',
		'transaction type not supported: type 2 rejected, pool not yet in London',
		NO_TYPE_2,
	],
	['ApeWorX/web3.py#2222', 'transaction type not supported', NO_TYPE_2],
	[
		'Nethereum/Nethereum#1075',
		'transaction underpriced: gas tip cap 1000000000, minimum needed 3000000000',
		tip(' to 3.0'),
	],
	[
		'bnb-chain/bsc#2387',
		'transaction underpriced: tip needed 3000000000, tip permitted 1000000000',
		tip(' to 3.0'),
	],
	[
		'ava-labs/coreth#382',
		'transaction underpriced: address have gas tip cap (1000000000) < pool gas tip cap (470000000000)',
		tip(' to 470.0'),
	],
	['ethereum/go-ethereum#24079', 'transaction underpriced', tip('')],
	// Of the moment, of the wallet, or of the endpoint.
	['besu-eth/besu#1472', 'max fee per gas less than block base fee, maxFeePerGas: 1', undefined],
	['ethereum/go-ethereum', 'replacement transaction underpriced', undefined],
	['ethereum/go-ethereum', 'nonce too low: next nonce 20, tx nonce 7', undefined],
	['ethereum/go-ethereum', 'insufficient funds for gas * price + value: balance 9', undefined],
	[
		'ethereum-optimism/optimism#8819',
		'tx fee (1.63 ether) exceeds the configured cap (1.00 ether)',
		undefined,
	],
	['hiero-ledger/hiero-json-rpc-relay#1752', 'oversized data: transaction size 480186', undefined],
];

test.each(WORDS)('%s: "%s" means %s', (_source, words, advice) => {
	expect(new Refusals().note(offered, [words])).toBe(advice);
});

const said = (source: number) => WORDS[source]?.[1] ?? '';
const REFUSES_GAS = said(0);
const REFUSES_TYPE = said(5);
const REFUSES_TIP = said(7);

test.each<[string, string, Offered, boolean]>([
	['as much gas', REFUSES_GAS, offered, true],
	['less gas', REFUSES_GAS, { ...offered, gasLimit: 16_777_216n }, false],
	['the same type', REFUSES_TYPE, { ...offered, gasLimit: 21_000n }, true],
	['another type', REFUSES_TYPE, { ...offered, fees: { type: 0, gasPrice: 1n } }, false],
	['as low a tip', REFUSES_TIP, { ...offered, fees: type2(2n * GWEI) }, true],
	['a higher tip', REFUSES_TIP, { ...offered, fees: type2(3n * GWEI) }, false],
])('after all endpoints refused one, a transaction with %s', (_name, words, next, isRefused) => {
	const refusals = new Refusals();
	refusals.note(offered, [words, words]);
	const sign = () => refusals.assertTaken(next);
	if (isRefused) expect(sign).toThrow(CallRefused);
	else expect(sign).not.toThrow();
});

test.each<[string, string[], bigint | undefined]>([
	['the higher of two limits counts', [REFUSES_GAS, said(3)], 16_777_216n],
	['one endpoint alone says nothing about the network', [REFUSES_GAS, 'internal error'], undefined],
	['silence is no agreement', [REFUSES_GAS, 'rpc.example does not answer'], undefined],
])('%s', (_name, words, cap) => {
	const refusals = new Refusals();
	refusals.note(offered, words);
	expect(refusals.gasCap).toBe(cap);
});

test('what endpoints refused is forgotten after a minute', () => {
	jest.useFakeTimers();
	try {
		const refusals = new Refusals();
		refusals.note(offered, [REFUSES_GAS]);
		jest.advanceTimersByTime(59_000);
		expect(() => refusals.assertTaken(offered)).toThrow(CAP);
		jest.advanceTimersByTime(2_000);
		expect(() => refusals.assertTaken(offered)).not.toThrow();
	} finally {
		jest.useRealTimers();
	}
});

test.each([
	['gas required exceeds allowance (16777216)', 16_777_216n],
	['gas required exceeds allowance (0)', undefined],
	['intrinsic gas too low: have 21000, want 21432', undefined],
	['out of gas', undefined],
])('the gas of a transaction that "%s" reports is %s', (words, cap) => {
	expect(gasCapIn(words)).toBe(cap);
});
