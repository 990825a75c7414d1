import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { argumentsIn, calldata, checkedCall } from '../../contract/call';
import { ServiceError } from '../../request/failure/service-error';
import type { Item } from '../../request/run/item';
import type { Field } from '../../values/invalid-input';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { WriteResult } from '../../writes/result';
import { ORDER_CONFLICT, ORDER_ID } from '../../writes/key';
import { orderKey } from '../../writes/order-key';
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
function gapIn({ context }: Item, stored: unknown, text: string): string | undefined {
	const written = String(stored);
	const parts = written.startsWith('=') ? [...written.matchAll(EXPRESSION)] : [];
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

/** Parses an Order ID. @param stored as the node stores it, with its expressions. @throws InvalidInputError */
function parseOrderId(item: Item, field: Field, orderId: unknown, stored: unknown): string {
	const isText = isExact(orderId) || typeof orderId === 'string';
	const text = isText ? String(orderId).trim().normalize('NFC') : '';
	const gap = gapIn(item, stored, text);
	if (gap !== undefined) {
		const hint =
			'Give the item its number: without one, many orders would be the same. Write a part that may be missing into one expression with the number';
		return refuse(field, `${quote(orderId)} lacks a value (${gap})`, hint);
	}
	// A lone surrogate has no encoding; two of them would be the same key.
	const isSeen = text !== '' && !UNSEEN.test(text);
	// The dots would change the path of the request.
	if (isSeen && orderKey(text).length <= MAX_KEY && text !== '.' && text !== '..') return text;
	const hint =
		'Enter the number of the invoice or order: up to 200 letters, digits and signs; a letter beyond A to Z counts as 6 or 9';
	return refuse(field, `${quote(orderId)} cannot be an order number`, hint);
}

/**
 * Reads the Order ID of an item, from its field or, in a workflow of an earlier version, from its Options; `undefined` if
 * the field was left empty and the option was not added. White space around it does not count, and a letter with an accent
 * is the same in both of its spellings.
 *
 * @throws InvalidInputError for an empty option, an Order ID with a gap where a value is missing, one that a service cannot
 * keep, or two that differ
 */
export function readOrderId(
	item: Item,
	options: Readonly<Record<string, unknown>>,
): string | undefined {
	const { parameters } = item.context.getNode();
	const given = item.read(ORDER_ID, '');
	const own = given === '' ? undefined : parseOrderId(item, ORDER_ID, given, parameters[ORDER_ID]);
	// One that the form does not show, such as null, is none of `options`.
	const stored = Object(parameters.options);
	if (!Object.hasOwn(stored, ORDER_ID)) return own;
	const saved = parseOrderId(item, ['options', ORDER_ID], options[ORDER_ID], stored[ORDER_ID]);
	if (own === undefined || own === saved) return saved;
	const problem = `${quote(own)} is another order than ${quote(saved)}, the Order ID under Options`;
	return refuse(ORDER_ID, problem, 'Keep one of them, and remove the other one');
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
	{ contractAddress, args, value }: ShownCall,
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
type ShownCall = NonNullable<WriteResult['replayOf']>['shown'];

const START_ANEW =
	'Nothing was sent now. The steps before have run again and may have returned other items: start a new execution with what was not paid';

const ASK_OPERATOR = 'Nothing was sent now. Ask the operator of the service';

/**
 * Refuses an item for which another write was sent: under its order or key, or, in a Retry, at its place, although its rows
 * or its order are others.
 *
 * @throws ServiceError that names both
 * @example assertSameWrite(context, result, checked) // nothing, if the result is of an equal call
 */
export function assertSameWrite(
	context: IExecuteSingleFunctions,
	result: WriteResult,
	asked: CheckedCall,
): void {
	const { orderId, answer, replayOf, call, submittedAt, conflict } = result;
	if (replayOf === undefined || call === undefined) return;
	const isOrder = orderId !== undefined;
	const isEqual = replayOf.digest === call.digest;
	// An equal call at the place of an item stands in its way only as that of another order.
	if (isEqual ? conflict !== 'rows' : !isOrder && conflict === undefined) return;
	const hash = String(Object(answer).hash);
	const [recorded, requested] = bothInWords(asked, replayOf.shown);
	const done = isPayment(asked) ? 'paid' : 'submitted';
	const when = timeInWords(context, submittedAt);
	const isOfKey = conflict === 'key';
	const ofItem = isOfKey
		? `The service has ${done} something else under the key of this item${when}`
		: `The retried execution ${done} ${isEqual ? 'another order' : 'something else'} for this item${when}`;
	const before = isOrder ? `Order ${quote(orderId)} was ${done} with other values${when}` : ofItem;
	throw new ServiceError({
		message: `${before}: ${recorded} (transaction ${hash})${isEqual ? '' : `. This item asks for ${requested}`}`,
		hint: isOrder ? ORDER_CONFLICT : isOfKey ? ASK_OPERATOR : START_ANEW,
		code: isOrder ? 'order-conflict' : 'retry-conflict',
		state: 'refused',
		hashes: [hash],
	});
}
