import type { Item } from '../../../request/run/item';
import { parseChoice } from '../../../values/choice';
import { parseWholeAmount } from '../../../values/decimal';
import { isHash } from '../../../values/hashes';
import { InvalidInputError } from '../../../values/invalid-input';
import { quote } from '../../../values/quote';
import { parseTime } from '../../../values/time';
import { LookUps } from '../../look-ups/look-ups';
import type { Recipient } from '../../look-ups/recipient';
import { parseToken, parseTokenFilter } from '../../read-token';
import { readRecipient, walletOf } from '../../look-ups/recipient';
import type { Seeker } from '../../look-ups/user-addresses';
import { FIND_BY, findBy, submittedAt, transactionHash, transferredAmount } from './parameters';
import type { Question } from './question';

/** What an item looks for, as far as its parameters say it. */
export interface Asked extends Omit<Question, 'toAddress'> {
	readonly recipient?: Recipient;
}

function readHash({ read }: Item): string {
	const value = read(transactionHash.name, '');
	const hash = typeof value === 'string' ? value.trim() : value;
	if (isHash(hash)) return hash.toLowerCase();
	throw new InvalidInputError({
		parameter: transactionHash.name,
		value,
		message: `${quote(value)} is no transaction hash`,
		hint: 'Give the hash that Write or Send put out: 0x and 64 hexadecimal digits, for example {{ $json.hash }}',
	});
}

function readSubmittedAt({ read }: Item): number | undefined {
	const value = read(submittedAt.name, 'unknown');
	if (value === 'unknown' || value === '') return undefined;
	return parseTime(value, submittedAt.name);
}

/** What is told of a transfer beside its hash. */
function readTold({ read }: Item): Asked {
	const isGiven = (name: string): boolean => read(name, '') !== '';
	const token = parseTokenFilter(read('token', ''))?.toLowerCase();
	return {
		...(token !== undefined && { tokenAddress: token }),
		...(isGiven('recipient') && { recipient: readRecipient(read) }),
		...(isGiven('amount') && { amount: parseWholeAmount(read('amount', ''), 'amount') }),
	};
}

/** @throws InvalidInputError that names the parameter. */
export function readAsked(item: Item): Asked {
	const by = parseChoice(item.read(findBy.name, findBy.default), FIND_BY, findBy.name);
	const since = readSubmittedAt(item);
	if (by === 'hash') {
		return { hash: readHash(item), ...readTold(item), ...(since !== undefined && { since }) };
	}
	if (since === undefined) {
		throw new InvalidInputError({
			parameter: submittedAt.name,
			value: 'unknown',
			message: 'Without a time, an older transfer of the same amount would be taken for this one',
			hint: 'Give the time from which on the transfer counts, for example {{ $json.submittedAt }}',
		});
	}
	return {
		tokenAddress: parseToken(item.read('token', '')).toLowerCase(),
		recipient: readRecipient(item.read),
		amount: parseWholeAmount(item.read(transferredAmount.name, ''), transferredAmount.name),
		since,
	};
}

/** The question with the wallet of the recipient looked up. @throws InvalidInputError, ServiceError */
export async function completeQuestion(
	{ recipient, ...rest }: Asked,
	seeker: Seeker,
): Promise<Question> {
	if (recipient === undefined) return rest;
	const token = rest.tokenAddress ?? '';
	const wallet = await walletOf(recipient, token, new LookUps(seeker, token));
	return { ...rest, toAddress: wallet.toLowerCase() };
}
