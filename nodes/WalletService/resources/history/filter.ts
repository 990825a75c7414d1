import type { INodeProperties } from 'n8n-workflow';

import type { Decimal } from '../../values/decimal';
import { subtract } from '../../values/decimal';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseWholeAmount } from '../../values/amount';
import { parseChoice } from '../../values/choice';
import { refuse } from '../../values/invalid-input';
import { isItem } from '../../values/objects';
import { parseTime } from '../../values/clock';
import { tokenParameter } from '../parameters';
import { parseTokenFilter } from '../read-token';
import type { Direction, HistoryEntry } from './transfer';
import { directionOf, oddEntry } from './transfer';

export const direction: INodeProperties = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	options: [
		{ name: 'Any', value: 'any', description: 'Received and sent' },
		{ name: 'Received', value: 'received', description: 'The user received the tokens' },
		{ name: 'Sent', value: 'sent', description: 'The user sent the tokens' },
	],
	default: 'any',
	description: "Direction of the transfers, as seen from the user's wallet",
};

export const onlyToken: INodeProperties = {
	...tokenParameter,
	required: false,
	modes: tokenParameter.modes?.map((mode) => ({ ...mode, hint: 'Leave empty for all tokens' })),
	description:
		'Only transfers of this token. Choose it from the list, or paste the address of its contract. Leave empty for all tokens.',
};

export const minimumAmount: INodeProperties = {
	displayName: 'Minimum Amount',
	name: 'minimumAmount',
	type: 'string',
	default: '',
	placeholder: 'e.g. 12.5',
	description:
		'Only transfers of at least this amount, in whole tokens. Requires a Token, because amounts of different tokens cannot be compared. Leave empty for any amount.',
};

const since: INodeProperties = {
	displayName: 'Since',
	name: 'since',
	type: 'dateTime',
	default: '',
	placeholder: 'e.g. 2026-11-21T13:28:22Z',
	description:
		'Only transfers from this time on. A time without a time zone is UTC. Leave empty for any time.',
};

export const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description: 'Which transfers to return; the limit applies after filtering',
	options: [onlyToken, direction, minimumAmount, since],
};

export interface TransferFilter {
	readonly direction: Direction | 'any';
	/** Token contract, lower case. */
	readonly tokenAddress?: string;
	readonly minimumAmount?: Decimal;
	/** In milliseconds since 1970. */
	readonly since?: number;
}

export const DIRECTIONS = ['any', 'received', 'sent'] as const;

/** Refuses an amount without a token: amounts of different tokens cannot be compared. @throws InvalidInputError */
export function checkFilter(filter: TransferFilter): TransferFilter {
	const { minimumAmount: amount, tokenAddress } = filter;
	if (amount === undefined || amount.digits === 0n || tokenAddress !== undefined) return filter;
	const hint = 'Choose a token first, or leave the amount empty';
	return refuse('minimumAmount', 'A minimum amount needs a token', hint);
}

/** Reads an item's filter; an empty one matches every transfer. @throws InvalidInputError that names the invalid entry. */
export function readFilter(read: ReadParameter): TransferFilter {
	const given = read(filters.name, filters.default);
	const { direction: way = 'any', token, ...rest } = isItem(given) ? given : {};
	const { minimumAmount: amount = '', since: from = '' } = rest;
	return checkFilter({
		direction: parseChoice(way, DIRECTIONS, 'direction'),
		tokenAddress: parseTokenFilter(token)?.toLowerCase(),
		minimumAmount: amount === '' ? undefined : parseWholeAmount(amount, 'minimumAmount'),
		since: from === '' ? undefined : parseTime(from, 'since'),
	});
}

function isFrom(transfer: HistoryEntry, from: number): boolean {
	const { time, entry } = transfer;
	if (Number.isNaN(time)) throw oddEntry('timestamp', entry.timestamp, transfer);
	return time >= from;
}

/** Whether a transfer matches a filter, apart from its direction. @throws ServiceError if it has no valid time. */
export function matchesWhat(transfer: HistoryEntry, filter: TransferFilter): boolean {
	const { tokenAddress, minimumAmount: amount, since: from } = filter;
	return (
		(tokenAddress === undefined || transfer.tokenAddress === tokenAddress) &&
		(amount === undefined || subtract(transfer.amount, amount).digits >= 0n) &&
		(from === undefined || isFrom(transfer, from))
	);
}

/** Whether a transfer has the wanted direction. @param address of the user's wallet, lower case */
export function matchesDirection(
	transfer: HistoryEntry,
	filter: TransferFilter,
	address: string,
): boolean {
	return filter.direction === 'any' || directionOf(transfer, address) === filter.direction;
}

/** Whether a filter matches every transfer. */
export function takesAll({ direction: way, ...others }: TransferFilter): boolean {
	return way === 'any' && Object.values(others).every((one) => one === undefined);
}
