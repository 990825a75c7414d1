import type { CheckedCall } from '../contract/call';
import { argumentsIn, calldata } from '../contract/call';
import type { ContractFunction } from '../contract/function';
import { numbersInWords } from '../contract/token-moves';
import { textHash } from '../values/hashes';
import { readInteger } from '../values/integers';
import { isItem } from '../values/objects';

/** The identity of a write, regardless of its notation (case, names, units, white space). */
export interface CanonicalCall {
	/** Hash of base URL, lower-case address, calldata and value in wei; the same for equal calls. */
	readonly digest: string;
	/** The call in readable form. */
	readonly shown: Readonly<Record<string, string | readonly string[]>>;
	/** The recipient or spender and the amounts, for a function of a token standard. */
	readonly moves?: string;
}

function digestOf(baseUrl: string, { to, data, value }: Record<'to' | 'data' | 'value', string>) {
	return textHash(JSON.stringify([baseUrl, to.toLowerCase(), data.toLowerCase(), value]));
}

/**
 * The identity of a recorded transaction, from the `tx` of an answer (interface, section 4.6); without identity if the
 * service leaves out its call.
 *
 * @param fn the function that is probably called, to decode the arguments
 * @example recordedCall('https://wallet.example.com', { to: '0x12', data: '0x8456cb59', value: '0' }, undefined).shown // { contractAddress: '0x12', … }
 */
export function recordedCall(
	baseUrl: string,
	tx: unknown,
	fn: ContractFunction | undefined,
): CanonicalCall {
	const { to, data, value } = isItem(tx) ? tx : {};
	const wei = readInteger(value)?.toString();
	if (typeof to !== 'string' || typeof data !== 'string' || wei === undefined)
		return { digest: '', shown: {} };
	const args = fn && argumentsIn(fn, data);
	const decoded: CanonicalCall['shown'] = fn && args ? { function: fn.key, args } : { data };
	return {
		digest: digestOf(baseUrl, { to, data, value: wei }),
		shown: { contractAddress: to, ...decoded, value: wei },
	};
}

/**
 * The identity of a checked call.
 *
 * @param baseUrl the normalized base URL of the service
 * @example
 * const call = { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', args: [] };
 * const checked = checkedCall(parseSignature('pause()'), 'write', call, { resolvedAddresses: {} });
 * canonicalCall('https://wallet.example.com', checked).shown.function // 'pause()'
 */
export function canonicalCall(
	baseUrl: string,
	{ call, contractFunction, move }: CheckedCall,
): CanonicalCall {
	const { address, args, value = '0' } = call;
	return {
		digest: digestOf(baseUrl, { to: address, data: calldata(contractFunction, args), value }),
		shown: { contractAddress: address, function: contractFunction.key, args, value },
		...(move && { moves: `for ${move.party}${numbersInWords(move, address)}` }),
	};
}
