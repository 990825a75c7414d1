import type { INodeProperties } from 'n8n-workflow';

import type { ReadParameter } from '../../request/run/read-parameter';
import { parseChoice } from '../../values/choice';
import { parseWholeAmount } from '../../values/amount';
import { isHash } from '../../values/hashes';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { parseTime } from '../../values/clock';
import type { Recipient } from '../look-ups/recipient';
import { readRecipient, walletOf } from '../look-ups/recipient';
import { LookUps } from '../look-ups/look-ups';
import type { Seeker } from '../look-ups/user-addresses';
import { tokenParameter, userId } from '../parameters';
import { parseToken, parseTokenFilter } from '../read-token';
import { amount, recipient } from '../token/parameters';
import { waitUpTo, whenNot } from '../wait-up-to';
import type { TransferQuery } from './listing';

/** Ways to recognise a transfer. */
const FIND_BY = ['hash', 'content'] as const;

const byHash = { show: { findBy: ['hash'] } };
const byContent = { show: { findBy: ['content'] } };

const findBy: INodeProperties = {
	displayName: 'Find By',
	name: 'findBy',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Content',
			value: 'content',
			description: 'Token, recipient and amount, from a time on: any such transfer will do',
		},
		{
			name: 'Transaction Hash',
			value: 'hash',
			description: 'The very transaction that was submitted',
		},
	],
	default: 'hash',
	description: 'How the transfer is recognised in the history of the user',
};

const transactionHash: INodeProperties = {
	displayName: 'Transaction Hash',
	name: 'transactionHash',
	type: 'string',
	default: '={{ $json.hash }}',
	required: true,
	placeholder: 'e.g. 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
	description:
		'The hash that Token: Send or Contract: Write put out: 0x and 64 hexadecimal digits. Behind such a node it is filled in.',
	displayOptions: byHash,
};

const transferredToken: INodeProperties = {
	...tokenParameter,
	default: { __rl: true, mode: 'address', value: '={{ $json.tokenAddress }}' },
	description:
		'The token that was transferred. Behind Token: Send or Contract: Write it is filled in.',
	displayOptions: byContent,
};

const transferredTo: INodeProperties = {
	...recipient,
	default: '={{ $json.to }}',
	description:
		'Who gets the tokens: a user ID or a wallet address. Behind Token: Send or Contract: Write it is filled in.',
	displayOptions: byContent,
};

const transferredAmount: INodeProperties = {
	...amount,
	default: '={{ $json.amount }}',
	description:
		'How many tokens were transferred, exactly: 12.5 for twelve and a half. Behind Token: Send or Contract: Write it is filled in.',
	displayOptions: byContent,
};

/** By hash they are optional: then any transfer of the transaction will do. */
const alsoTold: readonly INodeProperties[] = [
	{
		...transferredToken,
		default: { mode: 'list', value: '' },
		description: 'If set, the transaction counts only if it transferred this token',
	},
	{
		...transferredTo,
		default: '',
		description:
			'If set, the transaction counts only if this user ID or wallet address received the tokens',
	},
	{
		...transferredAmount,
		default: '',
		description: 'If set, the transaction counts only if it transferred exactly this many tokens',
	},
].map((property) => ({ ...property, required: false, displayOptions: byHash }));

const submittedAt: INodeProperties = {
	displayName: 'Submitted At',
	name: 'submittedAt',
	type: 'string',
	default: '={{ $json.submittedAt ?? "unknown" }}',
	placeholder: 'e.g. 2026-11-21T13:28:22Z',
	description:
		'When the transfer was submitted; without a time zone, it is UTC. By content, only transfers from then on count. By hash it may be the word unknown: then the output does not say whether the list reaches back to it.',
};

export const whenNotSeen = whenNot(
	'An item in which seen is false, for an If node behind this one',
	{
		displayName: 'When Not Seen',
		name: 'whenNotSeen',
		description: 'What to do when the transfer is not listed when the time is over',
	},
);

/** What the user fills in, in the order of the form. */
export const findInput: readonly INodeProperties[] = [
	userId,
	findBy,
	transactionHash,
	...alsoTold,
	transferredToken,
	transferredTo,
	transferredAmount,
	submittedAt,
	waitUpTo,
	whenNotSeen,
];

/** What an item looks for, as far as its parameters say it. */
export interface WantedTransfer extends Omit<TransferQuery, 'toAddress'> {
	readonly recipient?: Recipient;
}

function readHash(read: ReadParameter): string {
	const value = read(transactionHash.name, '');
	const hash = typeof value === 'string' ? value.trim() : value;
	if (isHash(hash)) return hash.toLowerCase();
	return refuse(
		transactionHash.name,
		value,
		`${quote(value)} is no transaction hash`,
		'Give the hash that Write or Send put out: 0x and 64 hexadecimal digits, for example {{ $json.hash }}',
	);
}

/** @throws InvalidInputError that names the parameter. */
export function readWanted(read: ReadParameter): WantedTransfer {
	const by = parseChoice(read(findBy.name, findBy.default), FIND_BY, findBy.name);
	const time = read(submittedAt.name, 'unknown');
	const isUnknown = time === 'unknown' || time === '';
	const since = isUnknown ? undefined : parseTime(time, submittedAt.name);
	const readAmount = () => parseWholeAmount(read(amount.name, ''), amount.name);
	if (by === 'hash') {
		const isGiven = (name: string): boolean => read(name, '') !== '';
		return {
			hash: readHash(read),
			tokenAddress: parseTokenFilter(read(tokenParameter.name, ''))?.toLowerCase(),
			recipient: isGiven(recipient.name) ? readRecipient(read) : undefined,
			amount: isGiven(amount.name) ? readAmount() : undefined,
			since,
		};
	}
	if (since === undefined) {
		refuse(
			submittedAt.name,
			'unknown',
			'Without a time, an older transfer of the same amount would be taken for this one',
			'Give the time from which on the transfer counts, for example {{ $json.submittedAt }}',
		);
	}
	return {
		tokenAddress: parseToken(read(tokenParameter.name, '')).toLowerCase(),
		recipient: readRecipient(read),
		amount: readAmount(),
		since,
	};
}

/** What to look for, with the wallet of the recipient looked up. @throws InvalidInputError, ServiceError */
export async function completeQuery(
	{ recipient: to, ...rest }: WantedTransfer,
	seeker: Seeker,
): Promise<TransferQuery> {
	if (to === undefined) return rest;
	const token = rest.tokenAddress ?? '';
	const wallet = await walletOf(to, token, new LookUps(seeker, token));
	return { ...rest, toAddress: wallet.toLowerCase() };
}
