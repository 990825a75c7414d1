/** The log that the checker of lists reads: what a service carried out of a list of payments, and what n8n reported of it. */
import type { NodeRun } from '../logs.mts';

/** A row of the list, which is to be paid once. */
export interface Row {
	readonly id: number;
	/** Index of the user who pays it. */
	readonly user: number;
	/** Index of the recipient. */
	readonly to: number;
	readonly amount: number;
	/** Number of its order among those of its user; absent without orders. */
	readonly order?: number;
}

/** What a payment moves, from whom to whom. */
export type Payment = Pick<Row, 'user' | 'to' | 'amount'>;

/** A request to pay, or to look at a payment. */
export interface Sending {
	/** The payment; absent for a look. */
	readonly payment: Payment | undefined;
	/** Number of the session that sent it. */
	readonly session: number;
	/** The transaction that it caused; absent if it caused none. */
	readonly hash: string | undefined;
	/** Whether its sender did not learn what became of it. */
	readonly isLost: boolean;
	/** Whether the service refused it. */
	readonly isRefused: boolean;
}

/** A run of the node that pays. */
export interface ListRun extends Pick<NodeRun, 'reports' | 'ending'> {
	/** The rows of its items. */
	readonly rows: readonly Row[];
}

/** An execution, from its start or continuation to its end, a wait, or a crash, in one process. */
export interface Session {
	readonly index: number;
	readonly process: number;
	/** Which of two executions; a Retry belongs to the one that it retries. */
	readonly execution: number;
	readonly isRetry: boolean;
	readonly isCrashed: boolean;
	/** Whether another Retry of the same execution ran at the same time. */
	readonly isRivalled: boolean;
	/** Whether the list has changed since the first session. */
	readonly hasMoved: boolean;
	/** What n8n has kept of earlier sessions: the hashes in the outputs. */
	readonly kept: readonly string[];
	/** The node's runs; none after a crash. */
	readonly runs: readonly ListRun[];
}

/** Limits of the credential; absent for none. */
export interface Limits {
	readonly perCall?: number;
	readonly perExecution?: number;
	readonly ofToken?: number;
}

export interface ListLogs {
	readonly limits: Limits;
	/** Whether the service keeps writes. */
	readonly isKept: boolean;
	/** Whether the amounts change with each session. */
	readonly isChanging: boolean;
	/** Whether the first error ends a run. */
	readonly stops: boolean;
	/** Whether n8n runs a failed run again. */
	readonly isRepeated: boolean;
	/** All rows that were ever in the list. */
	readonly rows: readonly Row[];
	readonly sendings: readonly Sending[];
	readonly sessions: readonly Session[];
}

/** What changing amounts differ by; amounts themselves are smaller. */
export const STEP = 1000;

/** Whether a payment is what a row asks for. */
export const isLike = (one: Payment, other: Payment): boolean =>
	one.user === other.user && one.to === other.to && one.amount % STEP === other.amount % STEP;
