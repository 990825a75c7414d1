/**
 * The two logs that the checker reads: the service's requests and work, and n8n's requests and reports.
 * Times are positions in the order of all events of a test; see `clock`.
 */

/** The outcome of one attempt to send. */
export type Outcome = 'done' | 'refused' | 'unknown';

/** A contract call as the chain sees it, however it was written. */
export interface Call {
	/** Lower case. */
	readonly address: string;
	/** Four bytes, lower case. */
	readonly selector: string;
	/** In wei. */
	readonly value: bigint;
}

/** A write that the service received. */
export interface Entry extends Call {
	/** The node run or tool call that sent the write, if any. */
	readonly scope: string | undefined;
	/** Whether the write was sent to the path for writes, not to the target of a redirect. */
	readonly isDirect: boolean;
	/** The first argument; see `Ask`. */
	readonly tag: string;
	/** Address, selector with all arguments, and value. */
	readonly canonical: string;
	readonly arrivedAt: number;
	/** Writes that arrive at this position or later count as simultaneous. */
	readonly from: number;
	/** Time at which the request was answered, cut off, or abandoned by the client. */
	readonly to: number;
	/** Transaction hash of the work; absent if it was not done. */
	readonly hash: string | undefined;
	/** The outcome that the rules derive from the answer. */
	readonly outcome: Outcome;
	/** Hashes anywhere in the answer; empty unless the client received it in full. */
	readonly hashes: readonly string[];
	/** The key under which it was sent, if the service keeps writes. */
	readonly key?: string;
	/** Whether the service had recorded the write before. */
	readonly isRepeat?: boolean;
	/** Whether the service answered that its key has ended. */
	readonly isEnded?: boolean;
}

/** A look at a key, or its end. */
export interface Look {
	readonly key: string;
	readonly scope: string | undefined;
	readonly to: number;
	/** Whether the answer of the service reached the client. */
	readonly isAnswered: boolean;
}

/** The request of an item or tool call. */
export interface Ask extends Call {
	/** Items and calls with the same tag make identical requests. */
	readonly tag: string;
	/** Whether the request must be sent, only shown, or refused because its parameters cannot be read. */
	readonly wish: 'send' | 'show' | 'refuse';
	/** Whether the request requires a look-up, which may fail. */
	readonly mayFail: boolean;
	/** Whether a write of unknown outcome may be sent again. */
	readonly isResend: boolean;
	/** Whether the request changes each time it is read. */
	readonly isRandom: boolean;
	/** The order that it pays; absent if it has none. */
	readonly order?: string;
}

/** An output item. */
export interface Report {
	/** Index of the input item, if reported. */
	readonly item: number | undefined;
	readonly isErrorOutput: boolean;
	readonly json: Readonly<Record<string, unknown>>;
	readonly error?: Failure;
}

/** An error and its input item. */
export interface Failure {
	readonly item: number | undefined;
	readonly message: string;
	/** All text, including the message. */
	readonly text: string;
	readonly details: Readonly<Record<string, unknown>>;
}

/** One run of a node, or one call of a tool, with all its attempts. */
export interface NodeRun {
	readonly scope: string;
	readonly node: string;
	/** Index of the run among the node's runs in its execution. */
	readonly index: number;
	readonly execution: string | undefined;
	readonly isTool: boolean;
	/** Whether failed items go to a separate output. */
	readonly hasErrorOutput: boolean;
	readonly asks: readonly Ask[];
	/** Start times of the attempts. */
	readonly tries: number[];
	/** Time at which the execution was cancelled. */
	readonly stoppedAt?: number;
	readonly reports: Report[];
	/** The error that ended the run. */
	ending?: Failure;
}

/** The policy of a credential, parsed. */
export interface Policy {
	/** Whether writes are on and every field can be read. */
	readonly isOpen: boolean;
	/** Lower case; empty for all. */
	readonly contracts: readonly string[];
	/** Selectors; empty for all. */
	readonly functions: readonly string[];
	readonly maxPerCall: bigint;
	readonly maxPerExecution: bigint;
}

/** All events of one credential. */
export interface Logs {
	readonly policy: Policy;
	readonly token: string;
	/** Whether nothing listens at the service's address. */
	readonly isUnreachable: boolean;
	readonly service: readonly Entry[];
	/** Present if the service keeps writes. */
	readonly looks?: readonly Look[];
	readonly runs: readonly NodeRun[];
	/** Lines that n8n prints by default, without the data attached to them. */
	readonly lines: readonly string[];
}

let events = 0;

/** The next position in the order of events. */
export const clock = (): number => ++events;
