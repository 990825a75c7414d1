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
import { hasRunSince } from '../../writes/run-data';
import { describeWrite } from './describe-write';
import { isPayment, timeInWords } from './replays';

/** A service takes keys of at most 255 printable ASCII characters; some stay free for the number of the attempt. */
const PRINTABLE = /^[\x20-\x7e]{1,200}$/;

/** What JavaScript makes of a missing value in a text. */
const MISSING = /\b(?:undefined|null|NaN)\b|\[object /;

/** An expression in a text, as n8n finds its end: braces behind a backslash are characters. One without end is text. */
const EXPRESSION = /(?<!\\)\{\{[\s\S]*?(?:(?<!\\)\}\}|(?<open>$))/g;

/** The expression in an Order ID that returns nothing for an item: without its value, many orders would be the same one. */
function gapIn({ context, read }: Item): string | undefined {
	const stored = String(Object(read('options', {}, true)).orderId);
	const parts = stored.startsWith('=') ? [...stored.matchAll(EXPRESSION)] : [];
	const expressions = parts.filter(({ groups }) => groups?.open === undefined).map(([one]) => one);
	const valueOf = (one: string): unknown => context.evaluateExpression(one, context.getItemIndex());
	return expressions.find((one) => String(valueOf(one) ?? '').trim() === '');
}

/**
 * Reads the Order ID in the Options of an item; `undefined` if the option was not added. White space around it does not count.
 *
 * @throws InvalidInputError for an empty one, one with a gap where a value is missing, or one that a service cannot keep
 */
export function readOrderId(
	item: Item,
	options: Readonly<Record<string, unknown>>,
): string | undefined {
	if (!Object.hasOwn(options, 'orderId')) return undefined;
	const { orderId } = options;
	const isNumber = typeof orderId === 'number' && Number.isSafeInteger(orderId);
	const text = isNumber || typeof orderId === 'string' ? String(orderId).trim() : '';
	const gap = gapIn(item) ?? MISSING.exec(text)?.[0];
	if (gap !== undefined) {
		const hint =
			'Give the item its number: without one, many orders would be the same. Write a part that may be missing into one expression with the number';
		return refuse(ORDER_ID, `${quote(orderId)} lacks a value (${gap})`, hint);
	}
	// These two would change the path of the request.
	if (PRINTABLE.test(text) && text !== '.' && text !== '..') return text;
	const hint =
		'Enter the number of the invoice or order: up to 200 letters without accents, digits and signs';
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
	const isConflict = result.isConflict === true && !isOrder;
	if (!isOrder && !isConflict && (replayOf.digest === '' || !hasRunSince(context, result))) return;
	const hash = String(Object(answer).hash);
	const [recorded, requested] = bothInWords(asked, replayOf.shown);
	const done = isPayment(asked) ? 'paid' : 'submitted';
	const when = timeInWords(context, submittedAt);
	if (!isOrder && !isConflict) ofOtherItems.set(retryKey(context), true);
	const ofItem = isConflict
		? `The service has ${done} something else under the key of this item${when}`
		: `The retried execution ${done} something else for this item${when}`;
	const before = isOrder ? `Order ${quote(orderId)} was ${done} with other values${when}` : ofItem;
	throw new ServiceError({
		message: `${before}: ${recorded} (transaction ${hash}). This item asks for ${requested}`,
		hint: isOrder ? ORDER_CONFLICT : isConflict ? ASK_OPERATOR : START_ANEW,
		code: isOrder ? 'order-conflict' : 'retry-conflict',
		state: 'refused',
		hashes: [hash],
	});
}
