/** What is known about a request that did not end well. */
export interface CallFailureDetails {
	/** What happened, in one sentence; without anything secret. */
	readonly message: string;
	/** What to do about it. */
	readonly hint: string;
	/** The service's own words, redacted and shortened. */
	readonly serviceText?: string;
	/** HTTP status of the answer; absent when there was none. */
	readonly httpStatus?: number;
	/** The connection error's code (`ECONNREFUSED`, ...) when there was no answer. */
	readonly code?: string;
	/** Whether the same request may succeed a little later. */
	readonly isPassing?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	readonly retryAfterMs?: number;
	/**
	 * What became of the request: it certainly never reached the service, the service refused it without doing
	 * anything, or nobody here can know.
	 */
	readonly outcome: 'not sent' | 'refused' | 'unknown';
}

/** A request that failed: the service refused it, answered with something else, or did not answer at all. */
export class CallFailure extends Error {
	override readonly name = 'CallFailure';

	readonly details: CallFailureDetails;

	constructor(details: CallFailureDetails) {
		super(details.message);
		this.details = details;
	}

	/** The same failure, told differently. */
	with(changes: Partial<CallFailureDetails>): CallFailure {
		return new CallFailure({ ...this.details, ...changes });
	}
}
