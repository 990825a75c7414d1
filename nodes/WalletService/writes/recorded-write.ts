import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import type { ServiceClient } from '../request/http/service-client';
import { describeService } from '../request/http/service-description';
import type { Ahead } from '../request/run/run';
import { refuse } from '../values/invalid-input';
import { quote } from '../values/quote';
import { settle } from '../values/settle';
import type { WriteToSend } from './check-write';
import type { WriteResult } from './earlier-try';
import { keptResult } from './earlier-try';
import type { WriteKey } from './identity';
import { ORDER_ID, placeOf, writeKey } from './identity';
import { findKept } from './key-record';
import { spentValue } from './memory/process-memory';
import type { PinnedCredential } from './pinned-credential';

/**
 * Whether the service keeps writes.
 *
 * @throws InvalidInputError for an Order ID that it cannot keep
 * @example await keepsWrites(client, { planned, orderId: undefined }, await pinCredential(context)) // true
 */
export async function keepsWrites(
	client: ServiceClient,
	{ planned, orderId }: Pick<WriteToSend<CheckedCall>, 'planned' | 'orderId'>,
	pinned?: PinnedCredential,
) {
	const asked = await settle(describeService(client, pinned));
	// The error of the item itself comes first.
	if (asked.status === 'rejected')
		throw planned.status === 'rejected' ? planned.reason : asked.reason;
	const { keepsWrites: isKept } = asked.value;
	if (isKept || orderId === undefined) return isKept;
	const message =
		'This wallet service does not keep order numbers, so it cannot prevent a second payment';
	const hint =
		'Remove Order ID under Options; to pay each order once, use the node Remove Duplicates before this one';
	return refuse(ORDER_ID, message, hint);
}

/**
 * Finds the result of a write that the service has recorded; see {@link findKept}.
 *
 * @example await findRecorded(context, client, key, planned) // undefined, before it is sent
 */
export async function findRecorded(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	key: WriteKey,
	planned: PromiseSettledResult<CheckedCall>,
	mayArrive = false,
): Promise<WriteResult | undefined> {
	const answer = await findKept(client, key, mayArrive);
	return answer && (await keptResult(context, planned, answer, key.orderId));
}

/**
 * Finds the order of a write that is only previewed; `undefined` without an Order ID, or before its payment.
 *
 * @throws InvalidInputError if the service keeps no orders
 * @example await findOrder(context, client, { planned, orderId: '1234' }) // undefined, before the payment
 */
export async function findOrder(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	write: Pick<WriteToSend<CheckedCall>, 'planned' | 'orderId'>,
): Promise<WriteResult | undefined> {
	const { orderId, planned } = write;
	if (orderId === undefined || !(await keepsWrites(client, write))) return undefined;
	const key = writeKey(context, placeOf(context), { orderId });
	return await findRecorded(context, client, key, planned);
}

/**
 * Whether an order stands in a checked list before, so that it will be paid once.
 *
 * @throws InvalidInputError if it has other values there
 * @example isRepeatedInList(new Map(), '1234', `0x${'ab'.repeat(32)}`) // false
 */
export function isRepeatedInList(ahead: Ahead, orderId: string, digest: string): boolean {
	const key = `order ${orderId}`;
	const before = spentValue.of(ahead).get(key);
	if (before === undefined) spentValue.add(ahead, [[key, BigInt(digest)]]);
	if (before === undefined || before === BigInt(digest)) return before !== undefined;
	const message = `The list has order ${quote(orderId)} twice, with different values`;
	return refuse(ORDER_ID, message, 'Give each payment its own Order ID');
}
