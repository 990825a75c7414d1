/** Why nodes take no such transaction, read from their words: numbers and settings only, never the words themselves. */
import { formatUnits } from 'ethers';
import type { Fees } from '../rpc/fees.mts';
import { CallRefused } from './failures.mts';

/** A transaction as far as nodes refuse it for more than the moment. */
export interface Offered {
	gasLimit: bigint;
	fees: Fees;
}

/** Why an endpoint would refuse a transaction again. */
type Lesson =
	/** @property cap most gas of one transaction */
	| { kind: 'gas'; cap: bigint }
	| { kind: 'type' }
	/** @property least lowest tip, in wei; undefined if the endpoint does not report it */
	| { kind: 'tip'; least: bigint | undefined };

/** Period for which a refusal by all endpoints counts, in milliseconds. An open write is sent again more often. */
const REMEMBERED_MS = 60_000;

/** Least gas of a transaction: smaller numbers are something else. */
const LEAST_GAS = 21_000n;

const TOO_MUCH_GAS = /gas limit|gas required|gas cap/i;
const ABOVE = /exceed|greater|higher|too high|allowance|\bcap\b|maximum/i;
const WRONG_TYPE = /transaction type|tx type|typed transaction|type 2\b|eip-?1559|dynamic fee/i;
const TOO_CHEAP = /underpriced|\btip\b|gas price|fee too low/i;

/** Words about a transaction that is in the way, or about the base fee of the moment. */
const OF_THE_MOMENT = /replacement|already|base ?fee|insufficient|nonce/i;

const numbersIn = (words: string): bigint[] =>
	[...words.matchAll(/\b\d+\b/g)].map(([digits]) => BigInt(digits));
const lowest = (numbers: readonly bigint[]): bigint | undefined =>
	numbers.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))[0];

const tipOf = (fees: Fees): bigint => (fees.type === 2 ? fees.maxPriorityFeePerGas : fees.gasPrice);

/** The most gas of one transaction, by the words of an endpoint that refuses more; undefined if they are about something else. */
export function gasCapIn(words: string): bigint | undefined {
	if (!TOO_MUCH_GAS.test(words) || !ABOVE.test(words)) return undefined;
	return lowest(numbersIn(words).filter((number) => number >= LEAST_GAS));
}

function lessonIn(words: string, { gasLimit, fees }: Offered): Lesson | undefined {
	const cap = gasCapIn(words);
	if (cap !== undefined && cap < gasLimit) return { kind: 'gas', cap };
	if (fees.type === 2 && WRONG_TYPE.test(words)) return { kind: 'type' };
	if (!TOO_CHEAP.test(words) || OF_THE_MOMENT.test(words)) return undefined;
	const tip = tipOf(fees);
	return { kind: 'tip', least: lowest(numbersIn(words).filter((number) => number > tip)) };
}

/** What two endpoints refuse both. */
function common(one: Lesson | undefined, other: Lesson | undefined): Lesson | undefined {
	if (one?.kind === 'gas' && other?.kind === 'gas') return one.cap > other.cap ? one : other;
	if (one?.kind === 'type' && other?.kind === 'type') return one;
	if (one?.kind !== 'tip' || other?.kind !== 'tip') return undefined;
	const { least: a } = one;
	const { least: b } = other;
	return { kind: 'tip', least: a === undefined || b === undefined ? undefined : a < b ? a : b };
}

/** What a lesson means to the operator. */
function advice(lesson: Lesson): string {
	if (lesson.kind === 'gas') return `The network takes at most ${lesson.cap} gas per transaction`;
	if (lesson.kind === 'type') {
		return 'If the network lacks transactions of type 2, set "transactionType" to 0 in config.json';
	}
	const most = lesson.least === undefined ? '' : ` to ${formatUnits(lesson.least, 'gwei')}`;
	return `If the network wants a higher tip, set "minTip"${most} in config.json`;
}

/** Whether another transaction would be refused, too. */
function concerns(lesson: Lesson, { gasLimit, fees }: Offered): boolean {
	if (lesson.kind === 'gas') return gasLimit > lesson.cap;
	if (lesson.kind === 'type') return fees.type === 2;
	return lesson.least !== undefined && tipOf(fees) < lesson.least;
}

/** Remembers for a while what all endpoints refuse, so that no further transaction of this kind is signed. */
export class Refusals {
	#lesson: Lesson | undefined;
	#at = 0;

	/**
	 * Notes that all endpoints have refused a transaction.
	 *
	 * @param words of each endpoint
	 * @returns what the operator can do; undefined if the endpoints do not agree about the reason
	 */
	note(offered: Offered, words: readonly string[]): string | undefined {
		const lesson = words.map((one) => lessonIn(one, offered)).reduce(common);
		if (!lesson) return undefined;
		this.#lesson = lesson;
		this.#at = performance.now();
		return advice(lesson);
	}

	get #fresh(): Lesson | undefined {
		return performance.now() - this.#at < REMEMBERED_MS ? this.#lesson : undefined;
	}

	/** The most gas of one transaction that an endpoint takes; undefined if none has refused one for its gas. */
	get gasCap(): bigint | undefined {
		const lesson = this.#fresh;
		return lesson?.kind === 'gas' ? lesson.cap : undefined;
	}

	/** @throws CallRefused if all endpoints have just refused such a transaction */
	assertTaken(offered: Offered): void {
		const lesson = this.#fresh;
		if (!lesson || !concerns(lesson, offered)) return;
		throw new CallRefused(`All endpoints refuse such a transaction. ${advice(lesson)}`);
	}
}
