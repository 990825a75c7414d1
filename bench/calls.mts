import type { BenchmarkItem } from './items.mts';

/** A call of the interface that is benchmarked. */
export const CALLS = ['balance', 'read'] as const;
export type Call = (typeof CALLS)[number];

/** Access token of what is measured at the stub server, which tells other clients from it. */
export const SERVICE_TOKEN = 'benchmark';

/** Function that the contract read calls. */
export const FUNCTION_SIGNATURE = 'balanceOf(address) public view returns (uint256)';

/** Function that the contract write calls. */
export const TRANSFER_SIGNATURE = 'transfer(address,uint256) public returns (bool)';

/** One request as it goes over the line. */
export interface PlainRequest {
	method: 'GET' | 'POST';
	path: string;
	body: string;
}

/** The request that each call makes of an input item. */
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
