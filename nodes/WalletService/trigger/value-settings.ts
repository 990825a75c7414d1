import { abbreviatedSignature } from '../contract/source/abbreviated-signature';
import type { ReadParameter } from '../request/run/read-parameter';
import { assertCanScale, readReadOptions } from '../resources/contract/call-options';
import type { Condition } from '../resources/contract/wait-until';
import { readCondition } from '../resources/contract/wait-until';
import type { PlannedCall } from '../resources/contract/contract-call';
import { planCall } from '../resources/contract/contract-call';
import { comparedWith, startWhen } from './value-parameters';

/** A contract's value, and what it is watched for. */
export interface WatchedValue {
	readonly name: 'contractValue';
	readonly call: PlannedCall;
	readonly condition: Condition;
	/** Decimal places by which integers of the output are scaled. */
	readonly decimals: number | undefined;
	readonly emitExisting: boolean;
}

/** How errors call the parameters of the condition. */
const PARAMETERS = { comparison: startWhen.displayName, operand: comparedWith.displayName };

/**
 * The call that the parameters describe, which are those of *Contract: Read*, and what its value is watched for.
 *
 * @throws InvalidInputError that names the invalid parameter.
 */
export function readWatchedValue(read: ReadParameter, emitExisting: boolean): WatchedValue {
	const { decimals } = readReadOptions(read);
	const call = planCall(read, 'read');
	assertCanScale(call.contractFunction, { decimals });
	const condition = readCondition(call.contractFunction, {
		name: read(startWhen.name, startWhen.default),
		operand: read(comparedWith.name, comparedWith.default),
		decimals,
		parameters: PARAMETERS,
	});
	return { name: 'contractValue', call, condition, decimals, emitExisting };
}

/** JSON has no word for a large integer. */
const asText = (_key: string, value: unknown): unknown =>
	typeof value === 'bigint' ? value.toString() : value;

/** What makes another value, or another condition, of it. */
export function detailsOfValue({ call, condition, decimals }: WatchedValue): unknown[] {
	const { contractAddress, contractFunction, args } = call;
	const { name } = condition;
	const compared = name === 'changed' ? [] : [condition.operand, decimals];
	return [
		contractAddress.toLowerCase(),
		abbreviatedSignature(contractFunction, 'read'),
		JSON.stringify(args, asText),
		name,
		JSON.stringify(compared, asText),
	];
}
