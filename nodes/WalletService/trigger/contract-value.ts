import type { IDataObject } from 'n8n-workflow';

import { comparisonBy, integerOf } from '../contract/comparison';
import { decodeAnswer } from '../contract/decode';
import type { ContractFunction } from '../contract/function';
import { abbreviatedSignature, hasNames } from '../contract/function';
import type { ServiceClient } from '../request/http/service-client';
import type { ReadParameter } from '../request/run/read-parameter';
import { assertCanScale, readReadOptions } from '../resources/contract/call-options';
import { planCall } from '../resources/contract/contract-call';
import { comparableResponse, readContract, responseOf } from '../resources/contract/response';
import type { Condition } from '../resources/contract/wait-until';
import { readCondition } from '../resources/contract/wait-until';
import { NOT_KNOWN } from '../resources/history/transfer';
import type { PlannedCall } from '../resources/look-ups/look-ups';
import { completeCall, LookUps, withResolvedAddresses } from '../resources/look-ups/look-ups';
import { defined, isItem } from '../values/objects';
import { linkOf } from '../values/urls';
import type { Observation, WatchedEvent } from './observation';
import { movement, sampleOf } from './observation';
import { comparedWith, startWhen } from './parameters';
import type { ValueState } from './state';

interface WatchedValue {
	readonly call: PlannedCall;
	readonly condition: Condition;
	/** Decimal places by which integers of the output are scaled. */
	readonly decimals: number | undefined;
	readonly emitExisting: boolean;
}

/** Converts a bigint to a string, because JSON cannot represent it. */
const integersAsText = (_key: string, value: unknown): unknown =>
	typeof value === 'bigint' ? value.toString() : value;

export interface SeenValue extends ValueState {
	/** A form of the value that is identical for equal values. */
	readonly key: string;
}

const stateOf = ({ answer, isMet }: SeenValue): ValueState => ({ answer, isMet });

/**
 * Processes one value.
 *
 * @param before `undefined` for a value that is observed for the first time
 * @param rules `onChange`: whether any change is reported, instead of the moment when the condition becomes true;
 * `emitExisting`: whether the first answer can be reported
 */
export function advanceValue(
	before: SeenValue | undefined,
	current: SeenValue,
	{ onChange, emitExisting }: { readonly onChange: boolean; readonly emitExisting: boolean },
): { readonly state: ValueState; readonly isReported: boolean } {
	if (before === undefined) {
		return { state: stateOf(current), isReported: emitExisting && (onChange || current.isMet) };
	}
	const hasChanged = before.key !== current.key;
	return {
		// An equal value in another notation need not be saved.
		state: stateOf(hasChanged ? current : { ...before, isMet: current.isMet }),
		isReported: onChange ? hasChanged : current.isMet && !before.isMet,
	};
}

/** The declared parts of the returned value, in a form that can be saved and decoded again. */
function savableAnswer(fn: ContractFunction, response: unknown): unknown {
	const { value } = decodeAnswer(fn, response);
	// A single named value is decoded as an object, but an answer contains the bare value.
	const isNamed = fn.outputs.length === 1 && hasNames(fn.outputs);
	return isNamed && isItem(value) ? Object.values(value)[0] : value;
}

/** Decodes a saved value; `undefined` if it does not match the declared types. */
function savedValue(fn: ContractFunction, saved: ValueState | undefined): SeenValue | undefined {
	if (saved === undefined) return undefined;
	const decoded = decodeAnswer(fn, saved.answer, { isComparable: true });
	return decoded.isDecoded ? { ...saved, key: JSON.stringify(decoded.value) } : undefined;
}

/** The fields of an item that describe the value, human-readable ones first. */
function valueFields(
	{ call, condition, decimals }: WatchedValue,
	current: SeenValue,
	previous: SeenValue | undefined,
): IDataObject {
	const { contractFunction: fn } = call;
	const shown = ({ answer }: SeenValue): unknown => decodeAnswer(fn, answer, { decimals }).value;
	const [then, now] = [previous, current].map(
		(one) => one && integerOf(fn, decodeAnswer(fn, one.answer).value),
	);
	return {
		value: shown(current) as IDataObject['value'],
		previous: previous === undefined ? NOT_KNOWN : (shown(previous) as IDataObject['value']),
		...movement(then, now, decimals ?? 0),
		...(condition.name !== 'changed' && {
			condition: condition.name,
			comparedWith: String(condition.operand),
		}),
	};
}

async function observeValue(event: WatchedValue, client: ServiceClient): Promise<Observation> {
	const { call, condition, emitExisting } = event;
	const { contractFunction: fn, contractAddress } = call;
	const onChange = condition.name === 'changed';
	const lookUps = new LookUps(client, contractAddress);
	const checked = await completeCall(call, 'read', lookUps);
	const isAsWanted = onChange ? undefined : await comparisonBy(fn, condition, lookUps);
	const answer = await readContract(client, checked);
	const response = responseOf(answer);
	const { explorerUrl }: IDataObject = isItem(answer) ? answer : {};
	const value = await comparableResponse(fn, response);
	const current: SeenValue = {
		answer: savableAnswer(fn, response),
		isMet: isAsWanted?.(value) ?? false,
		key: JSON.stringify(value),
	};
	const item = (previous: SeenValue | undefined): IDataObject => {
		const { address, args } = checked.call;
		const called = { function: fn.key, args, contractAddress: address };
		const fields = { ...valueFields(event, current, previous), ...called };
		return withResolvedAddresses(
			{ ...fields, ...defined({ explorerUrl: linkOf(explorerUrl) }) },
			checked,
		);
	};
	return {
		advance({ value: saved }) {
			const before = savedValue(fn, saved);
			const { state, isReported } = advanceValue(before, current, { onChange, emitExisting });
			return {
				state: { value: state },
				items: isReported ? [{ time: 0, json: item(before) }] : [],
				mustBeSaved: before?.isMet !== state.isMet,
			};
		},
		sample: () => sampleOf(item(current), 'value'),
	};
}

/**
 * Reads the event *Contract Value Changed*: the call, as in *Contract: Read*, and its condition.
 *
 * @throws InvalidInputError that names the invalid parameter.
 */
export async function watchValue(
	read: ReadParameter,
	emitExisting: boolean,
): Promise<WatchedEvent> {
	const { decimals } = readReadOptions(read);
	const call = await planCall(read, 'read');
	assertCanScale(call.contractFunction, { decimals });
	const condition = readCondition(call.contractFunction, {
		name: read(startWhen.name, startWhen.default),
		operand: read(comparedWith.name, comparedWith.default),
		decimals,
		standard: call.standard,
		parameters: { comparison: startWhen.displayName, operand: comparedWith.displayName },
	});
	const { contractFunction, args, contractAddress } = call;
	const contract = contractAddress.toLowerCase();
	const compared = condition.name === 'changed' ? [] : [condition.operand, decimals];
	return {
		contract,
		fingerprint: [
			...[contract, abbreviatedSignature(contractFunction, 'read')],
			...[JSON.stringify(args, integersAsText), condition.name],
			JSON.stringify(compared, integersAsText),
		],
		observe: async (client) =>
			await observeValue({ call, condition, decimals, emitExisting }, client),
	};
}
