import { SECOND_MS } from '../../../values/clock';
import { formatDecimal, subtract } from '../../../values/decimal';
import type { Transfer } from '../transfer';
import { hashOf } from '../transfer';
import type { Question } from './question';

/** How far the clock of n8n may be from that of the chain. */
const CLOCK_TOLERANCE_MS = 2 * 60 * SECOND_MS;

/** A transfer that serves one item only, if it is found by its content. */
interface Piece {
	readonly transfer: Transfer;
	/** Equal for the same transfer in two answers, and for identical transfers of one transaction. */
	readonly key: string;
	/** Tells the identical ones apart, from 1. */
	readonly number: number;
}

/** How many transfers of each key serve an item of the run. */
export type Served = Map<string, number>;

const contentOf = ({ tokenAddress, toAddress, amount }: Question): string =>
	[tokenAddress, toAddress, amount && formatDecimal(amount)].join(' ');

/** What of a question is otherwise in a transfer, by the names of the parameters. */
function differencesOf(
	transfer: Transfer,
	{ tokenAddress, toAddress, amount }: Question,
): string[] {
	const fits = {
		token: tokenAddress === undefined || tokenAddress === transfer.tokenAddress,
		recipient: toAddress === undefined || toAddress === transfer.toAddress,
		amount: amount === undefined || subtract(amount, transfer.amount).digits === 0n,
	};
	return Object.entries(fits).flatMap(([name, isSame]) => (isSame ? [] : [name]));
}

/** What an item recognised in a list. */
export interface Found {
	readonly transfer?: Transfer;
	/** Of a transaction that is listed, but with no transfer that fits: what the nearest one has otherwise. */
	readonly differs?: readonly string[];
}

function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of list) {
		const key = keyOf(one);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [one]);
		else group.push(one);
	}
	return groups;
}

/** Oldest first; one without a time is in no period. */
function piecesOf(transfers: readonly Transfer[]): Piece[] {
	const numbers = new Map<string, number>();
	return transfers
		.filter(({ time }) => !Number.isNaN(time))
		.map((transfer) => {
			// Without a hash, transfers of one moment only can be of one transaction.
			const key = `${contentOf(transfer)} ${hashOf(transfer) || transfer.time}`;
			const number = (numbers.get(key) ?? 0) + 1;
			numbers.set(key, number);
			return { transfer, key, number };
		})
		.sort((one, other) => one.transfer.time - other.transfer.time);
}

/** The transfers of one answer, put in order once for all items that look at it. */
export class Listing {
	readonly #transfers: readonly Transfer[];

	#byHash: ReadonlyMap<string, readonly Transfer[]> | undefined;

	#byContent: ReadonlyMap<string, Piece[]> | undefined;

	readonly #oldest: number;

	constructor(transfers: readonly Transfer[]) {
		this.#transfers = transfers;
		const isOlder = (oldest: number, { time }: Transfer) => (time < oldest ? time : oldest);
		this.#oldest = transfers.reduce(isOlder, Infinity);
	}

	/** What answers a question. @param served which transfers were found by their content; the found one is added */
	find(question: Question, served: Served): Found {
		const { hash, since } = question;
		if (hash !== undefined) return this.#ofHash(hash, question);
		const transfer = since === undefined ? undefined : this.#take(question, since, served);
		return transfer === undefined ? {} : { transfer };
	}

	/** A transaction can make several transfers, a fee among them: any one that fits counts. */
	#ofHash(hash: string, question: Question): Found {
		this.#byHash ??= groupBy(this.#transfers, hashOf);
		let nearest: readonly string[] | undefined;
		for (const transfer of this.#byHash.get(hash) ?? []) {
			const differs = differencesOf(transfer, question);
			if (differs.length === 0) return { transfer };
			if (nearest === undefined || differs.length < nearest.length) nearest = differs;
		}
		return nearest === undefined ? {} : { differs: nearest };
	}

	/**
	 * The oldest transfer of a content that serves no other item, so that as many items as possible find one: of two equal
	 * payments, one of which never happened, only one may be reported.
	 */
	#take(question: Question, since: number, served: Served): Transfer | undefined {
		this.#byContent ??= groupBy(piecesOf(this.#transfers), ({ transfer }) => contentOf(transfer));
		const pieces = this.#byContent.get(contentOf(question)) ?? [];
		// The time of a block is a whole second, and may be that in which the transfer was submitted.
		const from = Math.floor(since / SECOND_MS) * SECOND_MS;
		const index = pieces.findIndex(
			({ transfer, key, number }) => transfer.time >= from && number > (served.get(key) ?? 0),
		);
		const [piece] = index === -1 ? [] : pieces.splice(index, 1);
		if (piece !== undefined) served.set(piece.key, piece.number);
		return piece?.transfer;
	}

	/**
	 * Whether the list of the newest transfers certainly reaches back to a time: it holds an older one. A list without one may
	 * have lost transfers to newer ones.
	 *
	 * @param since in milliseconds since 1970
	 */
	reachesBackTo(since: number): boolean {
		return this.#oldest < since - CLOCK_TOLERANCE_MS;
	}
}
