import type { INodeProperties } from 'n8n-workflow';

import { isOfToken } from '../../contract/token-amount';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { ReadParameter } from '../../request/run/read-parameter';
import { isAddress } from '../../values/address';
import { parseWholeAmount } from '../../values/amount';
import { refuse } from '../../values/invalid-input';
import { parseHashOrPage } from '../../values/urls';
import { isUserId } from '../../values/user-id';
import { LookUps, readRecipient, walletOf } from '../look-ups/look-ups';
import { tokenParameter, userId } from '../parameters';
import { parseToken, parseTokenFilter } from '../read-token';
import { amount, recipient } from '../token/parameters';
import { waitUpTo } from '../wait-options';
import type { FindOptions } from './find-options';
import { byContent, byHash, byPayment, savedBesideHash, SUBMITTED_AT } from './find-options';
import type { TransferQuery } from './listing';

export const transactionHash: INodeProperties = {
	displayName: 'Transaction Hash',
	name: 'transactionHash',
	type: 'string',
	default: '={{ $json.hash }}',
	required: true,
	placeholder: 'e.g. 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
	description:
		'The hash from Token: Send or Contract: Write (0x and 64 hexadecimal digits), or the page of the transaction in a block explorer. Filled in automatically after such a node.',
};

const transferredToken: INodeProperties = {
	...tokenParameter,
	default: { __rl: true, mode: 'address', value: '={{ $json.tokenAddress }}' },
	description:
		'The transferred token. Filled in automatically after Token: Send or Contract: Write.',
	displayOptions: byContent,
};

const transferredTo: INodeProperties = {
	...recipient,
	default: '={{ $json.to }}',
	description:
		'Who receives the tokens: a user ID or a wallet address. Filled in automatically after Token: Send or Contract: Write.',
	displayOptions: byContent,
};

const transferredAmount: INodeProperties = {
	...amount,
	default: '={{ $json.amount }}',
	description:
		'The exact number of tokens, such as 12.5. Filled in automatically after Token: Send or Contract: Write.',
	displayOptions: byContent,
};

/** Optional fields of a search by hash and payment; without them, any transfer of the transaction matches. */
const optionalFields: readonly INodeProperties[] = [
	{
		...transferredToken,
		default: { __rl: true, mode: 'list', value: '' },
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
].flatMap((property) => {
	const optional = { ...property, required: false };
	return [{ ...optional, displayOptions: byPayment }, ...savedBesideHash(optional)];
});

export const pinWhatSent: INodeProperties = {
	displayName:
		'Pin the output of the sending step first, or paste its transaction hash; otherwise executing this step may send again.',
	name: 'pinWhatSent',
	type: 'notice',
	default: '',
	displayOptions: { hide: { '@tool': [true] } },
};

/** The input fields, in the order of the form. */
export const findInput: readonly INodeProperties[] = [
	pinWhatSent,
	userId,
	{ ...transactionHash, displayOptions: byHash },
	...optionalFields,
	transferredToken,
	transferredTo,
	transferredAmount,
	waitUpTo,
];

/** The wanted transfer as entered, before its recipient is looked up. */
export interface WantedTransfer extends Omit<TransferQuery, 'toAddress'> {
	readonly recipient?: string;
}

/** Reads the hash of a transaction, lower case, also from its page in a block explorer. @throws InvalidInputError */
export function readHash(read: ReadParameter): string {
	return parseHashOrPage(read(transactionHash.name, ''), transactionHash.name);
}

/** Reads the wanted transfer. @throws InvalidInputError that names the parameter. */
export function readWanted(read: ReadParameter, { by, since }: FindOptions): WantedTransfer {
	const readAmount = () => parseWholeAmount(read(amount.name, ''), amount.name);
	if (by !== 'content') {
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
			SUBMITTED_AT,
			'Without a time, an older transfer of the same amount could be mistaken for this one',
			'Enter the time of submission, for example {{ $json.submittedAt }}',
		);
	}
	return {
		tokenAddress: parseToken(read(tokenParameter.name, '')).toLowerCase(),
		recipient: readRecipient(read),
		amount: readAmount(),
		since,
	};
}

function wantedAmount(text: unknown): TransferQuery['amount'] {
	try {
		return parseWholeAmount(text, amount.name, undefined, isOfToken);
	} catch {
		return undefined;
	}
}

/** The transfer as the item describes it, which decides only between several transfers: what is unreadable is absent. */
export function describedTransfer({ context, index }: Item): WantedTransfer {
	const fields = '{{ [$json.tokenAddress, $json.to ?? $json.recipient, $json.amount] }}';
	const [token, to, number]: unknown[] = [context.evaluateExpression(fields, index)].flat();
	return {
		tokenAddress: isAddress(token) ? token.toLowerCase() : undefined,
		recipient: isAddress(to) || isUserId(to) ? to : undefined,
		amount: wantedAmount(number),
	};
}

/** Looks up the recipient's wallet and returns the search query. @throws InvalidInputError, ServiceError */
export async function completeQuery(
	{ recipient: to, ...rest }: WantedTransfer,
	client: ServiceClient,
): Promise<TransferQuery> {
	if (to === undefined) return rest;
	const token = rest.tokenAddress ?? '';
	const wallet = await walletOf(to, token, new LookUps(client, token));
	return { ...rest, toAddress: wallet.toLowerCase() };
}
