import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { GivenComparison } from '../../contract/comparison';
import { assertComparable, COMPARISONS } from '../../contract/comparison';
import type { ContractFunction } from '../../contract/function';
import { parseChoice } from '../../values/choice';
import { refuse } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import type { PlannedCall } from '../look-ups/look-ups';
import { parseWait, REACTIONS, waitUpTo, whenNot } from '../wait-options';

const CONDITIONS = ['changed', ...COMPARISONS] as const;

/** A condition on a contract value, for a wait or a trigger. */
export type Condition = GivenComparison | { readonly name: 'changed' };

type GivenCondition = Omit<GivenComparison, 'name'> & { readonly name: unknown };

/** A parameter for the choice of a condition. @param changed the condition for a changed value */
export function conditionOf(
	changed: Pick<INodePropertyOptions, 'name' | 'description'>,
	parameter: Pick<INodeProperties, 'displayName' | 'name' | 'default' | 'description'>,
): INodeProperties {
	const choices: INodePropertyOptions[] = [
		{ name: 'Equals', value: 'is', description: 'Equals the value below' },
		{ name: 'Is at Least', value: 'atLeast', description: 'At least the value below' },
		{ name: 'Is at Most', value: 'atMost', description: 'At most the value below' },
		{ name: 'Is Not', value: 'isNot', description: 'Differs from the value below' },
		{ ...changed, value: 'changed' },
	];
	const options = choices.sort((one, other) => one.name.localeCompare(other.name));
	return { ...parameter, type: 'options', options };
}

/** The value to compare with; hidden if any change counts. */
export const comparedValue: INodeProperties = {
	displayName: 'Value',
	name: 'conditionValue',
	type: 'string',
	default: '',
	placeholder: 'e.g. 12.5 token',
	description:
		'Value to compare with: 12.5 token (whole tokens), 12 base (base units), 1.5 ether, a number, true, text, an address or a user ID. Scale by Decimals also applies to plain numbers.',
};

/** Checks a condition as far as possible without look-ups. @throws InvalidInputError unless answers can be compared. */
export function readCondition(fn: ContractFunction, given: GivenCondition): Condition {
	const { comparison } = given.parameters;
	const name = parseChoice(given.name, CONDITIONS, comparison);
	assertComparable(fn, comparison);
	return name === 'changed' ? { name } : { ...given, name };
}

const condition = conditionOf(
	{ name: 'Differs From First Check', description: 'Differs from the value at the first check' },
	{
		displayName: 'Condition',
		name: 'condition',
		default: 'is',
		description: 'When to stop waiting',
	},
);

const operand: INodeProperties = {
	...comparedValue,
	displayOptions: { show: { condition: [...COMPARISONS] } },
};

const time: INodeProperties = {
	...waitUpTo,
	default: 60,
	description:
		'Maximum time to wait for the condition to be met, from 0 to 300 seconds. 0 reads once.',
};

const whenNotMet = whenNot('Return an item with met: false, for an If node after this one', {
	displayName: 'When Not Met',
	name: 'whenNotMet',
	description: 'What to do if the condition is not met in time',
});

export const waitUntilOption: INodeProperties = {
	displayName: 'Wait Until',
	name: 'waitUntil',
	type: 'fixedCollection',
	typeOptions: { multipleValues: false },
	placeholder: 'Add condition',
	default: { until: {} },
	description:
		'Repeat the read until the value meets a condition. The output field "met" states whether it did.',
	options: [
		{ displayName: 'Until', name: 'until', values: [condition, operand, time, whenNotMet] },
	],
};

export interface Wait {
	readonly condition: Condition;
	/** In milliseconds. */
	readonly waitMs: number;
	/** Whether an unmet condition is an error. */
	readonly mustBeMet: boolean;
}

/**
 * Reads the condition that an item waits for; `undefined` if the option was not added.
 *
 * @throws InvalidInputError that names the field.
 */
export function readWaitUntil(
	given: unknown,
	{ contractFunction: fn, standard }: PlannedCall,
	decimals: number | undefined,
): Wait | undefined {
	if (given === undefined) return undefined;
	const fields = isObject(given) && isObject(given.until) ? given.until : {};
	const fieldOf = ({ name, default: fallback }: INodeProperties): unknown =>
		fields[name] ?? fallback;
	const placeOf = ({ name }: Pick<INodeProperties, 'name'>) => [
		...['options', waitUntilOption.name, 'until', name],
	];
	const until = readCondition(fn, {
		name: fieldOf(condition),
		operand: fieldOf(operand),
		decimals,
		standard,
		parameters: { comparison: placeOf(condition), operand: placeOf({ name: operand.displayName }) },
	});
	const waitMs = parseWait(fieldOf(time), placeOf(time));
	if (until.name === 'changed' && waitMs === 0) {
		const hint = 'Enter a time above 0, or choose another condition';
		refuse(placeOf(time), 'A single check cannot detect a change', hint);
	}
	const reaction = parseChoice(fieldOf(whenNotMet), REACTIONS, placeOf(whenNotMet));
	return { condition: until, waitMs, mustBeMet: reaction === 'fail' };
}
