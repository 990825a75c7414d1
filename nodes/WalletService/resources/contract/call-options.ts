import type { INodeProperties } from 'n8n-workflow';

import type { ContractFunction } from '../../contract/function';
import type { ReadParameter } from '../../request/run/read-parameter';
import { readOptions } from '../../request/run/read-parameter';
import { NATIVE_FORMS, parseWholeAmount, toBaseUnits, UNIT_DECIMALS } from '../../values/amount';
import { parseDecimals } from '../../values/decimal';
import { MAX_UINT256 } from '../../values/integers';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';

/** Entry of Options, hidden for functions of the token standards, which take no native coin. */
export const nativeCoin: INodeProperties = {
	displayName: 'Native Coin to Send Along',
	name: 'nativeCoin',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0.1',
	description:
		"Amount of the network's native coin (such as ETH) to send with the call, in whole coins or with a unit: 0.1 ether, 20 gwei, 5 wei. Only for payable functions.",
	displayOptions: { show: { '/functionSource': ['signature', 'contractAbi'] } },
};

export const NATIVE_COIN = ['options', nativeCoin.name];

export const scaleByDecimals: INodeProperties = {
	displayName: 'Scale by Decimals',
	name: 'decimals',
	type: 'number',
	typeOptions: { minValue: 0, maxValue: 255 },
	default: 18,
	placeholder: 'e.g. 6',
	description:
		'Decimal places of the returned integers: with 6, the value 1500000 becomes exactly 1.5. Applies to every integer that the function returns.',
};

const SCALE = ['options', scaleByDecimals.name];

export interface ReadOptions {
	/** Decimal places by which integers of the answer are scaled. */
	readonly decimals?: number;
	/** The Wait Until option, unparsed; absent unless added. */
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

/** Refuses to scale values of unknown type. @throws InvalidInputError */
export function assertCanScale({ outputs }: ContractFunction, { decimals }: ReadOptions): void {
	if (decimals === undefined || outputs.length > 0) return;
	const message = 'The function declares no return types, so no value is known to be an integer';
	const hint = 'Add return types, for example returns (uint256), or remove the option';
	refuse(SCALE, message, hint);
}

/**
 * Reads the native coin that an item sends along, in wei; `undefined` if the option was not added. It is entered in whole
 * coins or with a unit. An added option without an amount is refused, because its meaning cannot be guessed.
 *
 * @throws InvalidInputError for an amount that is negative, has more decimal places than its unit, or exceeds uint256.
 */
export function readNativeCoin(read: ReadParameter): bigint | undefined {
	const given = readOptions(read);
	if (!Object.hasOwn(given, nativeCoin.name)) return undefined;
	const written = parseWholeAmount(given[nativeCoin.name], NATIVE_COIN, NATIVE_FORMS);
	const { text, unit, decimals = UNIT_DECIMALS.ether } = written;
	const wei = toBaseUnits(written, decimals, NATIVE_COIN, unit === '' ? 'ether' : unit);
	if (wei <= MAX_UINT256) return wei;
	const hint = 'An amount without a unit is in whole coins; add wei or gwei if you mean those';
	return refuse(NATIVE_COIN, `${quote(text)} is more than a contract can receive`, hint);
}
