import type { Check } from '../../request/run/repeated-checks';
import { monotonicMs } from '../../values/clock';
import type { Decimal } from '../../values/decimal';
import { formatDecimal, subtract } from '../../values/decimal';
import type { GivenEntry, HistoryEntry } from './transfer';
import { hashOf, readEntry, timeOf } from './transfer';

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

/** Which parameters of a query a transfer matches, the most significant first. */
const fitOf = (transfer: HistoryEntry, { tokenAddress, toAddress, amount }: TransferQuery) => ({
	token: tokenAddress === undefined || tokenAddress === transfer.tokenAddress,
	recipient: toAddress === undefined || toAddress === transfer.toAddress,
	amount: amount === undefined || subtract(amount, transfer.amount).digits === 0n,
});

/** The transfers that fit a query best. */
export function closestTo(
	query: TransferQuery,
	transfers: readonly HistoryEntry[],
): readonly HistoryEntry[] {
	const rankOf = (one: HistoryEntry) => Object.values(fitOf(one, query)).map(Number).join('');
	const ranked = groupBy(transfers, rankOf);
	return ranked.get([...ranked.keys()].sort().at(-1) ?? '') ?? [];
}

export interface Match {
	/** Several only if they belong to one transaction. */
	readonly transfers: readonly HistoryEntry[];
	/** For a listed transaction without a matching transfer: the mismatches of the closest one. */
	readonly differs?: readonly string[];
}

export function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
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
function piecesOf(given: readonly GivenEntry[]): Piece[] {
	const numbers = new Map<string, number>();
	return given
		.map(readEntry)
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
	readonly #given: readonly GivenEntry[];

	#byHash: ReadonlyMap<string, readonly GivenEntry[]> | undefined;

	#byContent: ReadonlyMap<string, Piece[]> | undefined;

	readonly #oldest: number;

	constructor(given: readonly GivenEntry[]) {
		this.#given = given;
		const older = (oldest: number, time: number) => (time < oldest ? time : oldest);
		this.#oldest = given.map(timeOf).reduce(older, Infinity);
	}

	/**
	 * Finds the matches for a query.
	 *
	 * @param served keys of transfers already matched by content; a new match is added
	 * @throws ServiceError for a malformed transfer, except for one with another hash than the wanted one
	 */
	find(query: TransferQuery, served: Set<string>): Match {
		const { hash } = query;
		return hash === undefined ? this.#take(query, served) : this.#ofHash(hash, query);
	}

	/** Finds the matches in a transaction, which can contain several transfers, such as a fee. */
	#ofHash(hash: string, query: TransferQuery): Match {
		this.#byHash ??= groupBy(this.#given, hashOf);
		const given = this.#byHash.get(hash);
		// A transfer without a hash may be the wanted one, unless it can be read.
		if (given === undefined) this.#byHash.get('')?.forEach(readEntry);
		const closest = closestTo(query, given?.map(readEntry) ?? []);
		const fits = closest.slice(0, 1).flatMap((one) => Object.entries(fitOf(one, query)));
		const differs = fits.flatMap(([name, isSame]) => (isSame ? [] : [name]));
		return differs.length === 0 ? { transfers: closest } : { transfers: [], differs };
	}

	/**
	 * Claims and returns the oldest unclaimed match; taking the oldest first lets the most items find one. If only one of
	 * two equal payments happened, only one item may find it.
	 */
	#take(query: TransferQuery, served: Set<string>): Match {
		this.#byContent ??= groupBy(piecesOf(this.#given), ({ transfer }) => contentOf(transfer));
		const pieces = this.#byContent.get(contentOf(query)) ?? [];
		// Block times are whole seconds: a transfer in the second of its submission would seem earlier.
		const from = Math.floor((query.since ?? Infinity) / 1000) * 1000;
		const index = pieces.findIndex(
			({ transfer, key }) => transfer.time >= from && !served.has(key),
		);
		const taken = index === -1 ? [] : pieces.splice(index, 1);
		for (const { key } of taken) served.add(key);
		return { transfers: taken.map(({ transfer }) => transfer) };
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
