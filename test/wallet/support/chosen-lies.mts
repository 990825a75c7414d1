/** Lies that one endpoint of two tells: not in form, but in meaning. */
import { toQuantity } from 'ethers';
import type { RpcRequest } from './endpoint.mts';
import { randomNumbers } from '../../support/random-numbers.mts';

/** The answer to a request; with neither member there is none. */
export interface RpcAnswer {
	result?: unknown;
	error?: object;
}

/** What takes the place of an answer. @param head newest block that the endpoint has reported */
type ChosenLie = (answer: RpcAnswer, request: RpcRequest, head: number) => RpcAnswer;

/** Requests between two times in which the endpoint shows another chain, and their length in milliseconds. */
const ELSEWHERE_EVERY = 600;
const ELSEWHERE_MS = 2_500;

/** Blocks by which receipts are late. */
const LATE = 15;

const FAR = '0x7ffffff0';
const DEAR = toQuantity(10n ** 15n);
const OTHER_HASH = `0x${'1e'.repeat(32)}`;

const fieldsOf = (value: unknown): Record<string, unknown> =>
	typeof value === 'object' && value !== null ? { ...value } : {};

/** Changes a result that is not null. */
const changed =
	(change: (result: Record<string, unknown>, head: number) => unknown): ChosenLie =>
	(answer, _request, head) =>
		typeof answer.result === 'object' && answer.result !== null
			? { result: change(fieldsOf(answer.result), head) }
			: answer;

/** Changes a result that is a list. */
const changedList =
	(change: (all: unknown[]) => unknown): ChosenLie =>
	(answer) =>
		Array.isArray(answer.result) ? { result: change(answer.result) } : answer;

const told =
	(result: unknown): ChosenLie =>
	() => ({ result });

const refused =
	(code: number, message: string): ChosenLie =>
	() => ({ error: { code, message } });

const upperCase = (hash: unknown): string => String(hash).toUpperCase().replace('0X', '0x');

/** A log of a transfer that never took place, beside another one. */
const inventedBeside = (log: unknown): object => ({
	...fieldsOf(log),
	logIndex: '0x77',
	transactionHash: OTHER_HASH,
});

const REFUSALS = [
	refused(429, 'Too Many Requests'),
	refused(-32005, 'daily request count exceeded, request rate limited'),
	refused(-32603, 'Internal error'),
	refused(-32000, 'header not found'),
];

const inventedFarAway: ChosenLie = (answer, { params: [transactionHash] }) =>
	answer.result === null
		? {
				result: {
					transactionHash,
					blockNumber: FAR,
					blockHash: OTHER_HASH,
					status: '0x1',
					logs: [],
					transactionIndex: '0x0',
					gasUsed: '0x5208',
					effectiveGasPrice: '0x1',
				},
			}
		: answer;

const LIES: Partial<Record<string, readonly ChosenLie[]>> = {
	eth_getTransactionReceipt: [
		changed((receipt, head) => (Number(receipt.blockNumber) > head - LATE ? null : receipt)),
		changed((receipt) => ({ ...receipt, effectiveGasPrice: DEAR })),
		changed((receipt) => ({ ...receipt, blockHash: upperCase(receipt.blockHash) })),
		changed((receipt) => ({ ...receipt, blockNumber: Number(receipt.blockNumber) })),
		changed((receipt) => ({ ...receipt, logs: null })),
		changed((receipt) => ({ ...receipt, logs: [receipt.logs, receipt.logs].flat() })),
		inventedFarAway,
	],
	eth_getTransactionCount: [
		({ result }) => ({ result: toQuantity(Number(result) + 1_000_000_001) }),
		({ result }) => ({ result: Number(result) }),
	],
	eth_call: REFUSALS,
	eth_estimateGas: REFUSALS,
	eth_getBalance: REFUSALS,
	eth_getCode: REFUSALS,
	eth_feeHistory: [
		changed((history) => ({ ...history, baseFeePerGas: [DEAR], reward: [[DEAR]] })),
		changed((history) => ({ ...history, reward: [['-0x1'], ['0xNaN']] })),
	],
	eth_maxPriorityFeePerGas: [told(DEAR)],
	eth_blockNumber: [({ result }) => ({ result: Number(result) })],
	eth_getBlockByNumber: [
		(answer, { params: [which] }) => (which === 'finalized' ? { result: null } : answer),
		changed((block) => ({ ...block, hash: upperCase(block.hash) })),
		changed((block) => ({ ...block, number: Number(block.number) })),
		changed((block) => ({ ...block, baseFeePerGas: DEAR })),
	],
	eth_getLogs: [
		told(null),
		changedList((logs) => [...logs, ...logs]),
		changedList((logs) => [...logs, ...logs.slice(0, 1).map(inventedBeside)]),
		changedList((logs) => logs.slice(1)),
	],
};

/** What an endpoint of another chain answers: one that is longer, and knows nothing of the wallets. */
const ELSEWHERE: Partial<Record<string, ChosenLie>> = {
	eth_blockNumber: ({ result }) => ({ result: toQuantity(Number(result) + 1_000) }),
	eth_getBlockByNumber: ({ result }, { params: [which] }) => {
		const { number = which, hash = OTHER_HASH, ...rest } = fieldsOf(result);
		const other = `0xbad${String(hash).slice(5)}`;
		return { result: { timestamp: '0x1', ...rest, number, hash: other, transactions: [] } };
	},
	eth_getTransactionCount: told('0x0'),
	eth_getBalance: told('0x64'),
	eth_getCode: told('0x'),
	eth_call: told('0x'),
	eth_getLogs: told([]),
	eth_getTransactionReceipt: told(null),
	eth_getTransactionByHash: told(null),
};

/** Chooses lies at random, reproducibly. */
export class ChosenLies {
	readonly #random: () => number;
	readonly #share: number;
	#isHonest = false;
	#head = 0;
	#requests = 0;
	#elsewhereUntil = -Infinity;
	/** Number of answers that were not as they are. */
	told = 0;

	/** @param share share of the answers that lie, from 0 to 1 */
	constructor(seed: number, share: number) {
		this.#random = randomNumbers(seed);
		this.#share = share;
	}

	/** Ends the lies. */
	becomeHonest(): void {
		this.#isHonest = true;
	}

	/** What an endpoint answers instead of an honest answer. */
	bend(request: RpcRequest, honest: RpcAnswer): RpcAnswer {
		if (this.#isHonest) return honest;
		const { method } = request;
		if (method === 'eth_blockNumber') this.#head = Number(honest.result);
		this.#requests += 1;
		const now = performance.now();
		if (this.#requests % ELSEWHERE_EVERY === 0) this.#elsewhereUntil = now + ELSEWHERE_MS;
		const lie = now < this.#elsewhereUntil ? ELSEWHERE[method] : this.#choose(LIES[method]);
		if (!lie) return honest;
		this.told += 1;
		return lie(honest, request, this.#head);
	}

	#choose(lies: readonly ChosenLie[] = []): ChosenLie | undefined {
		if (lies.length === 0 || this.#random() >= this.#share) return undefined;
		return lies[Math.floor(this.#random() * lies.length)];
	}
}
