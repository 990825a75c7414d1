import type { BenchmarkItem } from './items.mts';

/** A call of the interface that is benchmarked. */
export const CALLS = ['balance', 'read'] as const;
export type Call = (typeof CALLS)[number];

/** Function that the contract read calls. */
export const FUNCTION_SIGNATURE = 'balanceOf(address) public view returns (uint256)';

/** One request as it goes over the line. */
export interface PlainRequest {
	method: 'GET' | 'POST';
	path: string;
	body: string;
}

/** The requests that a call stands for, one for each input item. */
export function plainRequests(call: Call, items: readonly BenchmarkItem[]): PlainRequest[] {
	return items.map(({ userId, contract, wallet }) =>
		call === 'balance'
			? { method: 'GET', path: `/v1/users/${userId}/balance`, body: '' }
			: {
					method: 'POST',
					path: '/v1/contracts/method/read',
					body: JSON.stringify({ address: contract, abi: FUNCTION_SIGNATURE, args: [wallet] }),
				},
	);
}
