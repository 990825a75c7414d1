import { id } from 'ethers';
import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { randomString } from 'n8n-workflow';

import { orderKey } from './order-key';
import type { Place } from './place';
import { executionOf } from './place';
import { scopeText } from './scope-text';

/** The parameter with the number of an order. */
export const ORDER_ID = 'orderId';

/** What to do about an order that was sent with other values. */
export const ORDER_CONFLICT =
	'Nothing was sent now. If this is another order, give it another Order ID';

/** The name of a write at a service that keeps it for ever: the same write has the same key, whoever repeats it. */
export interface WriteKey {
	/** The number or text of an order, which replaces the place; absent for the key of a place. */
	readonly orderId?: string;
	/** The first one, by which the write is recognized. */
	readonly first: string;
	/** @param ordinal how often the write was certainly not carried out under an earlier key, from 0 */
	at(ordinal: number): string;
}

/** What decides the key of a write, besides its place. */
export interface KeyParts {
	/** The order that it pays. */
	readonly orderId?: string | undefined;
	/**
	 * Whether the service says that it keeps orders, as by default. Another one gets the number all the same: something before
	 * it may have answered the question.
	 */
	readonly isKept?: boolean;
	/** Whether it is a further write, whatever was sent before. */
	readonly sendsAgain?: boolean;
	/** The call of a tool, which a model never makes twice in one execution. */
	readonly ofTool?: string;
}

/**
 * The key of a write: its Order ID, a hash of a tool's call, or a hash of its place. No value of an expression is part of the
 * key of a place, because n8n evaluates expressions again for each attempt.
 *
 * @example writeKey(context, placeOf(context)).first // 'n8n-5f16…'
 */
export function writeKey(
	context: IExecuteSingleFunctions,
	place: Place,
	{ orderId, isKept = true, sendsAgain = false, ofTool }: KeyParts = {},
): WriteKey {
	if (orderId !== undefined) {
		// No Order ID begins with a space, so these keys belong to no other order.
		const first = orderKey(orderId);
		const at = (ordinal: number) => (ordinal === 0 ? first : ` ${ordinal} ${first}`);
		return isKept ? { orderId, first, at } : { first, at };
	}
	const { node, run, item } = place;
	const scope = ofTool === undefined ? place.scope : (executionOf(context) ?? place.scope);
	const invocation = scopeText(scope);
	const what = ofTool === undefined ? [node, run, item] : ['tool', ofTool];
	const parts = sendsAgain ? [randomString(32)] : [context.getInstanceId(), invocation, ...what];
	// Without `0x`, because a key must not be mistaken for the hash of a transaction.
	const at = (ordinal: number) => `n8n-${id(JSON.stringify([...parts, ordinal])).slice(2)}`;
	return { first: at(0), at };
}
