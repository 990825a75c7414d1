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
}

/** A request that failed: the service refused it, answered with something else, or did not answer at all. */
export class CallFailure extends Error {
	override readonly name = 'CallFailure';

	readonly hint: string;

	readonly serviceText: string | undefined;

	readonly httpStatus: number | undefined;

	readonly code: string | undefined;

	constructor(details: CallFailureDetails) {
		super(details.message);
		this.hint = details.hint;
		this.serviceText = details.serviceText;
		this.httpStatus = details.httpStatus;
		this.code = details.code;
	}
}
