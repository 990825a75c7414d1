import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { ROUTES } from '../../request/http/routes';
import { ServiceClient } from '../../request/http/service-client';
import { describeService, knownDescription } from '../../request/http/service-description';
import type { Item } from '../../request/run/item';
import type { Plan } from '../../request/run/plan';
import type { Ahead, Run } from '../../request/run/run';
import { perRun } from '../../request/run/run';
import { executionIdOf, isTool } from '../../request/run/tool-call';
import { defined, isItem } from '../../values/objects';
import { settle } from '../../values/settle';
import { earlierResult, earlierWrites, submittedLine, withEarlierTry } from '../../writes/result';
import { assertSender } from '../../writes/account';
import type { WriteToSend } from '../../writes/check/check-write';
import { placeOf } from '../../writes/place';
import { assertNamesNodes } from '../../writes/check/item-expressions';
import { openPlanned, pinCredential } from '../../writes/pinned-credential';
import { lookUpForPolicy } from '../../writes/policy/policy';
import { findOrder } from '../../writes/ask-service';
import { foresee } from '../../writes/retry/in-retry';
import { sendWrite } from '../../writes/send/send-write';
import { tryRecordOf } from '../../writes/tries';
import type { GetCredentials } from '../../request/credential/shared-credential';
import { policyLookUps } from '../look-ups/policy-look-ups';
import { refusalInWords } from './describe-write';
import { assertDone } from './failed-write';
import { introduceCall, previewOf } from './preview';
import { sentBefore } from './replays';
import { submittedItems } from './submitted-items';
import type { Where } from './where';
import type { Wish } from './wish';
import { readWish } from './wish';

const SENT_AGAIN =
	'Send Again is on, so what the retried execution sent for this item did not count.';

const NOT_SENT =
	'Try Without Sending is on: items whose summary begins with "Would" were not sent.';

/** Hint above the output in the editor, where n8n reruns a node whose output was lost in a reload. */
const PIN =
	'Sent. Pin this output (P on the canvas) to keep it: after 24 hours, executing this step again sends again.';

/** The part of a write operation that differs from other writes. */
export interface Submission<Call extends CheckedCall> {
	/** The call of an item. @throws InvalidInputError, or ServiceError if a look-up fails. */
	readonly complete: (item: Item, client: ServiceClient) => Promise<Call>;
	/** Runs just before a call is sent, but not for a recorded answer. */
	readonly assertPossible?: (call: Call, client: ServiceClient, ahead?: Ahead) => Promise<void>;
	/**
	 * The simplified preview: a sentence, its parts and `submitted: false`. The default describes any call and includes
	 * its request. It refuses everything that sending would refuse.
	 *
	 * @throws InvalidInputError
	 */
	readonly introduce?: (
		call: Call,
		where: Where,
		client: ServiceClient,
		run: Run,
	) => IDataObject | Promise<IDataObject>;
}

/** An item of a list, read and looked up. */
interface Prepared<Call> {
	readonly wish: Wish;
	readonly planned: PromiseFulfilledResult<Call>;
}

/**
 * Creates the flow of an operation that submits a transaction. An unreadable call must not hide the submission of an
 * earlier attempt.
 */
export function submission<Call extends CheckedCall>(given: Submission<Call>) {
	const { complete, assertPossible, introduce = introduceCall } = given;
	/** What the items of a checked list ask for: what was checked is what is sent, whatever expressions give later. */
	const preparedOf = perRun(() => new Map<number, Prepared<Call>>());
	const lastCheckOf = (planned: PromiseSettledResult<Call>): WriteToSend['assertPossible'] =>
		assertPossible && planned.status === 'fulfilled'
			? async (client, ahead) => await assertPossible(planned.value, client, ahead)
			: undefined;
	const plan: Plan = async (item, run, { url, isSimple }) => {
		const { context } = item;
		assertNamesNodes(context);
		const isOfTool = isTool(context);
		const prepared = preparedOf(run).get(item.index);
		const wish = prepared?.wish ?? readWish(item);
		const { isPreview, sendsAgain, orderId, sender } = wish;
		const lookUps = (getCredentials: GetCredentials) => policyLookUps(context, run, getCredentials);
		const show = async (planned: PromiseSettledResult<Call>, client: ServiceClient) => {
			if (planned.status === 'rejected') throw planned.reason;
			const call = planned.value;
			const pinned = await pinCredential(context);
			const { credential, getCredentials } = pinned;
			// Nothing counts as spent yet, because earlier amounts must not cause an item that sends nothing to fail.
			const spent = { value: 0n, tokens: 0n };
			await lookUpForPolicy(credential, call, spent, () => lookUps(getCredentials));
			if (run.ahead !== undefined) {
				await assertPossible?.(call, client, run.ahead);
				return {};
			}
			const described = await describeService(client, pinned);
			const { user = pinned.userId, userName, userAddress, network } = described;
			const where = { network, user, userName, userAddress };
			const payer = { userId: user, userName, network };
			assertSender(pinned, sender, described.user);
			const introduction = await introduce(call, where, client, run);
			run.warnOnce(context, NOT_SENT);
			const isEnough = isSimple && given.introduce !== undefined;
			if (isEnough) return introduction;
			return defined({ ...introduction, ...payer, ...previewOf(call, pinned, described, orderId) });
		};
		const send = async (client: ServiceClient) => {
			const planned = prepared?.planned ?? (await settle(complete(item, client)));
			if (run.ahead === undefined) preparedOf(run).delete(item.index);
			else if (planned.status === 'fulfilled') preparedOf(run).set(item.index, { wish, planned });
			const before = isPreview ? tryRecordOf(context, placeOf(context)) : undefined;
			const write = {
				planned,
				sendsAgain,
				orderId,
				sender,
				isOfTool,
				lookUps,
				assertPossible: lastCheckOf(planned),
			};
			const find = async () =>
				before
					? await earlierResult(context, planned, before)
					: await findOrder(context, client, write);
			const sending = isPreview ? find() : sendWrite(context, run, client, write);
			const result = await sending.catch((error: unknown) => {
				throw planned.status === 'fulfilled' ? refusalInWords(error, planned.value) : error;
			});
			if (result === undefined) return isPreview ? [await show(planned, client)] : [];
			await assertDone(context, client, result, planned);
			// The run records the submission, so that its own failure cannot hide it.
			if (isItem(result.answer)) run.submitted.push(submittedLine(run.nameOf(item.index), result));
			if (run.ahead !== undefined) return [];
			const execution = [result.execution].find((id) => id !== executionIdOf(context));
			// An order is never sent again, and its summary says so; a tool's output cannot be pinned.
			if (orderId === undefined && execution !== undefined && !isOfTool)
				run.warnOnce(context, sentBefore(result, execution, run.total > 1), 'sent before');
			else if (orderId === undefined && !isPreview && context.getMode() === 'manual' && !isOfTool)
				run.warnOnce(context, PIN);
			const isSentAgain = sendsAgain && !isPreview && context.getMode() === 'retry';
			const warning = isSentAgain && result.replayOf === undefined ? SENT_AGAIN : undefined;
			const shown = { isSimple, isPreview, warning, known: knownDescription(client) };
			return submittedItems(context, planned, { ...result, execution }, shown);
		};
		return { url, send };
	};
	const foreseen = async (item: Item, run: Run) => {
		const { context } = item;
		const wish = readWish(item);
		const { isPreview, sendsAgain, orderId } = wish;
		// These are not answered by what was sent.
		if (isTool(context) || isPreview || sendsAgain) return;
		const planned = await settle(complete(item, new ServiceClient(context, run)));
		if (planned.status === 'fulfilled') preparedOf(run).set(item.index, { wish, planned });
		foresee(context, run, placeOf(context), { ...(await openPlanned(context, planned)), orderId });
	};
	return {
		route: ROUTES.write,
		foresee: foreseen,
		// Keeps nonces in the order of the items.
		isSequential: true as const,
		plan,
		explain: ({ context }: Item, error: unknown) => withEarlierTry(context, error),
		recall: ({ context }: Item, run: Run) => earlierWrites(context, run.nameOf),
	};
}
