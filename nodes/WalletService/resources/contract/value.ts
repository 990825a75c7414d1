import type { INodeProperties } from 'n8n-workflow';

import type { ReadParameter } from '../../request/run/read-parameter';
import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { isUnit, parseUnitAmount, UNIT_DECIMALS } from '../../values/units';

export const value: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'string',
	default: '',
	placeholder: 'e.g. 50000000000000000',
	description:
		"Amount of the network's native coin to send with the call, in the unit below. Leave empty to send none.",
};

export const valueUnit: INodeProperties = {
	displayName: 'Value Unit',
	name: 'valueUnit',
	type: 'options',
	options: [
		{ name: 'Ether', value: 'ether', description: 'The whole coin: 10^18 wei' },
		{ name: 'Gwei', value: 'gwei', description: '10^9 wei' },
		{ name: 'Wei', value: 'wei', description: 'The smallest unit; whole numbers only' },
	],
	default: 'wei',
	description: 'Unit of the value; the native coin has 18 decimal places, whatever it is called',
};

/**
 * The native coin to send along, in wei; `undefined` if the field is left empty.
 *
 * @throws InvalidInputError for an amount that is not exact in its unit, and an unknown unit.
 */
export function readValue(read: ReadParameter): bigint | undefined {
	const amount = read('value', '');
	if (amount === '') return undefined;
	const unit = read('valueUnit', 'wei');
	if (isUnit(unit)) return parseUnitAmount(amount, UNIT_DECIMALS[unit], 'value');
	throw new InvalidInputError({
		parameter: 'valueUnit',
		value: unit,
		message: `${quote(unit)} is not a unit`,
		hint: 'Choose wei, gwei or ether',
	});
}
