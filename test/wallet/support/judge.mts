/** Judges what the node reports about transactions by what the chain was. */
import { Transaction, ZeroAddress } from 'ethers';
import type { Chronicle, Period } from './chronicle.mts';
import { reasonOf } from './recorded-chain.mts';

/** What the node reported, and when it was asked and answered, in milliseconds since 1970. */
export interface Reported {
	begun: number;
	ended: number;
	json?: Record<string, unknown>;
	error?: { code?: string; message?: string };
}

/** A question about a transaction. */
export interface Asked {
	hash: string;
	/** The signed transaction, of a write its first one; undefined if there is none with this hash. */
	raw: string | undefined;
	/** Whether it is a write of whoever asks. */
	isOwn: boolean;
	operation: 'get' | 'find';
}

/** How the summary of each kind begins. */
const WORDS = new Map([
	['PENDING', 'Not in a block yet'],
	['SUCCESS', 'Succeeded'],
	['REVERTED', 'Reverted'],
	['CANCELLED', 'Cancelled'],
	['FOREIGN', 'Replaced'],
	['ARRIVED', 'Arrived: '],
	['not found', 'Not found yet'],
]);

const CANNOT_BE_READ = 'The transaction reverted; its reason cannot be read';

/** The kind of a verdict; undefined for an error, such as that of a service that is just being started again. */
export function kindOf(
	{ json, error }: Reported,
	operation: Asked['operation'],
): string | undefined {
	if (error) return error.code === 'not-seen' ? 'unknown' : undefined;
	if (operation === 'get') return String(json?.status);
	return json?.seen === true ? 'ARRIVED' : String(json?.status ?? 'not found');
}

/** Whether a verdict is true if a nonce is used so. */
function isTrue(
	kind: string,
	{ hash, isOwn, raw }: Asked,
	{ json, ended }: Reported,
	{ used, until }: Pick<Period, 'until' | 'used'>,
): boolean {
	const isUndone = until < ended;
	const transaction = raw === undefined ? undefined : Transaction.from(raw);
	const isSame = used?.hash === hash;
	const isSameCall =
		used?.input === transaction?.data && used?.to.toLowerCase() === transaction?.to?.toLowerCase();
	const isEmpty = used?.to === ZeroAddress && used.input === '0x';
	// To its owner, all transactions of a write stand for it, and an empty one is its end.
	const isCarriedOut = used !== undefined && (isOwn ? !isEmpty && (isSame || isSameCall) : isSame);
	const mined = json?.minedHash ?? json?.hash;
	const isNamed =
		used !== undefined &&
		(json?.minedHash ?? used.hash) === used.hash &&
		(json?.blockNumber ?? used.blockNumber) === used.blockNumber;
	switch (kind) {
		case 'not found':
			return !isOwn || !isCarriedOut || used.status !== 1;
		case 'unknown':
			return !isSame && (!isOwn || raw === undefined);
		case 'PENDING':
			return raw !== undefined && !isCarriedOut && !(isOwn && isEmpty);
		case 'ARRIVED':
			return isCarriedOut && used.status === 1 && mined === used.hash;
		case 'SUCCESS':
			return isCarriedOut && isNamed && used.status === 1;
		case 'REVERTED':
			return (
				isCarriedOut &&
				isNamed &&
				used.status === 0 &&
				// The reason of a transaction can be read as long as it is in a block.
				(json?.revertReason === reasonOf(used) ||
					(isUndone && json?.revertReason === CANNOT_BE_READ))
			);
		case 'CANCELLED':
			return isOwn && isEmpty && isNamed;
		case 'FOREIGN':
			return isOwn && used !== undefined && !isSameCall && !isEmpty;
		default:
			return false;
	}
}

/**
 * How long before the question a verdict was true for the last time, in milliseconds.
 *
 * @param since the time from which the chain is considered
 * @returns undefined if it is false
 */
export function lateness(
	chronicle: Chronicle,
	asked: Asked,
	reported: Reported,
	since: number,
): number | undefined {
	const { json, begun, ended } = reported;
	const kind = kindOf(reported, asked.operation) ?? '';
	if (!String(json?.summary ?? '').startsWith(WORDS.get(kind) ?? '')) return undefined;
	const transaction = asked.raw === undefined ? undefined : Transaction.from(asked.raw);
	const periods: Pick<Period, 'until' | 'used'>[] = transaction
		? chronicle.periods(String(transaction.from), transaction.nonce, since, ended)
		: [{ until: Infinity }];
	const told = periods.findLast((period) => isTrue(kind, asked, reported, period));
	return told && Math.max(0, begun - told.until);
}
