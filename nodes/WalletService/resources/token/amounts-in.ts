import type { INodeProperties } from 'n8n-workflow';

import type { ReadParameter } from '../../request/run/read-parameter';
import { InvalidInputError } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';

/** Entry of Options: the unit of Amount. */
export const amountsIn: INodeProperties = {
	displayName: 'Amounts In',
	name: 'amountsIn',
	type: 'options',
	options: [
		{
			name: 'Base Units',
			value: 'base',
			description: 'Whole numbers of the smallest unit: millionths for a token with 6 decimals',
		},
		{
			name: 'Whole Tokens',
			value: 'whole',
			description: 'Amounts such as 12.5, by the decimals that the token itself names',
		},
	],
	default: 'whole',
	description: 'How the amount is written; ERC-20 only',
	displayOptions: { show: { '/resource': ['token'], '/operation': ['send'] } },
};

/**
 * Whether an item's amount counts base units.
 *
 * @throws InvalidInputError for a unit that is not known: a wrong guess would be off by many powers of ten.
 */
export function readInBaseUnits(read: ReadParameter): boolean {
	const given = read('options', {});
	const { amountsIn: unit = 'whole' } = isObject(given) ? given : {};
	if (unit === 'whole') return false;
	if (unit === 'base') return true;
	throw new InvalidInputError({
		parameter: 'Options: Amounts In',
		value: unit,
		message: `${quote(unit)} is not a unit of amounts`,
		hint: 'Choose whole or base',
	});
}
