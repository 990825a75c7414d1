import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { GivenComparison } from '../../contract/comparison';
import { assertComparable, COMPARISONS } from '../../contract/comparison';
import type { ContractFunction } from '../../contract/function';
import { parseChoice } from '../../values/choice';

const CONDITIONS = ['changed', ...COMPARISONS] as const;

/** What a value of a contract is waited or watched for. */
export type Condition = GivenComparison | { readonly name: 'changed' };

/** A condition as the user gave it. */
type GivenCondition = Omit<GivenComparison, 'name'> & { readonly name: unknown };

/** A list of conditions to choose from, with one for a value that changes. */
export function conditionOf(
	changed: Pick<INodePropertyOptions, 'name' | 'description'>,
	parameter: Pick<INodeProperties, 'displayName' | 'name' | 'default' | 'description'>,
): INodeProperties {
	const choices: INodePropertyOptions[] = [
		{ name: 'Is', value: 'is', description: 'It is the one that is given' },
		{ name: 'Is at Least', value: 'atLeast', description: 'It is a number, that one or more' },
		{ name: 'Is at Most', value: 'atMost', description: 'It is a number, that one or less' },
		{ name: 'Is Not', value: 'isNot', description: 'It is another one than the one that is given' },
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
		"What to compare with, exactly. A number alone counts as the output does: in base units, or scaled by Scale by Decimals. With a unit it says so itself: 12.5 token (by the contract's own decimals), 1.5 ether, 1.5 * 10^6. In place of an address a user ID may stand.",
};

/**
 * Checks a condition as far as nothing has to be looked up for it; see `comparisonBy`.
 *
 * @throws InvalidInputError for an unknown condition, and for a function whose answers cannot be compared.
 */
export function readCondition(fn: ContractFunction, given: GivenCondition): Condition {
	const { comparison } = given.parameters;
	const name = parseChoice(given.name, CONDITIONS, comparison);
	assertComparable(fn, comparison);
	return name === 'changed' ? { name } : { ...given, name };
}
