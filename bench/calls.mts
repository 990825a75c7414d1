import type { BenchmarkItem } from './items.mts';

/** The benchmarked calls of the interface. */
export const CALLS = ['balance', 'read'] as const;
export type Call = (typeof CALLS)[number];

/** Access token of the measured client; the stub server counts requests with other tokens as another client's. */
export const SERVICE_TOKEN = 'benchmark';

/** Signature of the function called in the contract read. */
export const FUNCTION_SIGNATURE = 'balanceOf(address) public view returns (uint256)';

/** Signature of the function called in the contract write. */
export const TRANSFER_SIGNATURE = 'transfer(address,uint256) public returns (bool)';

/** One HTTP request. */
export interface PlainRequest {
	method: 'GET' | 'POST';
	path: string;
	body: string;
}

/** Builds the request of each call from an input item. */
export const PLAIN_REQUESTS: Record<Call | 'write', (item: BenchmarkItem) => PlainRequest> = {
	balance: ({ userId }) => ({ method: 'GET', path: `/v1/users/${userId}/balance`, body: '' }),
	read: ({ contract, wallet }) => ({
		method: 'POST',
		path: '/v1/contracts/method/read',
		body: JSON.stringify({ address: contract, abi: FUNCTION_SIGNATURE, args: [wallet] }),
	}),
	write: ({ contract, wallet }) => ({
		method: 'POST',
		path: '/v1/contracts/method/write',
		body: JSON.stringify({ address: contract, abi: TRANSFER_SIGNATURE, args: [wallet, '1'] }),
	}),
};
