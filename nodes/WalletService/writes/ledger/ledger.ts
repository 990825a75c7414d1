import type { Sent } from '../retry/decide';
import type { SubmittedAnswer } from '../outcome';

/** What keeps the writes of a node, by execution. */
export interface Group {
	readonly node: string;
	readonly execution: string;
}

/** A write that the ledger knows. */
export interface ListedWrite extends Sent {
	readonly key: string;
	/** ID of the execution that sent it, the first one or a Retry. */
	readonly execution: string;
	readonly answer: SubmittedAnswer;
}

/** A Retry as the ledger counts it, with everything that was sent before it began. */
export interface BegunAttempt {
	/** Its number, with which its writes are sent. */
	readonly attempt: string;
	/** The oldest first. */
	readonly writes: readonly ListedWrite[];
}
