import { inOneLine } from '../../values/quote';
import { shownUserId } from '../../values/user-id';
import type { FailureCode } from './failure-code';

export interface ServiceErrorDetails {
	/** The title of the error: one sentence, without secrets. */
	readonly message: string;
	/** An important warning, which follows the message. */
	readonly warning?: string;
	readonly hint: string;
	readonly code: FailureCode;
	/** The service's own error message, redacted and truncated. */
	readonly serviceText?: string;
	readonly httpStatus?: number;
	/** The connection error's code (`ECONNREFUSED`, ...) if there was no answer. */
	readonly connectionCode?: string;
	readonly isTransient?: boolean;
	/** The wait that the service requested, in milliseconds. */
	readonly retryAfterMs?: number;
	/** Certain even without an answer: the service never received the request, or refused the access token. */
	readonly certainty?: 'never sent' | 'refused';
	/** The outcome of a write (`writes/outcome.ts`); absent for requests that cannot move money. */
	readonly outcome?: 'refused' | 'unknown';
	/** Transaction hashes from an unsuccessful answer or a search. */
	readonly hashes?: readonly string[];
	/** The user whose wallet was requested. */
	readonly userId?: string;
}

/** A request that failed: the service refused it, answered unexpectedly, or did not answer at all. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	readonly details: ServiceErrorDetails;

	constructor(details: ServiceErrorDetails) {
		// All service text passes through here before it is displayed or logged.
		const message = inOneLine(details.message);
		super(message);
		const { serviceText } = details;
		const texts = { message, hint: inOneLine(details.hint) };
		this.details = { ...details, ...texts, serviceText: serviceText && inOneLine(serviceText) };
	}

	/** Returns the same failure, attributed to one of several users. */
	ofUser(userId: string): ServiceError {
		const { message } = this.details;
		const named = message.includes(userId) ? message : `${message} (user ${shownUserId(userId)})`;
		return this.with({ message: named, userId });
	}

	/** Returns the message with the HTTP status, for places that show nothing else. */
	inOneSentence(): string {
		const { message, httpStatus } = this.details;
		return httpStatus === undefined ? message : `${message} (HTTP ${httpStatus})`;
	}

	/** Returns the same failure with other details. */
	with(changes: Partial<ServiceErrorDetails>): ServiceError {
		return new ServiceError({ ...this.details, ...changes });
	}
}
