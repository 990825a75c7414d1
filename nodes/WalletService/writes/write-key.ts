import { id } from 'ethers';
import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { randomString } from 'n8n-workflow';

import type { Place } from './identity';
import { ownExecution, placeOf } from './identity';

/** The parameter with the number of an order. */
export const ORDER_ID = ['options', 'orderId'];

/** The name of a write at a service that keeps it for ever: the same write has the same key, whoever repeats it. */
export interface WriteKey {
	/** The number or text of an order, which replaces the place; absent for the key of a place. */
	readonly orderId?: string;
	/** @param ordinal how often the write was certainly not carried out under an earlier key, from 0 */
	at(ordinal: number): string;
}

/** Keys of tool calls, which no execution identifies, by the object of their place. */
const invocations = new WeakMap<object, string>();

function invocationKey(scope: object): string {
	const known = invocations.get(scope) ?? randomString(32);
	invocations.set(scope, known);
	return known;
}

/**
 * The key of a write: its Order ID, or a hash of its place. No value of an expression is part of the key of a place,
 * because n8n evaluates expressions again for each attempt.
 *
 * @param isNew whether the write is separate from the one at the same place of a retried execution
 * @example writeKey(context, placeOf(context)).at(0) // 'n8n-5f16…'
 */
export function writeKey(
	context: IExecuteSingleFunctions,
	place: Place,
	{ orderId, isNew = false }: { readonly orderId?: string; readonly isNew?: boolean } = {},
): WriteKey {
	if (orderId !== undefined) {
		// No Order ID begins with a space, so these keys belong to no other order.
		return { orderId, at: (ordinal) => (ordinal === 0 ? orderId : ` ${ordinal} ${orderId}`) };
	}
	const { scope, node, run, item } = isNew ? placeOf(context, ownExecution(context)) : place;
	const invocation = typeof scope === 'string' ? scope : invocationKey(scope);
	const parts = [context.getInstanceId(), invocation, node, run, item];
	// Without `0x`, because a key must not be mistaken for the hash of a transaction.
	return { at: (ordinal) => `n8n-${id(JSON.stringify([...parts, ordinal])).slice(2)}` };
}
