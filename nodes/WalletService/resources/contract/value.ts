import type { INodeProperties } from 'n8n-workflow';

import { NATIVE_FORMS, parseWholeAmount, toBaseUnits, UNIT_DECIMALS } from '../../values/amount';
import { MAX_UINT256 } from '../../values/integers';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';

/** How errors call the native coin of a call. */
export const NATIVE_COIN = 'Options: Native Coin to Send Along';

/**
 * Entry of Options. Most functions take no native coin, and those of the token standards never do: then it is not shown.
 */
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

/**
 * The native coin to send along, in wei: in whole coins, or in the unit that is named.
 *
 * @throws InvalidInputError for nothing at all, an amount that is not exact in its unit or negative, and more than any
 * contract can be sent.
 * @example parseNativeCoin('0.1') // 100000000000000000n
 */
export function parseNativeCoin(value: unknown): bigint {
	const written = parseWholeAmount(value, NATIVE_COIN, NATIVE_FORMS);
	const { unit, decimals = UNIT_DECIMALS.ether } = written;
	const wei = toBaseUnits(written, decimals, NATIVE_COIN, unit === '' ? 'ether' : unit);
	if (wei <= MAX_UINT256) return wei;
	return refuse(
		NATIVE_COIN,
		value,
		`${quote(value)} is more than there can be`,
		'Amounts without a unit are whole coins: name wei or gwei if that is meant',
	);
}
