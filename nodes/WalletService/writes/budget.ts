import type { CheckedCall } from '../contract/call';
import type { CheckedList } from './checked-list';
import type { CanonicalCall, Origin, WriteKey } from './identity';
import { sentWrites } from './memory/process-memory';
import type { Amounts } from './memory/sent-writes';
import { addTo, amountIn } from './memory/sent-writes';
import type { Spent } from './policy/policy';
import type { PolicyFacts } from './policy/policy-facts';

/** A write whose amounts count for the limits per execution. */
export interface Counted extends Pick<Origin, 'budget' | 'credentialKey'> {
	readonly key: WriteKey;
	/** Whether the service keeps it under its key. */
	readonly isKept: boolean;
	readonly call: CanonicalCall;
}

/** The same, with the facts that its amounts depend on. */
interface Measured extends Counted {
	readonly checked: CheckedCall;
	readonly facts: Pick<PolicyFacts, 'tokens'>;
}

/**
 * The name of a write in its execution: its key. Where the service keeps no writes, a model may give one number to several
 * calls.
 *
 * @example const name = nameOf(sending);
 */
export const nameOf = ({ credentialKey, key, isKept, call }: Omit<Counted, 'budget'>): string =>
	JSON.stringify([credentialKey, key.first, isKept ? '' : call.digest]);

/** The sum of the token that a call moves, or else of the called contract. */
const tokenSum = (credential: string, checked: CheckedCall) =>
	`${credential} ${(checked.move?.token ?? checked.call.address).toLowerCase()}`;

/**
 * The amounts of a write: native coin in wei, and its token with `TOKEN_PLACES` decimal places.
 *
 * @example const [[credential, wei]] = amountsOf(sending);
 */
export const amountsOf = ({ credentialKey, checked, facts }: Measured): Amounts => [
	[credentialKey, BigInt(checked.call.value ?? 0)],
	[tokenSum(credentialKey, checked), facts.tokens ?? 0n],
];

const ownAmounts = (write: Counted, list: CheckedList | undefined): Amounts => {
	const name = nameOf(write);
	return list?.amounts.get(name) ?? sentWrites.find(write.budget, name)?.amounts ?? [];
};

/**
 * What the other writes of an execution have moved with the credential, and those that a checked list has before this one.
 *
 * @example const { value, tokens } = spentBefore(write, checked, undefined);
 */
export function spentBefore(
	write: Counted,
	checked: CheckedCall,
	list: CheckedList | undefined,
): Spent {
	const sums = list?.sums ?? sentWrites.sums(write.budget);
	const own = ownAmounts(write, list);
	const others = (sum: string) => (sums?.get(sum) ?? 0n) - amountIn(own, sum);
	const { credentialKey } = write;
	return { value: others(credentialKey), tokens: others(tokenSum(credentialKey, checked)) };
}

/**
 * Counts a write of a checked list as sent.
 *
 * @example countAhead(list, sending);
 */
export function countAhead(list: CheckedList, sending: Measured): void {
	const amounts = amountsOf(sending);
	addTo(list.sums, ownAmounts(sending, list), -1n);
	addTo(list.sums, amounts);
	list.amounts.set(nameOf(sending), amounts);
}
