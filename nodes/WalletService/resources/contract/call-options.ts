import type { INodeProperties } from 'n8n-workflow';

import type { ContractFunction } from '../../contract/function';
import type { ReadParameter } from '../../request/run/read-parameter';
import { readOptions } from '../../request/run/read-parameter';
import { NATIVE_FORMS, parseWholeAmount, toBaseUnits, UNIT_DECIMALS } from '../../values/amount';
import { parseDecimals } from '../../values/decimal';
import { MAX_UINT256 } from '../../values/integers';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import { waitUntilOption } from './wait-until';

/** How errors call the native coin of a call. */
export const NATIVE_COIN = 'Options: Native Coin to Send Along';

/** Entry of Options. Functions of the token standards take no native coin: then it is not shown. */
export const nativeCoin: INodeProperties = {
	displayName: 'Native Coin to Send Along',
	name: 'nativeCoin',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0.1',
	description:
		"How much of the network's coin (for example ETH) to send with the call: 0.1 is a tenth of a whole coin. A unit may follow: 0.1 ether, 20 gwei, 5 wei. Only for functions that are payable.",
	displayOptions: {
		show: {
			'/resource': ['contract'],
			'/operation': ['write'],
			'/functionSource': ['signature', 'contractAbi'],
		},
	},
};

const SCALE = 'Options: Scale by Decimals';

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

export interface ReadOptions {
	/** Decimal places by which integers of the answer are scaled. */
	readonly decimals?: number;
	/** The option Wait Until as it was read; absent when it was not added. */
	readonly waitUntil?: unknown;
}

/** Reads the Options of a read. @throws InvalidInputError unless the decimals are a whole number from 0 to 255. */
export function readReadOptions(read: ReadParameter): ReadOptions {
	const { decimals, waitUntil } = readOptions(read);
	return {
		decimals: decimals === undefined ? undefined : parseDecimals(decimals, SCALE),
		waitUntil,
	};
}

/** Refuses to scale what is not known to be an integer. @throws InvalidInputError */
export function assertCanScale({ outputs }: ContractFunction, { decimals }: ReadOptions): void {
	if (decimals === undefined || outputs.length > 0) return;
	const message =
		'The function declares no return types, so that nothing is known to be an integer';
	const hint = 'Add them to the function, for example returns (uint256), or remove the option';
	refuse(SCALE, decimals, message, hint);
}

/**
 * The native coin that an item sends along, in wei: in whole coins, or in the unit that is named; `undefined` when the option
 * was not added. Added without an amount, it is refused: what it was meant to be cannot be guessed.
 *
 * @throws InvalidInputError for an amount that is not exact in its unit or negative, and more than any contract can be sent.
 */
export function readNativeCoin(read: ReadParameter): bigint | undefined {
	const given = readOptions(read);
	if (!Object.hasOwn(given, nativeCoin.name)) return undefined;
	const written = parseWholeAmount(given[nativeCoin.name], NATIVE_COIN, NATIVE_FORMS);
	const { text, unit, decimals = UNIT_DECIMALS.ether } = written;
	const wei = toBaseUnits(written, decimals, NATIVE_COIN, unit === '' ? 'ether' : unit);
	if (wei <= MAX_UINT256) return wei;
	const hint = 'Amounts without a unit are whole coins: name wei or gwei if that is meant';
	return refuse(NATIVE_COIN, text, `${quote(text)} is more than there can be`, hint);
}
