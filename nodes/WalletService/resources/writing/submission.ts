import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { calldata, selector } from '../../contract/call';
import { functionKey } from '../../contract/function';
import { unexpectedAnswer } from '../../request/http/answer';
import { ROUTES } from '../../request/http/routes';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { Plan } from '../../request/run/plan';
import { readOptions } from '../../request/run/read-parameter';
import { isTool } from '../../request/run/tool-call';
import { defined, isItem } from '../../values/objects';
import { settle } from '../../values/settle';
import { parseSwitch } from '../../values/choice';
import type { WriteResult } from '../../writes/earlier-try';
import {
	earlierResult,
	earlierTry,
	earlierWrites,
	submittedLine,
	withEarlierTry,
} from '../../writes/earlier-try';
import type { WriteToSend } from '../../writes/send-write';
import { pinCredential } from '../../writes/pinned-credential';
import { lookUpForPolicy } from '../../writes/policy/policy';
import { sendWrite } from '../../writes/send-write';
import { answerItems } from '../answer-items';
import type { GetCredentials } from '../../request/credential/shared-credential';
import { withResolvedAddresses } from '../look-ups/look-ups';
import { policyLookUps } from '../look-ups/policy-look-ups';
import type { Seeker } from '../look-ups/user-addresses';
import { preview } from '../parameters';
import type { WriteInWords } from './describe-write';
import { describeWrite, refusalInWords } from './describe-write';

const OTHER_VALUES =
	'An earlier try of this item was sent with other values. Nothing was sent now: "sentCall" is what was sent, "requestedCall" what this try asks for.';
const UNREADABLE =
	'An earlier try of this item was sent. Nothing was sent now: "sentCall" is what was sent; what this try asks for cannot be read or looked up.';

const NOT_SENT =
	'Nothing was sent for items with "submitted": false, because Try Without Sending is on.';

/** Shown above an output in the editor, where n8n runs a node again whose output is lost by a reload. */
const PIN =
	'Sent. Pin this output (P on the canvas) before you execute later steps: otherwise they send again.';

/** The item that submits something, in its run. */
export interface Submitter extends Seeker {
	readonly item: Item;
}

/** What a write operation adds to the way that all writes go. */
export interface Submission<Call extends CheckedCall> {
	/** The call of an item. @throws InvalidInputError, or ServiceError when something cannot be looked up. */
	readonly complete: (submitter: Submitter) => Promise<Call>;
	/** Asked just before a call is sent; not for a recorded answer. */
	readonly assertPossible?: WriteToSend<Call>['assertPossible'];
	/**
	 * All of a simplified preview: a sentence, parts, and that nothing was submitted. By default that of any call, with its
	 * request. It refuses what would be refused when it is sent. @throws InvalidInputError
	 */
	readonly introduce?: (call: Call, submitter: Submitter) => IDataObject | Promise<IDataObject>;
}

/**
 * The submitted transaction (interface, section 4.6): first what a person reads, then what a program needs. The sentence
 * claims no more than is known: nobody can say yet whether it succeeds on the chain.
 *
 * @param said absent when the answer is that of an earlier try which sent something else, or nobody knows what: then nothing
 * is claimed of it
 */
function simplifyWrite(
	{ answer, replayOf, call, submittedAt, userId }: WriteResult,
	said: WriteInWords | undefined,
): IDataObject {
	if (!isItem(answer) || typeof answer.hash !== 'string') {
		throw unexpectedAnswer('a transaction hash', answer);
	}
	const { hash, explorerUrl } = answer;
	const start = replayOf === undefined ? 'Submitted' : 'Submitted by an earlier try';
	const isOther = said === undefined && call !== undefined;
	const what = said?.words ?? 'see "sentCall"';
	const summary = `${start}${isOther ? ', with other values' : ''}: ${what}`;
	const link = typeof explorerUrl === 'string' ? explorerUrl : undefined;
	const fields = { summary, ...said?.first, submitted: true, hash, explorerUrl: link };
	return defined({ ...fields, ...said?.then, submittedAt, userId, ...said?.last });
}

/** The items of a write; of a recorded answer they say that it is one, and both calls if this try asks for another one. */
function submittedItems(
	planned: PromiseSettledResult<CheckedCall>,
	result: WriteResult,
	isSimple: boolean,
): IDataObject[] {
	const { answer, replayOf, call, earlierHashes = [] } = result;
	const other = replayOf?.digest === call?.digest ? undefined : replayOf;
	// What an earlier try with other values was made of is not known here.
	const isKnown = other === undefined && planned.status === 'fulfilled';
	const said = isKnown ? describeWrite(planned.value) : undefined;
	const items = isSimple ? [simplifyWrite(result, said)] : answerItems(answer);
	const fields = defined({
		replayed: replayOf && true,
		earlierHashes: earlierHashes.length === 0 ? undefined : [...earlierHashes],
		warning: other && (call === undefined ? UNREADABLE : OTHER_VALUES),
		sentCall: other && { ...other.shown },
		requestedCall: other && call && { ...call.shown },
	});
	return items.map((item) => ({ ...item, ...fields }));
}

function introduceCall(checked: CheckedCall): IDataObject {
	const { words, first } = describeWrite(checked);
	return { summary: `Would submit: ${words}. Nothing was sent.`, ...first, submitted: false };
}

/** A request that is shown instead of sent. */
function previewOf(checked: CheckedCall, url: string): IDataObject {
	const { call, contractFunction } = checked;
	const shown = {
		...{ method: 'POST', url, body: { ...call } },
		function: functionKey(contractFunction),
		selector: selector(contractFunction),
		calldata: calldata(contractFunction, call.args),
	};
	return withResolvedAddresses(shown, checked);
}

/**
 * What operations that submit a transaction have in common: the one flow of all writes. A call that cannot be read must not
 * hide what an earlier try has sent.
 */
export function submission<Call extends CheckedCall>(given: Submission<Call>) {
	const { complete, assertPossible, introduce = introduceCall } = given;
	const plan: Plan = async (item, run, { url, isSimple }) => {
		const { context } = item;
		const isPreview = parseSwitch(item.read(preview.name, false), preview.name);
		const { resendWhenUnknown = false } = readOptions(item.read);
		const mayResend = parseSwitch(resendWhenUnknown, 'Options: Resend When Unknown');
		const lookUps = (getCredentials: GetCredentials) => policyLookUps(context, run, getCredentials);
		const show = async (planned: PromiseSettledResult<Call>, client: ServiceClient) => {
			if (planned.status === 'rejected') throw planned.reason;
			const call = planned.value;
			const { credential, baseUrl, getCredentials } = await pinCredential(context);
			// As if it were the first write: what has been sent meanwhile must not fail an item that sends nothing.
			await lookUpForPolicy(credential, call, { value: 0n, tokens: 0n }, lookUps(getCredentials));
			const introduction = await introduce(call, { item, run, client });
			run.warnOnce(context, NOT_SENT);
			const isEnough = isSimple && given.introduce !== undefined;
			return isEnough ? introduction : { ...introduction, ...previewOf(call, `${baseUrl}${url}`) };
		};
		const send = async (client: ServiceClient) => {
			const planned = await settle(complete({ item, run, client }));
			const before = isPreview ? earlierTry(context) : undefined;
			const sending = isPreview
				? before && earlierResult(context, planned, before)
				: sendWrite(context, run, client, { planned, mayResend, lookUps, assertPossible });
			const result = await sending?.catch((error: unknown) => {
				throw planned.status === 'fulfilled' ? refusalInWords(error, planned.value) : error;
			});
			if (result === undefined) return [await show(planned, client)];
			// In the run, whose failure must not hide it.
			if (isItem(result.answer)) run.submitted.push(submittedLine(item.index, result));
			// A tool's output cannot be pinned.
			if (!isPreview && context.getMode() === 'manual' && !isTool(context))
				run.warnOnce(context, PIN);
			return submittedItems(planned, result, isSimple);
		};
		return { url, send };
	};
	return {
		route: ROUTES.write,
		// Nonces follow the items.
		isSequential: true as const,
		plan,
		explain: ({ context }: Item, error: unknown) => withEarlierTry(context, error),
		recall: ({ context }: Item) => earlierWrites(context),
	};
}
