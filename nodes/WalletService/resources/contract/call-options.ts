import type { INodeProperties } from 'n8n-workflow';

import type { ReadParameter } from '../../request/run/read-parameter';
import { parseDecimals } from '../../values/decimals';
import { isObject } from '../../values/objects';
import { parseSwitch } from '../../values/switch';

/** Entries of Options that only contract calls have; unlike the others, they are read for each item. */
export const callOptions: INodeProperties[] = [
	{
		displayName: 'Preview',
		name: 'preview',
		type: 'boolean',
		default: false,
		description:
			'Whether to check everything and output the exact request, with the 4-byte selector and the calldata, instead of sending it',
		displayOptions: { show: { '/resource': ['contract'] } },
	},
	{
		displayName: 'Scale by Decimals',
		name: 'decimals',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 255 },
		default: 18,
		placeholder: 'e.g. 6',
		description:
			'How many decimal places the integers of the answer have: with 6, the value 1500000 becomes 1.5, exactly. It applies to all integers that the function returns.',
		displayOptions: { show: { '/resource': ['contract'], '/operation': ['read'] } },
	},
];

/** The Options of an item that concern its call. */
export interface CallOptions {
	/** Whether the request is output instead of sent. */
	readonly isPreview: boolean;
	/** Decimal places by which integers of the answer are scaled. */
	readonly decimals?: number;
}

/**
 * Reads the Options of an item that concern its call.
 *
 * @throws InvalidInputError unless Preview is a switch and the decimals are a whole number from 0 to 255.
 */
export function readCallOptions(read: ReadParameter): CallOptions {
	const given = read('options', {});
	const { preview = false, decimals } = isObject(given) ? given : {};
	const isPreview = parseSwitch(preview, 'Options: Preview');
	return decimals === undefined
		? { isPreview }
		: { isPreview, decimals: parseDecimals(decimals, 'Options: Scale by Decimals') };
}
