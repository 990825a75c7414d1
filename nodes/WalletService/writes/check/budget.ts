import type { CheckedCall } from '../../contract/call';
import type { WriteAccount } from '../account';
import { accountName, accountOf } from '../account';
import type { CheckedList } from './checked-list';
import type { CanonicalCall } from '../canonical-call';
import type { WriteKey } from '../key';
import type { Origin } from '../place';
import { sentWrites } from '../ledger/process-memory';
import type { Amounts } from '../ledger/sent-writes';
import { addTo, amountIn } from '../ledger/sent-writes';
import type { PinnedCredential } from '../pinned-credential';
import type { Spent } from '../policy/policy';
import type { PolicyFacts } from '../policy/policy-facts';

/** A write whose amounts count for the limits per execution. */
export interface Counted extends Pick<Origin, 'budget' | 'credentialKey'> {
	readonly key: WriteKey;
	readonly pinned: PinnedCredential;
	/** Whether the service keeps it under its key. */
	readonly isKept: boolean;
	readonly call: CanonicalCall;
}

/** The same, with its name. */
interface Named extends Counted {
	readonly name: string;
}

/** The same, with the facts that its amounts depend on. */
interface Measured extends Named {
	readonly checked: CheckedCall;
	readonly facts: Pick<PolicyFacts, 'tokens'>;
}

/**
 * The name of a write that a service keeps, among those of its execution. A key counts for one account.
 *
 * @example nameUnderKey({ key: 'token 1' }, 'n8n-5f16') // '["token 1","n8n-5f16"]'
 */
export const nameUnderKey = (account: WriteAccount, key: string): string =>
	JSON.stringify([accountName(account), key]);

/**
 * The name of a write among those of its execution. Where the service keeps no writes, a model may give one number to several
 * calls, and what was sent once may be sent again.
 *
 * @example const name = nameOf(sending);
 */
export function nameOf({ budget, pinned, key, isKept, call }: Counted): string {
	const account = accountOf(pinned);
	if (isKept) return nameUnderKey(account, key.first);
	for (let further = 0; ; further++) {
		const name = JSON.stringify([accountName(account), key.first, call.digest, further]);
		const state = sentWrites.find(budget, name)?.state;
		if (state === undefined || state === 'begun') return name;
	}
}

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

const ownAmounts = (write: Named, list: CheckedList | undefined): Amounts => {
	const { name } = write;
	return list?.amounts.get(name) ?? sentWrites.find(write.budget, name)?.amounts ?? [];
};

/**
 * What the other writes of an execution have moved with the credential, and those that a checked list has before this one.
 *
 * @example const { value, tokens } = spentBefore(write, checked, undefined);
 */
export function spentBefore(
	write: Named,
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
	list.amounts.set(sending.name, amounts);
}
