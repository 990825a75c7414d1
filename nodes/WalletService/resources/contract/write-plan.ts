import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { readActiveCredential } from '../../request/credential/active-credential';
import { baseUrlOf } from '../../request/credential/base-url';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { Plan } from '../../request/run/plan';
import type { Run } from '../../request/run/run';
import type { ReadParameter } from '../../request/run/read-parameter';
import { isItem, isObject } from '../../values/objects';
import { settle } from '../../values/settle';
import { parseSwitch } from '../../values/choice';
import type { WriteResult } from '../../writes/earlier-try';
import { earlierResult, submittedLine } from '../../writes/earlier-try';
import { assertMayPreview, sendWrite } from '../../writes/send-write';
import { answerItems } from '../answer-items';
import { completeCall, planCall } from './contract-call';
import { describeWrite } from '../writing/describe-write';
import { lookUp, needsNothing, NOTHING } from '../look-ups/look-ups';
import { introduceCall, NOT_SENT, previewOf, readPreview } from '../writing/preview';
import { simplifyWrite } from '../writing/simplify-write';

const OTHER_VALUES =
	'An earlier try of this item was sent with other values. Nothing was sent now: "sentCall" is what was sent, "requestedCall" what this try asks for.';
const UNREADABLE =
	'An earlier try of this item was sent. Nothing was sent now: "sentCall" is what was sent; what this try asks for cannot be read or looked up.';

/** The fields of an item for a recorded answer: that it is one, and both calls if this try asks for another one. */
function replayFields({ replayOf, call, earlierHashes = [] }: WriteResult): IDataObject {
	const earlier = earlierHashes.length === 0 ? {} : { earlierHashes: [...earlierHashes] };
	if (replayOf === undefined) return earlier;
	if (replayOf.digest === call?.digest) return { replayed: true, ...earlier };
	return {
		...{ replayed: true, ...earlier },
		warning: call === undefined ? UNREADABLE : OTHER_VALUES,
		sentCall: { ...replayOf.shown },
		...(call !== undefined && { requestedCall: { ...call.shown } }),
	};
}

/** Records a completed write in the run, whose failure must not hide it. */
function noteSubmitted({ index }: Item, run: Run, result: WriteResult): void {
	if (isItem(result.answer)) run.submitted.push(submittedLine(index, result));
}

/** Whether an item is sent although an earlier sending may have succeeded. @throws InvalidInputError unless it is a switch. */
function readResend(read: ReadParameter): boolean {
	const options = read('options', {});
	const { resendWhenUnknown = false } = isObject(options) ? options : {};
	return parseSwitch(resendWhenUnknown, 'Options: Resend When Unknown');
}

/** What a write operation adds to the way that all writes go. */
export interface Submission<Call extends CheckedCall> {
	/** The call of an item. @throws InvalidInputError, or ServiceError when something cannot be looked up. */
	readonly complete: (item: Item, run: Run, client: ServiceClient) => Promise<Call>;
	/** Asked just before a call is sent; not for a recorded answer. @throws InvalidInputError */
	readonly assertPossible?: (call: Call, client: ServiceClient) => Promise<void>;
	/**
	 * Fields that stand before a call that is only shown: a sentence, and that nothing was submitted. It refuses what would be
	 * refused when it is sent. @throws InvalidInputError
	 */
	readonly introduce: (call: Call, run: Run, client: ServiceClient) => Promise<IDataObject>;
}

function submittedItems(
	planned: PromiseSettledResult<CheckedCall>,
	result: WriteResult,
	isSimple: boolean,
): IDataObject[] {
	// What an earlier try with other values was made of is not known here.
	const isAsPlanned =
		result.replayOf === undefined || result.replayOf.digest === result.call?.digest;
	const said =
		isAsPlanned && planned.status === 'fulfilled' ? describeWrite(planned.value) : undefined;
	const simplify = () => simplifyWrite(result, said);
	const items = answerItems(result.answer, isSimple ? simplify : undefined);
	return items.map((item) => ({ ...item, ...replayFields(result) }));
}

/**
 * The plan of an operation that submits a transaction: the one flow of all writes. A call that cannot be read must not
 * hide what an earlier try has sent.
 */
export function planSubmission<Call extends CheckedCall>(submission: Submission<Call>): Plan {
	const { complete, assertPossible, introduce } = submission;
	return async (item, run, { url, isSimple }) => {
		const { context } = item;
		const isPreview = readPreview(item.read);
		const mayResend = readResend(item.read);
		const show = async (planned: PromiseSettledResult<Call>, client: ServiceClient) => {
			if (planned.status === 'rejected') throw planned.reason;
			const call = planned.value;
			const credential = await assertMayPreview(context, call);
			const introduction = await introduce(call, run, client);
			run.warnOnce(context, NOT_SENT);
			return { ...introduction, ...previewOf(call, url, credential) };
		};
		const send = async (client: ServiceClient) => {
			const planned = await settle(complete(item, run, client));
			const result = isPreview
				? await earlierResult(context, planned, false)
				: await sendWrite(context, run, client, {
						...{ planned, mayResend },
						...(assertPossible !== undefined && {
							assertPossible: async () => {
								if (planned.status === 'fulfilled') await assertPossible(planned.value, client);
							},
						}),
					});
			if (result === undefined) return [await show(planned, client)];
			noteSubmitted(item, run, result);
			return submittedItems(planned, result, isSimple);
		};
		return { url, send };
	};
}

/** The plan of a contract write. */
export const planWrite: Plan = planSubmission({
	complete: async (item, run, client) => {
		const call = planCall(item.read, 'write');
		if (needsNothing(call)) return completeCall(call, 'write', NOTHING);
		// Before anything is looked up.
		const preparedFor = baseUrlOf(await readActiveCredential(item.context));
		const found = await lookUp(item, run, client, call);
		return { ...completeCall(call, 'write', found), preparedFor };
	},
	introduce: async (call) => await Promise.resolve(introduceCall(call)),
});
