import { unexpectedAnswer } from '../../request/http/answer';
import type { Decimal } from '../../values/decimal';
import { subtract } from '../../values/decimal';
import { InvalidInputError } from '../../values/invalid-input';
import type { Direction, Transfer } from './transfer';
import { directionOf } from './transfer';

/** Which transfers of a wallet are wanted. */
export interface TransferFilter {
	readonly direction: Direction | 'any';
	/** Token contract, lower case; any when absent. */
	readonly tokenAddress: string | undefined;
	/** Any when absent. */
	readonly minimumAmount: Decimal | undefined;
	/** In milliseconds since 1970; any time when absent. */
	readonly since?: number | undefined;
}

export const DIRECTIONS = ['any', 'received', 'sent'] as const;

/**
 * Checks what a filter alone tells to be wrong.
 *
 * @throws InvalidInputError for an amount of no token: amounts of different tokens cannot be compared.
 */
export function checkFilter(filter: TransferFilter): TransferFilter {
	const { minimumAmount, tokenAddress } = filter;
	if (minimumAmount === undefined || minimumAmount.digits === 0n) return filter;
	if (tokenAddress !== undefined) return filter;
	throw new InvalidInputError({
		parameter: 'minimumAmount',
		message: 'An amount says nothing without a token',
		hint: 'Choose the Token whose transfers are meant, or leave the amount empty',
	});
}

function isSince({ time, entry }: Transfer, since: number | undefined): boolean {
	if (since === undefined) return true;
	if (Number.isNaN(time)) throw unexpectedAnswer('a transfer with a time', entry);
	return time >= since;
}

/** Whether a transfer is wanted, as far as that does not depend on whose it is. @throws ServiceError when it has no time. */
export function matchesWhat(transfer: Transfer, filter: TransferFilter): boolean {
	const { tokenAddress, minimumAmount, since } = filter;
	return (
		(tokenAddress === undefined || transfer.tokenAddress === tokenAddress) &&
		(minimumAmount === undefined || subtract(transfer.amount, minimumAmount).digits >= 0n) &&
		isSince(transfer, since)
	);
}

/** Whether a transfer went the wanted way. @param address the wallet from which it is seen, lower case */
export function matchesDirection(
	transfer: Transfer,
	{ direction }: TransferFilter,
	address: string,
): boolean {
	return direction === 'any' || directionOf(transfer, address) === direction;
}

/** Whether a filter takes every transfer. */
export function takesAll({
	direction,
	tokenAddress,
	minimumAmount,
	since,
}: TransferFilter): boolean {
	return (
		direction === 'any' && [tokenAddress, minimumAmount, since].every((one) => one === undefined)
	);
}
