import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { ReadParameter } from '../../request/run/read-parameter';
import { parseChoice } from '../../values/choice';
import type { Decimal } from '../../values/decimal';
import { formatDecimal, parseWholeAmount, subtract } from '../../values/decimal';
import { InvalidInputError } from '../../values/invalid-input';

/** How a balance stands to the amount that it is compared with. */
export type Order = 'below' | 'equal' | 'above';

/** Which orders each choice of Only Items Where lets through. */
const KEPT = {
	above: ['above'],
	any: ['below', 'equal', 'above'],
	atLeast: ['equal', 'above'],
	atMost: ['below', 'equal'],
	below: ['below'],
} as const satisfies Record<string, readonly Order[]>;

type OnlyWhere = keyof typeof KEPT;

const CHOICES = Object.keys(KEPT) as OnlyWhere[];

export const compareWith: INodeProperties = {
	displayName: 'Compare With',
	name: 'compareWith',
	type: 'string',
	default: '',
	placeholder: 'e.g. 100',
	description:
		'An amount in whole coins or tokens, for example 100 or 12.5. The output then says whether the balance is below, equal or above, and by how much, exact to the last digit. Leave empty not to compare.',
};

export const onlyWhere: INodeProperties = {
	displayName: 'Only Items Where',
	name: 'onlyWhere',
	type: 'options',
	options: [
		{ name: 'Above', value: 'above', description: 'The balance is more than Compare With' },
		{ name: 'Any Balance', value: 'any', description: 'Every balance is given out' },
		{ name: 'At Least', value: 'atLeast', description: 'The balance is Compare With or more' },
		{ name: 'At Most', value: 'atMost', description: 'The balance is Compare With or less' },
		{ name: 'Below', value: 'below', description: 'The balance is less than Compare With' },
	],
	default: 'any',
	description:
		'Which balances to give out, by how they stand to Compare With; the others give no item. Without an If or Filter node, for example: alert only those below 100.',
};

/** What the balances of an item are compared with, and which of them are given out. */
export interface Comparison {
	readonly amount: Decimal;
	readonly kept: readonly Order[];
}

/** What is asked of balances without an amount lets all of them through if it is overlooked. */
function refuseWithoutAmount(): never {
	throw new InvalidInputError({
		parameter: compareWith.name,
		value: '',
		message: 'No amount is given, but Only Items Where needs one',
		hint: 'Give an amount in whole coins or tokens, for example 100, or choose Any Balance',
	});
}

/**
 * Reads what an item's balances are compared with; `undefined` when Compare With is left empty.
 *
 * @throws InvalidInputError for an amount that is none, for a choice without an amount, and when the output is not simplified.
 */
export function readComparison(read: ReadParameter, isSimple: boolean): Comparison | undefined {
	const given = read(compareWith.name, compareWith.default);
	const where = parseChoice(read(onlyWhere.name, onlyWhere.default), CHOICES, onlyWhere.name);
	if (given === '' && where === 'any') return undefined;
	if (given === '') refuseWithoutAmount();
	const amount = parseWholeAmount(given, compareWith.name);
	if (isSimple) return { amount, kept: KEPT[where] };
	throw new InvalidInputError({
		parameter: compareWith.name,
		value: given,
		message: 'The JSON of the service as it came is not compared',
		hint: 'Switch Simplify on, or leave Compare With empty',
	});
}

function orderOf(difference: bigint): Order {
	if (difference === 0n) return 'equal';
	return difference < 0n ? 'below' : 'above';
}

/**
 * A balance with what the comparison says of it; nothing when it is not to be given out.
 *
 * @param json a simplified balance
 */
export function compare(json: IDataObject, { amount, kept }: Comparison): IDataObject[] {
	const { userId, symbol, amount: shown, ...rest } = json;
	const balance = { digits: BigInt(String(json.baseUnits)), places: Number(json.decimals) };
	const difference = subtract(balance, amount);
	const comparison = orderOf(difference.digits);
	if (!kept.includes(comparison)) return [];
	return [
		{ userId, symbol, amount: shown, comparison, difference: formatDecimal(difference), ...rest },
	];
}
