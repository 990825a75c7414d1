import { id } from 'ethers';

import type { CheckedCall } from '../contract/call';
import { calldata } from '../contract/call';
import { functionKey } from '../contract/function';

/** The identity of a write, however the user wrote it (case, names, units, white space). */
export interface CanonicalCall {
	/** The same for equal calls: a hash over base URL, lower-case address, calldata and value in wei. */
	readonly digest: string;
	/** The call in readable form. */
	readonly shown: Readonly<Record<string, string | readonly string[]>>;
}

/**
 * The identity of a checked call.
 *
 * @param baseUrl the service that the call is sent to, normalized
 * @example
 * const contractFunction = parseSignature('pause()');
 * const call = { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', abi: 'pause() public', args: [] };
 * canonicalCall('https://wallet.example.com', { call, contractFunction }).shown.function // 'pause()'
 */
export function canonicalCall(baseUrl: string, checked: CheckedCall): CanonicalCall {
	const { call, contractFunction } = checked;
	const { address, args, value = '0' } = call;
	const parts = [baseUrl, address.toLowerCase(), calldata(contractFunction, args), value];
	return {
		digest: id(JSON.stringify(parts)),
		shown: { contractAddress: address, function: functionKey(contractFunction), args, value },
	};
}
