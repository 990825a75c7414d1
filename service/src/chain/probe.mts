/** A call whose failure is return data, too: the only proof that a contract fails without saying so. */
import { concat, dataSlice, toBeHex } from 'ethers';

/** Gas of the inner call, far more than a function needs that reports a fact. */
const INNER_GAS = 1_000_000;

/**
 * Code of a contract that is never deployed: it calls another one, and returns whether that succeeded, the first word that it
 * returned, and how many bytes it returned. An endpoint that runs out of gas, or refuses to answer, returns nothing.
 *
 * @param selector of a function without arguments, 4 bytes
 */
export const probeOf = (address: string, selector: string): string =>
	concat([
		// The selector in the first word of the memory.
		'0x63',
		selector,
		'0x60e01b600052',
		// The inner call, whose result is written to the second word.
		'0x6020602060046000',
		'0x73',
		address,
		'0x62',
		toBeHex(INNER_GAS, 3),
		'0xfa',
		// Success, word, size.
		'0x6000523d60405260606000f3',
	]);

/** What a probe has returned. @returns undefined if it is not the answer of a probe */
export function probed(data: string): { isDone: boolean; word: bigint; size: bigint } | undefined {
	if (data.length !== 2 + 3 * 64) return undefined;
	const [success, word, size] = [0, 32, 64].map((at) => BigInt(dataSlice(data, at, at + 32)));
	if (success === undefined || word === undefined || size === undefined || success > 1n) {
		return undefined;
	}
	return { isDone: success === 1n, word, size };
}
