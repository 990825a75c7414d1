import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import type { Plan } from '../../request/run/plan';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseWholeAmount } from '../../values/amount';
import { parseChoice } from '../../values/choice';
import type { Decimal } from '../../values/decimal';
import { formatDecimal, subtract } from '../../values/decimal';
import { refuse } from '../../values/invalid-input';
import { defined } from '../../values/objects';
import { planGet } from '../plan-get';
import { simplifyBalance } from './simplify-balance';

/** The comparison results that each choice of Balances to Output keeps. */
const KEPT = {
	above: ['above'],
	any: ['below', 'equal', 'above'],
	atLeast: ['equal', 'above'],
	atMost: ['below', 'equal'],
	below: ['below'],
};

const CHOICES = Object.keys(KEPT) as (keyof typeof KEPT)[];

/** The amount to compare with, with examples for the asset: 100 dollars are little, 100 coins a fortune. */
const compareField = (unit: string, example: string, other: string): INodeProperties => ({
	displayName: 'Compare With',
	name: 'compareWith',
	type: 'string',
	default: '',
	placeholder: `e.g. ${example}`,
	description: `Amount to compare with, in whole ${unit}, such as ${example} or ${other}. The output states whether the balance is below, equal to or above it, and the exact difference. Leave empty to skip.`,
});

export const compareWith = compareField('tokens', '100', '12.5');

export const compareCoinWith = compareField('coins', '0.05', '2');

export const onlyWhere: INodeProperties = {
	displayName: 'Balances to Output',
	name: 'onlyWhere',
	type: 'options',
	options: [
		{ name: 'All Balances', value: 'any', description: 'Output every balance' },
		{ name: 'Only Above', value: 'above', description: 'More than the amount above' },
		{ name: 'Only at Least', value: 'atLeast', description: 'At least the amount above' },
		{ name: 'Only at Most', value: 'atMost', description: 'At most the amount above' },
		{ name: 'Only Below', value: 'below', description: 'Less than the amount above' },
	],
	default: 'any',
	displayOptions: { hide: { compareWith: [''] } },
	description:
		'Which balances to output; the others produce no item. For example, alert only on balances that are too low, without an If or Filter node.',
};

/** n8n drops what the form does not show: a choice without an amount would then output balances that were not wanted. */
export const storedChoice: INodeProperties = {
	displayName: onlyWhere.displayName,
	name: onlyWhere.name,
	type: 'hidden',
	default: 'any',
	displayOptions: { show: { compareWith: [''] } },
};

interface WantedBalances {
	readonly amount: Decimal;
	readonly kept: readonly string[];
}

/** Reads the comparison, if any. @throws InvalidInputError for an invalid or missing amount, or raw output. */
function readWantedBalances(read: ReadParameter, isSimple: boolean): WantedBalances | undefined {
	const given = read(compareWith.name, compareWith.default);
	const where = parseChoice(read(onlyWhere.name, onlyWhere.default), CHOICES, onlyWhere.name);
	if (given === '' && where === 'any') return undefined;
	if (given === '') {
		const hint =
			'Enter an amount in whole coins or tokens; to output every balance, then choose All Balances';
		refuse(compareWith.name, 'This choice of Balances to Output needs an amount', hint);
	}
	const amount = parseWholeAmount(given, compareWith.name);
	if (isSimple) return { amount, kept: KEPT[where] };
	const message = 'Raw output cannot be compared';
	const hint = 'Switch Simplify on, or leave Compare With empty';
	return refuse(compareWith.name, message, hint);
}

/** Adds the result of the comparison to a simplified balance; returns an empty list if it is filtered out. */
function compared(json: IDataObject, { amount, kept }: WantedBalances): IDataObject[] {
	const { userId, symbol, amount: shown, ...rest } = json;
	const balance = { digits: BigInt(String(json.baseUnits)), places: Number(json.decimals) };
	const difference = subtract(balance, amount);
	const { digits } = difference;
	const comparison = digits === 0n ? 'equal' : digits < 0n ? 'below' : 'above';
	if (!kept.includes(comparison)) return [];
	const first = defined({ userId, symbol, amount: shown, comparison });
	return [{ ...first, difference: formatDecimal(difference), ...rest }];
}

const planAll = planGet(simplifyBalance);

/** Plans a balance operation, which compares and filters balances by the item's parameters. */
export const planBalance: Plan = async (item, run, input) => {
	const wanted = readWantedBalances(item.read, input.isSimple);
	const planned = await planAll(item, run, input);
	if (wanted === undefined) return planned;
	return {
		...planned,
		send: async (client) =>
			(await planned.send(client)).flatMap((entry): (IDataObject | ServiceError)[] =>
				entry instanceof ServiceError ? [entry] : compared(entry, wanted),
			),
	};
};
