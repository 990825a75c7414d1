/** Transfers of tokens, as calls and as logs. */
import { dataSlice, id, toBeHex, zeroPadValue } from 'ethers';
import type { ScriptedCall, ScriptedLog } from './scripted-block.mts';

export const TRANSFER_EVENT = id('Transfer(address,address,uint256)');
const TRANSFER = id('transfer(address,uint256)').slice(0, 10);

/** The address in a word, in lower case. */
export const addressIn = (word: string): string => dataSlice(word, 12).toLowerCase();

/** Call data of `transfer(address,uint256)`. */
export const transferCall = (to: string, amount: bigint): string =>
	TRANSFER + zeroPadValue(to, 32).slice(2) + toBeHex(amount, 32).slice(2);

/** The log of a transfer. */
export const transferLog = (
	token: string,
	{ from, to, amount }: { from: string; to: string; amount: bigint },
): ScriptedLog => ({
	address: token.toLowerCase(),
	topics: [TRANSFER_EVENT, ...[from, to].map((one) => zeroPadValue(one.toLowerCase(), 32))],
	data: toBeHex(amount, 32),
});

/** The log of a call of `transfer(address,uint256)`; none of any other call. */
export function transferLogs({ from, to: token, data }: ScriptedCall): ScriptedLog[] {
	if (!data.startsWith(TRANSFER) || data.length !== 138) return [];
	const [to, amount] = [addressIn(dataSlice(data, 4, 36)), BigInt(dataSlice(data, 36))];
	return [transferLog(token, { from, to, amount })];
}
