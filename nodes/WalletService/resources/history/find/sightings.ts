import { subtract } from '../../../values/decimal';
import type { Transfer } from '../transfer';
import { hashOf } from '../transfer';
import type { Content, Question } from './question';

const SECOND_MS = 1000;
/** How far the clock of n8n may be from that of the chain. */
const CLOCK_TOLERANCE_MS = 2 * 60 * SECOND_MS;

/** How a transfer was recognised. */
export type MatchedBy = 'hash' | 'content';

/** A transfer that the service lists. */
export interface Sighting {
	readonly transfer: Transfer;
	readonly matchedBy: MatchedBy;
}

/** Equal for the same transfer in two answers, and for identical transfers of one transaction. */
const keyOf = (transfer: Transfer): string =>
	[hashOf(transfer), transfer.tokenAddress, transfer.toAddress, transfer.amount.digits].join(' ');

function fits(transfer: Transfer, { tokenAddress, toAddress, amount, since }: Content): boolean {
	// The time of a block is a whole second, and may be that in which the transfer was submitted.
	const from = Math.floor(since / SECOND_MS) * SECOND_MS;
	return (
		transfer.tokenAddress === tokenAddress &&
		transfer.toAddress === toAddress &&
		subtract(transfer.amount, amount).digits === 0n &&
		transfer.time >= from
	);
}

/**
 * What the items of one run have recognised in the lists of the service. A transfer that was found by its content serves one
 * item only: of two equal payments, one of which never happened, only one may be reported.
 */
export class Sightings {
	/** How many transfers of each key were found by their content. */
	readonly #served = new Map<string, number>();

	/** The transfer that answers a question; `undefined` when none is listed. */
	find(transfers: readonly Transfer[], { hash, content }: Question): Sighting | undefined {
		const byHash = hash && transfers.find((transfer) => hashOf(transfer) === hash);
		if (byHash) return { transfer: byHash, matchedBy: 'hash' };
		const byContent = content && this.#take(transfers, content);
		return byContent && { transfer: byContent, matchedBy: 'content' };
	}

	/** The oldest transfer that fits and serves no other item: then as many items as possible find one. */
	#take(transfers: readonly Transfer[], content: Content): Transfer | undefined {
		const fitting = transfers
			.filter((transfer) => fits(transfer, content))
			.sort((one, other) => one.time - other.time);
		const taken = new Map(this.#served);
		return fitting.find((transfer) => {
			const key = keyOf(transfer);
			const before = taken.get(key) ?? 0;
			taken.set(key, before - 1);
			if (before > 0) return false;
			this.#served.set(key, (this.#served.get(key) ?? 0) + 1);
			return true;
		});
	}
}

/**
 * Whether a list of the newest transfers certainly reaches back to a time: it holds an older one. A list without one may have
 * lost transfers to newer ones.
 *
 * @param since in milliseconds since 1970
 */
export function reachesBackTo(since: number, transfers: readonly Transfer[]): boolean {
	return transfers.some(({ time }) => time < since - CLOCK_TOLERANCE_MS);
}
