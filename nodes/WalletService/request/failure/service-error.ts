import type { FailureCode } from './failure-code';

/** What is known about a request that did not end well. */
export interface ServiceErrorDetails {
	/** What happened, in one sentence; without anything secret. */
	readonly message: string;
	/** What to do about it. */
	readonly hint: string;
	/** What happened, for programs. */
	readonly code: FailureCode;
	/** The service's own words, redacted and shortened. */
	readonly serviceText?: string;
	/** HTTP status of the answer; absent when there was none. */
	readonly httpStatus?: number;
	/** The connection error's code (`ECONNREFUSED`, ...) when there was no answer. */
	readonly connectionCode?: string;
	/** Whether the same request may succeed a little later. */
	readonly isTransient?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	readonly retryAfterMs?: number;
	/**
	 * What is certain without an answer to look at: the request never reached the service, or the service refused to let
	 * anybody in. Absent when nothing is.
	 */
	readonly certainty?: 'never sent' | 'refused';
	/** What became of a write (`writes/outcome.ts`); absent for everything that cannot move money. */
	readonly outcome?: 'refused' | 'unknown';
	/** Transaction hashes found in an answer that is not a success. */
	readonly hashes?: readonly string[];
}

/** A request that failed: the service refused it, answered with something else, or did not answer at all. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	readonly details: ServiceErrorDetails;

	constructor(details: ServiceErrorDetails) {
		super(details.message);
		this.details = details;
	}

	/** The same failure, told differently. */
	with(changes: Partial<ServiceErrorDetails>): ServiceError {
		return new ServiceError({ ...this.details, ...changes });
	}
}
