import type { RpcClient } from './client.mts';

/** An endpoint, as its last requests left it. */
export interface Endpoint {
	client: RpcClient;
	/** Whether the endpoint is known to belong to the chain. */
	isVerified: boolean;
	/** Newest block, as of the last check. */
	head: bigint;
	/** Time of the last failure, in milliseconds of the monotonic clock. */
	failedAt: number;
	/** Number of requests without a usable answer. */
	failures: number;
	/** Time at which the newest block was first seen, in milliseconds of the monotonic clock. */
	changedAt: number;
	/** Whether the last check was answered. */
	isAnswering: boolean;
}

/** What is known about an endpoint. */
export interface EndpointState {
	/** Host name only: URLs contain access keys. */
	name: string;
	head: bigint;
	/** Time since the newest block was first seen, in seconds. */
	headAge: number;
	isAnswering: boolean;
	failures: number;
}
