import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import type { ServiceClient } from '../request/http/service-client';
import type { ServiceDescription } from '../request/http/service-description';
import { describeService } from '../request/http/service-description';
import { refuse } from '../values/invalid-input';
import type { WriteToSend } from './check/check-write';
import type { WriteResult } from './result';
import { keptResult } from './result';
import { notAsked } from './failures';
import type { WriteKey } from './key';
import { ORDER_ID, writeKey } from './key';
import { placeOf } from './place';
import { findKept } from './send/state-of-key';
import type { PinnedCredential } from './pinned-credential';

/**
 * Asks the service about a write. If it cannot be asked, it is unknown whether a write was sent that may have been
 * recorded before.
 *
 * @param unsent what prevents this attempt in any case
 * @throws `unsent`, or the failure to ask; ServiceError with an unknown outcome if the write may have been recorded
 * @example await ask(async () => await findRecorded(context, client, key, planned), true) // undefined, before it is sent
 */
export async function ask<T>(
	question: () => Promise<T>,
	mayBeKept: boolean,
	unsent?: unknown,
): Promise<T> {
	try {
		return await question();
	} catch (failure) {
		const reason = unsent ?? failure;
		throw mayBeKept ? notAsked(reason, failure) : reason;
	}
}

/**
 * What the service offers for a write.
 *
 * @param mayBeKept whether the service may have recorded the write before; if it cannot be asked, that is unknown
 * @throws InvalidInputError for an Order ID that it cannot keep; ServiceError if it cannot be asked, or does not say whether it can
 * @example (await offerFor(client, { planned, isOfTool: false }, await pinCredential(context))).keepsWrites // true
 */
export async function offerFor(
	client: ServiceClient,
	{ planned, orderId, isOfTool }: Pick<WriteToSend, 'planned' | 'orderId' | 'isOfTool'>,
	pinned?: PinnedCredential,
	mayBeKept = false,
): Promise<ServiceDescription> {
	// The error of the item itself comes first.
	const unsent: unknown = planned.status === 'rejected' ? planned.reason : undefined;
	const asking = async () => {
		const offer = await describeService(client, pinned, orderId !== undefined);
		// It may keep orders, and have paid this one.
		if (orderId !== undefined && offer.trouble) throw offer.trouble;
		return offer;
	};
	const offer = await ask(asking, mayBeKept, unsent);
	// In a tool, it tells equal calls apart, which this process does as well.
	if (offer.keepsWrites || orderId === undefined || isOfTool) return offer;
	const message =
		'This wallet service does not keep order numbers, so it cannot prevent a second payment';
	const hint =
		'Remove the Order ID; to pay each order once, use the node Remove Duplicates before this one';
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
	const found = await findKept(client, key, mayArrive);
	return found && (await keptResult(context, planned, found, key.orderId));
}

/**
 * The result that the service has recorded of a write that this attempt has not sent.
 *
 * @param find looks for the record; see {@link findRecorded}
 * @param mayBeKept whether it may have been recorded before
 * @throws what prevented this attempt, if nothing is recorded; ServiceError if the service cannot be asked
 * @example (await resultDespite(new Error('Not allowed'), async () => ({ answer: 7, submittedAt: '' }), true)).answer // 7
 */
export async function resultDespite(
	unsent: unknown,
	find: () => Promise<WriteResult | undefined>,
	mayBeKept: boolean,
): Promise<WriteResult> {
	const kept = await ask(find, mayBeKept, unsent);
	if (kept === undefined) throw unsent;
	return kept;
}

/**
 * Finds the order of a write that is only previewed; `undefined` without an Order ID, or before its payment.
 *
 * @throws InvalidInputError if the service keeps no orders
 * @example await findOrder(context, client, { planned, orderId: '1234', isOfTool: false }) // undefined, before the payment
 */
export async function findOrder(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	write: Pick<WriteToSend, 'planned' | 'orderId' | 'isOfTool'>,
): Promise<WriteResult | undefined> {
	const { orderId, planned } = write;
	if (orderId === undefined || !(await offerFor(client, write)).keepsWrites) return undefined;
	const key = writeKey(context, placeOf(context), { orderId });
	return await findRecorded(context, client, key, planned);
}
