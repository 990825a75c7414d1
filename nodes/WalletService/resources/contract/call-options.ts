import type { INodeProperties } from 'n8n-workflow';

import type { ContractFunction } from '../../contract/function';
import type { ReadParameter } from '../../request/run/read-parameter';
import { parseDecimals } from '../../values/decimals';
import { refuse } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { nativeCoin, parseNativeCoin } from './value';
import { waitUntilOption } from './wait-until';

/** How errors call that option. */
const SCALE = 'Options: Scale by Decimals';

/** Read by `readReadOptions`. */
export const scaleByDecimals: INodeProperties = {
	displayName: 'Scale by Decimals',
	name: 'decimals',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 255 },
	default: 18,
	placeholder: 'e.g. 6',
	description:
		'How many decimal places the integers of the answer have: with 6, the value 1500000 becomes 1.5, exactly. It applies to all integers that the function returns.',
	displayOptions: { show: { '/resource': ['contract'], '/operation': ['read'] } },
};

/** Entries of Options that only contract calls have; unlike the others, they are read for each item. */
export const callOptions: INodeProperties[] = [nativeCoin, waitUntilOption, scaleByDecimals];

function givenOptions(read: ReadParameter): Record<string, unknown> {
	const given = read('options', {});
	return isObject(given) ? given : {};
}

/** The Options of an item that concern its answer. */
export interface ReadOptions {
	/** Decimal places by which integers of the answer are scaled. */
	readonly decimals?: number;
	/** The option Wait Until as it was read; absent when it was not added. */
	readonly waitUntil?: unknown;
}

/**
 * Reads the Options of a read.
 *
 * @throws InvalidInputError unless the decimals are a whole number from 0 to 255.
 */
export function readReadOptions(read: ReadParameter): ReadOptions {
	const { decimals, waitUntil } = givenOptions(read);
	return {
		decimals: decimals === undefined ? undefined : parseDecimals(decimals, SCALE),
		waitUntil,
	};
}

/** Refuses to scale what is not known to be an integer. @throws InvalidInputError */
export function assertCanScale({ outputs }: ContractFunction, { decimals }: ReadOptions): void {
	if (decimals === undefined || outputs.length > 0) return;
	refuse(
		SCALE,
		decimals,
		'The function declares no return types, so that nothing is known to be an integer',
		'Add them to the function, for example returns (uint256), or remove the option',
	);
}

/**
 * The native coin that an item sends along, in wei; `undefined` when the option was not added. Added without an amount, it is
 * refused: what it was meant to be cannot be guessed.
 *
 * @throws InvalidInputError see `parseNativeCoin`
 */
export function readNativeCoin(read: ReadParameter): bigint | undefined {
	const given = givenOptions(read);
	return Object.hasOwn(given, nativeCoin.name)
		? parseNativeCoin(given[nativeCoin.name])
		: undefined;
}
