import { inOneLine } from '../../values/quote';
import type { FailureCode } from './failure-code';

export interface ServiceErrorDetails {
	/** What happened, in one sentence, without secrets: the title of the error. */
	readonly message: string;
	/** What must not be overlooked: it stands in the message itself, behind what happened. */
	readonly warning?: string;
	readonly hint: string;
	readonly code: FailureCode;
	/** The service's own error message, redacted and truncated. */
	readonly serviceText?: string;
	readonly httpStatus?: number;
	/** The connection error's code (`ECONNREFUSED`, ...) if there was no answer. */
	readonly connectionCode?: string;
	readonly isTransient?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	readonly retryAfterMs?: number;
	/** What is certain without examining an answer: the service never got the request, or it refused the access token. */
	readonly certainty?: 'never sent' | 'refused';
	/** The outcome of a write (`writes/outcome.ts`); absent for everything that cannot move money. */
	readonly outcome?: 'refused' | 'unknown';
	/** Transaction hashes found in an answer that is not a success, or looked for. */
	readonly hashes?: readonly string[];
	/** Whose wallet was asked for. */
	readonly userId?: string;
}

/** A request that failed: the service refused it, answered with something else, or did not answer at all. */
export class ServiceError extends Error {
	override readonly name = 'ServiceError';

	readonly details: ServiceErrorDetails;

	constructor(details: ServiceErrorDetails) {
		// Here, because all words of a service that are shown or logged pass through.
		const message = inOneLine(details.message);
		super(message);
		const { serviceText } = details;
		this.details = { ...details, message, serviceText: serviceText && inOneLine(serviceText) };
	}

	/** The same failure, which one of several users is the reason of. */
	ofUser(userId: string): ServiceError {
		const { message } = this.details;
		const named = message.includes(userId) ? message : `${message} (user ${userId})`;
		return this.with({ message: named, userId });
	}

	/** What happened, with the HTTP status, for where no more of an error is shown. */
	inOneSentence(): string {
		const { message, httpStatus } = this.details;
		return httpStatus === undefined ? message : `${message} (HTTP ${httpStatus})`;
	}

	/** The same failure with other details. */
	with(changes: Partial<ServiceErrorDetails>): ServiceError {
		return new ServiceError({ ...this.details, ...changes });
	}
}
