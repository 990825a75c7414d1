import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { GivenComparison } from '../../contract/comparison';
import { assertComparable, COMPARISONS } from '../../contract/comparison';
import type { ContractFunction } from '../../contract/function';
import { parseChoice } from '../../values/choice';
import { refuse } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import type { PlannedCall } from '../look-ups/look-ups';
import { parseWait, REACTIONS, waitUpTo, whenNot } from '../wait-up-to';

const CONDITIONS = ['changed', ...COMPARISONS] as const;

/** What a value of a contract is waited or watched for. */
export type Condition = GivenComparison | { readonly name: 'changed' };

type GivenCondition = Omit<GivenComparison, 'name'> & { readonly name: unknown };

/** A list of conditions to choose from, with one for a value that changes. */
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

/** What a value is compared with; shown unless any change counts. */
export const comparedValue: INodeProperties = {
	displayName: 'Value',
	name: 'conditionValue',
	type: 'string',
	default: '',
	placeholder: 'e.g. 12.5 token',
	description:
		"What to compare with, exactly: 12.5 token (whole tokens, by the contract's own decimals), 12 base (base units), 1.5 ether, a plain number, true, text, an address or a user ID. With Scale by Decimals, a plain number is scaled as the output is.",
};

/** Checks a condition as far as nothing is looked up for it. @throws InvalidInputError unless answers can be compared. */
export function readCondition(fn: ContractFunction, given: GivenCondition): Condition {
	const { comparison } = given.parameters;
	const name = parseChoice(given.name, CONDITIONS, comparison);
	assertComparable(fn, comparison);
	return name === 'changed' ? { name } : { ...given, name };
}

/** How errors call the fields of the option. */
const errorNameOf = ({ displayName }: INodeProperties): string =>
	`Options: Wait Until: ${displayName}`;

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
		'How long to read again and again until the condition is met, 0 to 300 seconds. 0 reads once.',
};

const whenNotMet = whenNot('An item in which met is false, for an If node behind this one', {
	displayName: 'When Not Met',
	name: 'whenNotMet',
	description: 'What to do when the condition is not met when the time is over',
});

/** Entry of Options. */
export const waitUntilOption: INodeProperties = {
	displayName: 'Wait Until',
	name: 'waitUntil',
	type: 'fixedCollection',
	typeOptions: { multipleValues: false },
	placeholder: 'Add condition',
	default: { until: {} },
	description:
		'Read again and again until the value is as it should be. The output then says whether it is, in met.',
	options: [
		{ displayName: 'Until', name: 'until', values: [condition, operand, time, whenNotMet] },
	],
	displayOptions: { show: { '/resource': ['contract'], '/operation': ['read'] } },
};

export interface Wait {
	readonly condition: Condition;
	/** In milliseconds. */
	readonly waitMs: number;
	/** Whether it is an error that the condition is not met. */
	readonly mustBeMet: boolean;
}

/** What an item waits for; `undefined` when the option was not added. @throws InvalidInputError that names the field. */
export function readWaitUntil(
	given: unknown,
	{ contractFunction: fn, standard }: PlannedCall,
	decimals: number | undefined,
): Wait | undefined {
	if (given === undefined) return undefined;
	const fields = isObject(given) && isObject(given.until) ? given.until : {};
	const fieldOf = ({ name, default: fallback }: INodeProperties): unknown =>
		fields[name] ?? fallback;
	const until = readCondition(fn, {
		name: fieldOf(condition),
		operand: fieldOf(operand),
		decimals,
		standard,
		parameters: { comparison: errorNameOf(condition), operand: errorNameOf(operand) },
	});
	const waitMs = parseWait(fieldOf(time), errorNameOf(time));
	if (until.name === 'changed' && waitMs === 0) {
		const hint = 'Give a time above 0, or another condition';
		refuse(errorNameOf(time), 0, 'One look alone cannot differ from the first', hint);
	}
	const reaction = parseChoice(fieldOf(whenNotMet), REACTIONS, errorNameOf(whenNotMet));
	return { condition: until, waitMs, mustBeMet: reaction === 'fail' };
}
