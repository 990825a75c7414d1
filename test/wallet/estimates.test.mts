/** How much gas a call may use: by two endpoints, and by what nodes take. */
import { toQuantity } from 'ethers';
import { revertReader } from '../../service/src/abi/revert.mts';
import { ChainUnavailable } from '../../service/src/rpc/failures.mts';
import { EndpointsDisagree } from '../../service/src/writes/agreement.mts';
import { estimateGas, gasLimitFor } from '../../service/src/writes/estimate.mts';
import { CallRefused } from '../../service/src/writes/failures.mts';
import { Resources } from '../support/resources.mts';
import { Refused, withAnswers, type Answers } from './support/answering.mts';

const TRIED = { from: `0x${'1'.repeat(40)}`, to: `0x${'2'.repeat(40)}`, data: '0x', value: '0x0' };

/** `Error("no")` */
const REASON = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`;

const says = (gas: bigint): Answers => ({ eth_estimateGas: () => toQuantity(gas) });
const fails = (...problem: ConstructorParameters<typeof Refused>): Answers => ({
	eth_estimateGas: () => {
		throw new Refused(...problem);
	},
});
const reverts = fails('execution reverted', { code: 3, data: REASON });
const revertsSilently = fails('execution reverted');
const breaks = fails('see https://rpc.example/v2/secret-key', { code: -32603 });

async function estimate(...each: Answers[]): Promise<bigint> {
	await using resources = new Resources();
	const endpoints = await withAnswers(resources, ...each);
	return await estimateGas(endpoints, revertReader([]), TRIED);
}

test.each<[string, Answers[], bigint]>([
	['the higher of two', [says(50_000n), says(60_000n)], 60_000n],
	['the higher of two, whoever says it', [says(60_000n), says(50_000n)], 60_000n],
	['the only one', [breaks, says(50_000n)], 50_000n],
])('of estimates, %s counts', async (_name, answers, gas) => {
	expect(await estimate(...answers)).toBe(gas);
});

test.each<[string, Answers[]]>([
	['one says that it reverts', [says(50_000n), reverts]],
	['only one answers, and says that it reverts', [breaks, reverts]],
	['one says more than ten times as much', [says(50_000n), says(500_001n)]],
	['one says 0', [says(50_000n), says(0n)]],
])('a call is neither refused nor signed if %s', async (_name, answers) => {
	await expect(estimate(...answers)).rejects.toThrow(EndpointsDisagree);
});

test('a call is refused if all endpoints say that it reverts, with the reason that one of them has', async () => {
	const refused = estimate(revertsSilently, reverts);
	await expect(refused).rejects.toThrow(CallRefused);
	await expect(estimate(revertsSilently, reverts)).rejects.toThrow('no');
});

test.each<[string, number | undefined]>([
	['header not found', -32000],
	['Internal error', -32603],
	['out of gas', -32000],
	['rate limit of https://rpc.example/v2/secret-key exceeded', -32005],
])('"%s" of all endpoints is no refusal of the call, and is not told', async (words, code) => {
	const failed = fails(words, code === undefined ? {} : { code });
	const error: unknown = await estimate(failed, failed).catch((cause: unknown) => cause);
	expect(error).toBeInstanceOf(ChainUnavailable);
	expect(String(error)).not.toContain(words.split(' ')[0]);
});

/** Nodes that take no call with more gas. */
const upTo = (cap: bigint, needed: bigint, words: string): Answers => ({
	eth_estimateGas([tried]) {
		const { gas = '0x1c9c380' } = Object(tried);
		if (BigInt(gas) > cap || needed > cap) throw new Refused(words);
		return toQuantity(needed);
	},
});

test('a node that tries with more gas than it takes is told how much', async () => {
	const words = 'transaction gas limit (30000000) is greater than the cap (16777216)';
	const node = upTo(16_777_216n, 50_000n, words);
	expect(await estimate(node, node)).toBe(50_000n);
});

test('a call that needs more gas than a transaction may have is refused, and the number is told', async () => {
	const node = upTo(16_777_216n, 20_000_000n, 'gas required exceeds allowance (16777216)');
	const refused = estimate(node, node);
	await expect(refused).rejects.toThrow(CallRefused);
	await expect(estimate(node, node)).rejects.toThrow(/more gas than the 16777216 that/);
});

test('where a node knows one argument only, it gets one', async () => {
	const node: Answers = {
		eth_estimateGas(params) {
			// erigontech/erigon#1636, BuildOnViction/victionchain#455
			if (params.length > 1)
				throw new Refused('too many arguments, want at most 1', { code: -32602 });
			return '0xc350';
		},
	};
	expect(await estimate(node, node)).toBe(50_000n);
});

const none = { blockGas: undefined, isBlockGasCertain: true, gasCap: undefined };

test.each<[bigint, Parameters<typeof gasLimitFor>[1], bigint]>([
	[50_000n, none, 60_000n],
	[50_000n, { ...none, blockGas: 55_000n }, 55_000n],
	[50_000n, { ...none, gasCap: 50_000n }, 50_000n],
	[13_000_000n, none, 15_600_000n],
	// EIP-7825: the margin must not make a call too large that is not.
	[15_000_000n, none, 16_777_216n],
	[20_000_000n, none, 24_000_000n],
])('an estimate of %s within %j becomes %s', (gas, bounds, limit) => {
	expect(gasLimitFor(gas, bounds)).toBe(limit);
});

test.each([
	[{ ...none, blockGas: 30_000_000n }, 'The call needs more gas than the 30000000 of a block'],
	[
		{ ...none, gasCap: 16_777_216n },
		'The call needs more gas than the 16777216 that the network takes per transaction',
	],
])('within %j, more is refused', (bounds, words) => {
	expect(() => gasLimitFor(30_000_001n, bounds)).toThrow(new CallRefused(words));
});
