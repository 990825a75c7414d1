import type { Look } from '../../request/run/look-again';
import { monotonicMs } from '../../values/clock';
import type { Decimal } from '../../values/decimal';
import { formatDecimal, subtract } from '../../values/decimal';
import type { HistoryEntry } from './transfer';
import { hashOf } from './transfer';

/** How far the clock of n8n may be from that of the chain. */
const CLOCK_TOLERANCE_MS = 120_000;

/** Which transfer to look for; what is absent may be anything. */
export interface TransferQuery {
	/** Transaction hash, lower case; absent when the transfer is looked for by its content. */
	readonly hash?: string;
	/** Token contract, lower case. */
	readonly tokenAddress?: string;
	/** Receiving wallet, lower case. */
	readonly toAddress?: string;
	/** In whole tokens. */
	readonly amount?: Decimal;
	/** When it was submitted, in milliseconds since 1970. By content, no earlier transfer counts. */
	readonly since?: number;
}

/** A transfer that serves one item only, if it is found by its content. */
interface Piece {
	readonly transfer: HistoryEntry;
	/** The same in two answers; identical transfers of one transaction are numbered. */
	readonly key: string;
}

const contentOf = ({ tokenAddress, toAddress, amount }: TransferQuery): string =>
	[tokenAddress, toAddress, amount && formatDecimal(amount)].join(' ');

/** What of a query is otherwise in a transfer, by the names of the parameters. */
function differencesOf(
	transfer: HistoryEntry,
	{ tokenAddress, toAddress, amount }: TransferQuery,
): string[] {
	const fits = {
		token: tokenAddress === undefined || tokenAddress === transfer.tokenAddress,
		recipient: toAddress === undefined || toAddress === transfer.toAddress,
		amount: amount === undefined || subtract(amount, transfer.amount).digits === 0n,
	};
	return Object.entries(fits).flatMap(([name, isSame]) => (isSame ? [] : [name]));
}

export interface Match {
	readonly transfer?: HistoryEntry;
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
function piecesOf(transfers: readonly HistoryEntry[]): Piece[] {
	const numbers = new Map<string, number>();
	return transfers
		.filter(({ time }) => !Number.isNaN(time))
		.map((transfer) => {
			// Without a hash, transfers of one moment only can be of one transaction.
			const key = `${contentOf(transfer)} ${hashOf(transfer) || transfer.time}`;
			const number = (numbers.get(key) ?? 0) + 1;
			numbers.set(key, number);
			return { transfer, key: `${key} ${number}` };
		})
		.sort((one, other) => one.transfer.time - other.transfer.time);
}

/** The transfers of one answer, put in order once for all items that look at it. */
export class Listing {
	readonly #transfers: readonly HistoryEntry[];

	#byHash: ReadonlyMap<string, readonly HistoryEntry[]> | undefined;

	#byContent: ReadonlyMap<string, Piece[]> | undefined;

	readonly #oldest: number;

	constructor(transfers: readonly HistoryEntry[]) {
		this.#transfers = transfers;
		const isOlder = (oldest: number, { time }: HistoryEntry) => (time < oldest ? time : oldest);
		this.#oldest = transfers.reduce(isOlder, Infinity);
	}

	/** What answers a query. @param served keys of the transfers that were found by their content; the found one is added */
	find(query: TransferQuery, served: Set<string>): Match {
		const { hash } = query;
		return hash === undefined ? { transfer: this.#take(query, served) } : this.#ofHash(hash, query);
	}

	/** A transaction can make several transfers, a fee among them: any one that fits counts. */
	#ofHash(hash: string, query: TransferQuery): Match {
		this.#byHash ??= groupBy(this.#transfers, hashOf);
		const [nearest] = (this.#byHash.get(hash) ?? [])
			.map((transfer) => ({ transfer, differs: differencesOf(transfer, query) }))
			.sort((one, other) => one.differs.length - other.differs.length);
		const isFound = nearest?.differs.length === 0;
		return isFound ? { transfer: nearest.transfer } : { differs: nearest?.differs };
	}

	/**
	 * The oldest transfer of a content that serves no other item, so that as many items as possible find one: of two equal
	 * payments, one of which never happened, only one may be reported.
	 */
	#take(query: TransferQuery, served: Set<string>): HistoryEntry | undefined {
		this.#byContent ??= groupBy(piecesOf(this.#transfers), ({ transfer }) => contentOf(transfer));
		const pieces = this.#byContent.get(contentOf(query)) ?? [];
		// The time of a block is a whole second, and may be that in which the transfer was submitted.
		const from = Math.floor((query.since ?? Infinity) / 1000) * 1000;
		const index = pieces.findIndex(
			({ transfer, key }) => transfer.time >= from && !served.has(key),
		);
		const [piece] = index === -1 ? [] : pieces.splice(index, 1);
		if (piece !== undefined) served.add(piece.key);
		return piece?.transfer;
	}

	/** Whether the list of the newest transfers holds an older one: otherwise it may have lost transfers to newer ones. */
	reachesBackTo(since: number): boolean {
		return this.#oldest < since - CLOCK_TOLERANCE_MS;
	}
}

/** What the items of a run share: the latest look at each history, and which transfers serve an item. */
export class SharedLooks {
	/** Start of the times at which all items look, so that they can share their looks. */
	readonly start = monotonicMs();

	/** Keys of transfers. */
	readonly served = new Set<string>();

	readonly #latest = new Map<string, { time: number; look: Promise<Look<Listing>> }>();

	/**
	 * A look that is due at a time, or a later one. It replaces the one before, because a history can be large; after a failure,
	 * the next item asks again.
	 */
	async at(
		history: string,
		time: number,
		ask: () => Promise<Look<Listing>>,
	): Promise<Look<Listing>> {
		const known = this.#latest.get(history);
		if (known !== undefined && known.time >= time) return await known.look;
		const look = ask();
		this.#latest.set(history, { time, look });
		// Not awaited, so that the items go on in their order.
		void look.catch(() => this.#latest.get(history)?.look === look && this.#latest.delete(history));
		return await look;
	}
}
