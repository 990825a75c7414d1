import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../contract/call';
import { comparableAnswer, comparisonBy, integerOf } from '../contract/comparison';
import { decodeAnswer } from '../contract/decode';
import type { ContractFunction } from '../contract/function';
import { functionKey, hasNames } from '../contract/function';
import { completeCall } from '../resources/contract/contract-call';
import { comparableResponse, responseOf } from '../resources/contract/response';
import { withResolvedAddresses } from '../resources/look-ups/look-ups';
import { isItem } from '../values/objects';
import { formatUnitsExact } from '../values/units';
import type { Observation } from './observation';
import type { WatchedValue } from './value-settings';
import type { SeenValue, ValueState } from './value-state';
import { advanceValue } from './value-state';
import type { WalletReader } from './wallet-reader';

/** Marks a test item, whose value is real. */
const SAMPLE = 'Only for testing: the value is real, the change is not';

/** What the function returned, as it can be saved and decoded again: nothing but what the types declare. */
function answerOf(fn: ContractFunction, response: unknown): unknown {
	const { value } = decodeAnswer(fn, response);
	// A single value with a name is decoded as an object, which no answer is.
	const isNamed = fn.outputs.length === 1 && hasNames(fn.outputs);
	return isNamed && isItem(value) ? Object.values(value)[0] : value;
}

/** A value that was saved; `undefined` when it is not of the declared types. */
function savedValue(fn: ContractFunction, saved: ValueState | undefined): SeenValue | undefined {
	if (saved === undefined) return undefined;
	const decoded = comparableAnswer(fn, saved.answer);
	return decoded.fits ? { ...saved, key: JSON.stringify(decoded.value) } : undefined;
}

/** How the value has moved, if it is a number. */
function moveOf(
	{ call: { contractFunction }, decimals = 0 }: WatchedValue,
	current: SeenValue,
	previous: SeenValue | undefined,
): IDataObject {
	const [now, then] = [current, previous].map(
		(one) =>
			one && integerOf(contractFunction, comparableAnswer(contractFunction, one.answer).value),
	);
	if (now === undefined || then === undefined) return { difference: null, direction: null };
	const direction = now > then ? 'increased' : now < then ? 'decreased' : 'unchanged';
	return { difference: formatUnitsExact(now - then, decimals), direction };
}

/** What the value is watched for. */
function watchedFor({ condition }: WatchedValue): IDataObject {
	if (condition.name === 'changed') return {};
	return { condition: condition.name, comparedWith: String(condition.operand) };
}

/** A value, the one before, and the page of the contract. */
interface Happened {
	readonly current: SeenValue;
	readonly previous: SeenValue | undefined;
	readonly explorerUrl: IDataObject['explorerUrl'];
}

/** An item: what a person reads comes first. */
function itemOf(
	event: WatchedValue,
	checked: CheckedCall,
	{ current, previous, explorerUrl }: Happened,
): IDataObject {
	const { contractFunction } = event.call;
	const shown = ({ answer }: SeenValue): IDataObject['value'] =>
		decodeAnswer(contractFunction, answer, event).value as IDataObject['value'];
	const item: IDataObject = {
		value: shown(current),
		previous: previous === undefined ? null : shown(previous),
		...moveOf(event, current, previous),
		...watchedFor(event),
		function: functionKey(contractFunction),
		args: checked.call.args,
		contractAddress: checked.call.address,
		explorerUrl,
	};
	return withResolvedAddresses(item, checked);
}

/**
 * Asks the service for the watched value of a contract.
 *
 * @throws ServiceError when the service fails or the answer does not fit the types that the function declares,
 * InvalidInputError for an unknown user, and for an amount that is not one of the contract.
 */
export async function observeValue(
	reader: WalletReader,
	event: WatchedValue,
): Promise<Observation> {
	const { call, condition, emitExisting } = event;
	const { contractFunction, contractAddress } = call;
	const onChange = condition.name === 'changed';
	const lookUps = reader.lookUps(contractAddress);
	const checked = await completeCall(call, 'read', lookUps);
	const isAsWanted = onChange
		? undefined
		: await comparisonBy(contractFunction, condition, lookUps);
	const answer = await reader.contract(checked);
	const response = responseOf(answer);
	const { explorerUrl }: IDataObject = isItem(answer) ? answer : {};
	const value = comparableResponse(contractFunction, response);
	const current: SeenValue = {
		answer: answerOf(contractFunction, response),
		isMet: isAsWanted?.(value) ?? false,
		key: JSON.stringify(value),
	};
	return {
		advance({ value: saved }) {
			const before = savedValue(contractFunction, saved);
			const step = advanceValue(before, current, { onChange, emitExisting });
			const json = itemOf(event, checked, { current, previous: before, explorerUrl });
			return {
				state: { value: step.state },
				items: step.isReported ? [{ time: 0, json }] : [],
				mustBeSaved: before?.isMet !== step.state.isMet,
			};
		},
		sample() {
			const json = itemOf(event, checked, { current, previous: current, explorerUrl });
			return { time: 0, json: { ...json, sample: SAMPLE } };
		},
	};
}
