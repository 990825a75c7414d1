import { id } from 'ethers';

import type { CheckedCall } from '../contract/call';
import { calldata } from '../contract/calldata';
import { functionKey } from '../contract/function';

/** What a write is, however the user wrote it (case, names, units, white space). */
export interface CanonicalCall {
	/** The same for equal calls: a hash over base URL, lower-case address, calldata and value in wei. */
	readonly digest: string;
	/** The call as a person reads it. */
	readonly shown: Readonly<Record<string, string | readonly string[]>>;
}

/** @param baseUrl where the call goes, normalized */
export function canonicalCall(baseUrl: string, checked: CheckedCall): CanonicalCall {
	const { call, contractFunction } = checked;
	const { address, args, value = '0' } = call;
	const parts = [baseUrl, address.toLowerCase(), calldata(contractFunction, args), value];
	return {
		digest: id(JSON.stringify(parts)),
		shown: { contractAddress: address, function: functionKey(contractFunction), args, value },
	};
}
