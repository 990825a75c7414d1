import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { ServiceError } from '../../request/failure/service-error';
import type { Plan } from '../../request/run/plan';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseWholeAmount } from '../../values/amount';
import { parseChoice } from '../../values/choice';
import type { Decimal } from '../../values/decimal';
import { formatDecimal, subtract } from '../../values/decimal';
import { refuse } from '../../values/invalid-input';
import { planGet } from '../plan-get';
import { simplifyBalance } from './simplify-balance';

/** Which balances each choice of Only Items Where lets through. */
const KEPT = {
	above: ['above'],
	any: ['below', 'equal', 'above'],
	atLeast: ['equal', 'above'],
	atMost: ['below', 'equal'],
	below: ['below'],
};

const CHOICES = Object.keys(KEPT) as (keyof typeof KEPT)[];

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

interface WantedBalances {
	readonly amount: Decimal;
	readonly kept: readonly string[];
}

/** @throws InvalidInputError for what is not an amount, a choice without one, and an output that is not simplified. */
function readWanted(read: ReadParameter, isSimple: boolean): WantedBalances | undefined {
	const given = read(compareWith.name, compareWith.default);
	const where = parseChoice(read(onlyWhere.name, onlyWhere.default), CHOICES, onlyWhere.name);
	if (given === '' && where === 'any') return undefined;
	if (given === '') {
		const hint = 'Give an amount in whole coins or tokens, for example 100, or choose Any Balance';
		refuse(compareWith.name, given, 'No amount is given, but Only Items Where needs one', hint);
	}
	const amount = parseWholeAmount(given, compareWith.name);
	if (isSimple) return { amount, kept: KEPT[where] };
	const message = 'The JSON of the service as it came is not compared';
	const hint = 'Switch Simplify on, or leave Compare With empty';
	return refuse(compareWith.name, given, message, hint);
}

/** A simplified balance with what the comparison says of it; nothing when it is not to be given out. */
function compared(json: IDataObject, { amount, kept }: WantedBalances): IDataObject[] {
	const { userId, symbol, amount: shown, ...rest } = json;
	const balance = { digits: BigInt(String(json.baseUnits)), places: Number(json.decimals) };
	const difference = subtract(balance, amount);
	const { digits } = difference;
	const comparison = digits === 0n ? 'equal' : digits < 0n ? 'below' : 'above';
	if (!kept.includes(comparison)) return [];
	return [
		{ userId, symbol, amount: shown, comparison, difference: formatDecimal(difference), ...rest },
	];
}

const planAll = planGet(simplifyBalance);

/** The plan of an operation that gets balances, which are compared and dropped as the item says. */
export const planBalance: Plan = async (item, run, input) => {
	const wanted = readWanted(item.read, input.isSimple);
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
