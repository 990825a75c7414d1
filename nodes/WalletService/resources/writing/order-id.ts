import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { argumentsIn, calldata, checkedCall } from '../../contract/call';
import { ServiceError } from '../../request/failure/service-error';
import type { Item } from '../../request/run/item';
import type { Run } from '../../request/run/run';
import { executionIdOf } from '../../request/run/tool-call';
import { ExpiringMap } from '../../values/caches';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { WriteResult } from '../../writes/earlier-try';
import { ORDER_CONFLICT, ORDER_ID } from '../../writes/identity';
import { orderKey } from '../../writes/order-key';
import { hasRunSince } from '../../writes/run-data';
import { describeWrite } from './describe-write';
import { isPayment, timeInWords } from './replays';

/** A service takes keys of at most 255 characters; some stay free for the number of the attempt. */
const MAX_KEY = 200;

/** Characters that nobody sees, or that look like a space. */
const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\s/u;

/** What JavaScript makes of a missing value. */
const MISSING = /^(?:undefined|null|NaN|\[object .*)$/;
const MISSING_PART = /(?<![\p{L}\p{N}])(?:undefined|null|NaN)(?![\p{L}\p{N}])|\[object /u;

/** What joining parts makes of an empty one: a separator at an end, or two between words. */
const EMPTY_PART =
	/^[-_|](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])(?:[-_|/:]$|([-_|/])\1(?=[\p{L}\p{N}]))/u;

/** An expression in a text, as n8n finds its end: braces behind a backslash are characters. One without end is text. */
const EXPRESSION = /(?<!\\)\{\{[\s\S]*?(?:(?<!\\)\}\}|(?<open>$))/g;

/** An expression that only names a value, or is one text: its words are those of the value. */
const PLAIN =
	/^\{\{\s*(?:\$[^\s`'"+(){},]*(?:\(\s*["'][^"']*["']\s*\)[^\s`'"+(){},]*)?|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\}\}$/;

/** The part of an Order ID that has no value: without it, many orders would be the same one. */
function gapIn({ context, read }: Item, text: string): string | undefined {
	const stored = String(Object(read('options', {}, true)).orderId);
	const parts = stored.startsWith('=') ? [...stored.matchAll(EXPRESSION)] : [];
	for (const { 0: expression, groups } of parts) {
		if (groups?.open !== undefined) continue;
		const value = context.evaluateExpression(expression, context.getItemIndex());
		const given = String(value ?? '').trim();
		if (given === '' || MISSING.test(given)) return expression;
		const [lost] = PLAIN.test(expression) ? [] : (MISSING_PART.exec(given) ?? []);
		if (lost !== undefined) return lost;
	}
	return MISSING.exec(text)?.[0] ?? EMPTY_PART.exec(text)?.[0];
}

/** A number whose text is exact; an ID beyond 2^53 has already lost digits. */
const isExact = (value: unknown): value is number =>
	typeof value === 'number' &&
	Number.isFinite(value) &&
	(!Number.isInteger(value) || Number.isSafeInteger(value));

/**
 * Reads the Order ID in the Options of an item; `undefined` if the option was not added. White space around it does not count,
 * and a letter with an accent is the same in both of its spellings.
 *
 * @throws InvalidInputError for an empty one, one with a gap where a value is missing, or one that a service cannot keep
 */
export function readOrderId(
	item: Item,
	options: Readonly<Record<string, unknown>>,
): string | undefined {
	if (!Object.hasOwn(options, 'orderId')) return undefined;
	const { orderId } = options;
	const isText = isExact(orderId) || typeof orderId === 'string';
	const text = isText ? String(orderId).trim().normalize('NFC') : '';
	const gap = gapIn(item, text);
	if (gap !== undefined) {
		const hint =
			'Give the item its number: without one, many orders would be the same. Write a part that may be missing into one expression with the number';
		return refuse(ORDER_ID, `${quote(orderId)} lacks a value (${gap})`, hint);
	}
	// A lone surrogate has no encoding; two of them would be the same key.
	const isSeen = text !== '' && !UNSEEN.test(text);
	// The dots would change the path of the request.
	if (isSeen && orderKey(text).length <= MAX_KEY && text !== '.' && text !== '..') return text;
	const hint =
		'Enter the number of the invoice or order: up to 200 letters, digits and signs; a letter beyond A to Z counts as 6 or 9';
	return refuse(ORDER_ID, `${quote(orderId)} cannot be an order number`, hint);
}

/** The arguments of a call that differ from those of another one. */
function otherArguments({ contractFunction: fn }: CheckedCall, args: Args, others: Args): string {
	const parts = fn.labels.map((label, index) =>
		args[index] === others[index] ? [] : `${label} ${quote(args[index])}`,
	);
	return ` (${parts.flat().join(', ')})`;
}

/**
 * Describes a recorded call with the facts of the requested one, which it usually resembles, and the requested one; by
 * their arguments if they differ in nothing else. Both are written in the same way.
 */
function bothInWords(
	asked: CheckedCall,
	{ contractAddress, args, value }: Shown,
): [recorded: string, requested: string] {
	const { contractFunction, call } = asked;
	if (typeof contractAddress !== 'string' || !Array.isArray(args)) {
		const other = typeof contractAddress === 'string' ? contractAddress : 'another function';
		return [`a call of ${other}`, describeWrite(asked).words];
	}
	const isSameToken = contractAddress.toLowerCase() === call.address.toLowerCase();
	const facts = isSameToken ? asked : { ...asked, token: undefined };
	const recorded = { address: contractAddress, args: [...args], value: String(value) };
	const other = describeWrite(checkedCall(contractFunction, 'write', recorded, facts)).words;
	const own = argumentsIn(contractFunction, calldata(contractFunction, call.args)) ?? call.args;
	const address = isSameToken ? contractAddress : call.address;
	const { words } = describeWrite({ ...asked, call: { ...call, address, args: own } });
	if (other !== words) return [other, words];
	const before = otherArguments(asked, recorded.args, own);
	return [`${other}${before}`, `${words}${otherArguments(asked, own, recorded.args)}`];
}

type Args = readonly unknown[];
type Shown = NonNullable<WriteResult['replayOf']>['shown'];

const START_ANEW =
	'Nothing was sent now. The steps before have run again and may have returned other items: start a new execution with what was not paid';

const ASK_OPERATOR = 'Nothing was sent now. Ask the operator of the service';

const ASK_AGAIN = 'Nothing was sent now. Retry the first execution again once the service answers';

/** Retries that have found another write in place of an item, by execution and node; they are one process's. */
const ofOtherItems = new ExpiringMap<true>({ maxEntries: 100_000, holdsForMs: 24 * 60 * 60_000 });

const retryKey = (context: IExecuteSingleFunctions) =>
	JSON.stringify([context.getWorkflow().id, executionIdOf(context), context.getNode().name]);

/**
 * Refuses an item of a Retry in which the retried execution sent something else in place of another item, in this run of
 * the node or before, or in which the service could not be asked about one: it may have been sent at another place.
 *
 * @throws ServiceError
 * @example assertSameItems(context, run) // nothing, unless assertSameWrite refuses an item of this Retry
 */
export function assertSameItems(
	context: IExecuteSingleFunctions,
	{ firstOther, firstUnasked }: Run,
): void {
	const isOther = firstOther !== undefined || ofOtherItems.get(retryKey(context)) === true;
	if (!isOther && firstUnasked === undefined) return;
	const shows = firstOther === undefined ? 'an earlier run of this node' : `item ${firstOther + 1}`;
	const why = isOther
		? `the items are no longer those of the retried execution, as ${shows} shows`
		: `the service could not be asked what the retried execution sent for item ${Number(firstUnasked) + 1}`;
	throw new ServiceError({
		message: `Not sent: ${why}; it may have sent this one at another place`,
		hint: isOther ? START_ANEW : ASK_AGAIN,
		code: 'not-sent',
		state: 'unknown',
	});
}

/**
 * Refuses an item in whose place another write was sent: under its order, or by the execution that a Retry repeats from a
 * step before the node. n8n's other attempts have the same item, whatever its expressions give.
 *
 * @throws ServiceError that names both
 * @example assertSameWrite(context, result, checked) // nothing, if the result is of an equal call
 */
export function assertSameWrite(
	context: IExecuteSingleFunctions,
	result: WriteResult,
	asked: CheckedCall,
): void {
	const { orderId, answer, replayOf, call, submittedAt } = result;
	if (replayOf === undefined || call === undefined || replayOf.digest === call.digest) return;
	const isOrder = orderId !== undefined;
	// A service may leave the recorded call out.
	const { conflict } = result;
	if (!isOrder && conflict === 'none') return;
	const isConflict = conflict !== undefined && !isOrder;
	if (!isOrder && !isConflict && (replayOf.digest === '' || !hasRunSince(context, result))) return;
	const hash = String(Object(answer).hash);
	const [recorded, requested] = bothInWords(asked, replayOf.shown);
	const done = isPayment(asked) ? 'paid' : 'submitted';
	const when = timeInWords(context, submittedAt);
	if (!isOrder && !isConflict) ofOtherItems.set(retryKey(context), true);
	const isOfKey = conflict === 'key';
	const ofItem = isOfKey
		? `The service has ${done} something else under the key of this item${when}`
		: `The retried execution ${done} something else for this item${when}`;
	const before = isOrder ? `Order ${quote(orderId)} was ${done} with other values${when}` : ofItem;
	throw new ServiceError({
		message: `${before}: ${recorded} (transaction ${hash}). This item asks for ${requested}`,
		hint: isOrder ? ORDER_CONFLICT : isOfKey ? ASK_OPERATOR : START_ANEW,
		code: isOrder ? 'order-conflict' : 'retry-conflict',
		state: 'refused',
		hashes: [hash],
	});
}
