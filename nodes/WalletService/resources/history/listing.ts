import type { Check } from '../../request/run/repeated-checks';
import { monotonicMs } from '../../values/clock';
import type { Decimal } from '../../values/decimal';
import { formatDecimal, subtract } from '../../values/decimal';
import type { HistoryEntry } from './transfer';
import { hashOf } from './transfer';

/** Tolerated difference between the clocks of n8n and the chain. */
const CLOCK_TOLERANCE_MS = 120_000;

/** The transfer to search for; absent fields match anything. */
export interface TransferQuery {
	/** Transaction hash, lower case; absent if the search is by content. */
	readonly hash?: string;
	/** Token contract, lower case. */
	readonly tokenAddress?: string;
	/** Receiving wallet, lower case. */
	readonly toAddress?: string;
	/** In whole tokens. */
	readonly amount?: Decimal;
	/** Time of submission, in milliseconds since 1970. A search by content ignores earlier transfers. */
	readonly since?: number;
}

/** A transfer that only one item may match by its content. */
interface Piece {
	readonly transfer: HistoryEntry;
	/** The key is stable across answers, and numbers identical transfers of one transaction. */
	readonly key: string;
}

const contentOf = ({ tokenAddress, toAddress, amount }: TransferQuery): string =>
	[tokenAddress, toAddress, amount && formatDecimal(amount)].join(' ');

/** The parameters of a query that a transfer does not match. */
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
	/** For a listed transaction without a matching transfer: the mismatches of the closest one. */
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

/** Transfers with their keys, oldest first; transfers without a time are left out. */
function piecesOf(transfers: readonly HistoryEntry[]): Piece[] {
	const numbers = new Map<string, number>();
	return transfers
		.filter(({ time }) => !Number.isNaN(time))
		.map((transfer) => {
			// Without a hash, only transfers with the same time can belong to one transaction.
			const key = `${contentOf(transfer)} ${hashOf(transfer) || transfer.time}`;
			const number = (numbers.get(key) ?? 0) + 1;
			numbers.set(key, number);
			return { transfer, key: `${key} ${number}` };
		})
		.sort((one, other) => one.transfer.time - other.transfer.time);
}

/** The transfers of one answer, indexed once for all items that search it. */
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

	/** Finds the match for a query. @param served keys of transfers already matched by content; a new match is added */
	find(query: TransferQuery, served: Set<string>): Match {
		const { hash } = query;
		return hash === undefined ? { transfer: this.#take(query, served) } : this.#ofHash(hash, query);
	}

	/** Finds a match in a transaction, which can contain several transfers, such as a fee; any match counts. */
	#ofHash(hash: string, query: TransferQuery): Match {
		this.#byHash ??= groupBy(this.#transfers, hashOf);
		const [nearest] = (this.#byHash.get(hash) ?? [])
			.map((transfer) => ({ transfer, differs: differencesOf(transfer, query) }))
			.sort((one, other) => one.differs.length - other.differs.length);
		const isFound = nearest?.differs.length === 0;
		return isFound ? { transfer: nearest.transfer } : { differs: nearest?.differs };
	}

	/**
	 * Claims and returns the oldest unclaimed match; taking the oldest first lets the most items find one. If only one of
	 * two equal payments happened, only one item may find it.
	 */
	#take(query: TransferQuery, served: Set<string>): HistoryEntry | undefined {
		this.#byContent ??= groupBy(piecesOf(this.#transfers), ({ transfer }) => contentOf(transfer));
		const pieces = this.#byContent.get(contentOf(query)) ?? [];
		// Block times are whole seconds: a transfer in the second of its submission would seem earlier.
		const from = Math.floor((query.since ?? Infinity) / 1000) * 1000;
		const index = pieces.findIndex(
			({ transfer, key }) => transfer.time >= from && !served.has(key),
		);
		const [piece] = index === -1 ? [] : pieces.splice(index, 1);
		if (piece !== undefined) served.add(piece.key);
		return piece?.transfer;
	}

	/** Whether the list contains an older transfer; otherwise newer ones may have pushed transfers off it. */
	reachesBackTo(since: number): boolean {
		return this.#oldest < since - CLOCK_TOLERANCE_MS;
	}
}

/** State shared by the items of a run: the latest check of each history, and the transfers already claimed. */
export class SharedChecks {
	/** Common start of all items' schedules, so that they can share checks. */
	readonly start = monotonicMs();

	/** Keys of claimed transfers. */
	readonly served = new Set<string>();

	readonly #latest = new Map<string, { time: number; check: Promise<Check<Listing>> }>();

	/**
	 * Returns the check due at a given time, or a later one, and starts it if necessary. Only the latest check is kept,
	 * because a history can be large. After a failure, the next item requests it again.
	 */
	async at(
		history: string,
		time: number,
		ask: () => Promise<Check<Listing>>,
	): Promise<Check<Listing>> {
		const known = this.#latest.get(history);
		if (known !== undefined && known.time >= time) return await known.check;
		const check = ask();
		this.#latest.set(history, { time, check });
		// Awaiting this would let other items continue before the one that requested the check.
		void check.catch(
			() => this.#latest.get(history)?.check === check && this.#latest.delete(history),
		);
		return await check;
	}
}
