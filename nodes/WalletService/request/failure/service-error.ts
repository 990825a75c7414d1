import { EARLIER, uniqueHashes, withHashes } from '../../values/hashes';
import { inOneLine } from '../../values/quote';
import { shownUserId } from '../../values/user-id';
import type { FailureCode } from './failure-code';

/**
 * What a failure proves. `refused`: nothing was done. `refused-for-now`: likewise, and the same request may succeed later.
 * `unknown`: a write may have been done. A failure without a state is not retried, and proves nothing about a write.
 */
export type FailureState = 'refused' | 'refused-for-now' | 'unknown';

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
	/** The wait that the service requested, in milliseconds. */
	readonly retryAfterMs?: number;
	readonly state?: FailureState;
	/** Transaction hashes from an unsuccessful answer, or of a search. */
	readonly hashes?: readonly string[];
	/** Transaction hashes from earlier attempts of the same write. */
	readonly earlierHashes?: readonly string[];
	/** The user whose wallet was requested. */
	readonly userId?: string;
	/** Method and path of the request; absent if none was made, or its answer was not a failure by itself. */
	readonly endpoint?: string;
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

	/** Whether it is certain that nothing was done. */
	get isRefused(): boolean {
		const { state } = this.details;
		return state === 'refused' || state === 'refused-for-now';
	}

	/** All transaction hashes: its own, and those of earlier attempts. */
	get hashes(): readonly string[] {
		const { hashes = [], earlierHashes = [] } = this.details;
		return uniqueHashes([...hashes, ...earlierHashes]);
	}

	/** The message, for a write with every transaction hash. */
	get wholeMessage(): string {
		const { message, state, hashes = [], earlierHashes = [] } = this.details;
		if (state === undefined) return message;
		const unnamed = hashes.filter((hash) => !message.includes(hash));
		const own = withHashes(message, 'the answer contains', unnamed);
		const others = earlierHashes.filter((hash) => !own.includes(hash));
		return withHashes(own, EARLIER, others);
	}

	/** Returns the same failure, attributed to one of several users. */
	ofUser(userId: string): ServiceError {
		const { message } = this.details;
		const named = message.includes(userId) ? message : `${message} (user ${shownUserId(userId)})`;
		return this.with({ message: named, userId });
	}

	/** Returns the message with the HTTP status, for places that show nothing else. */
	inOneSentence(): string {
		const { httpStatus } = this.details;
		return `${this.wholeMessage}${httpStatus === undefined ? '' : ` (HTTP ${httpStatus})`}`;
	}

	/** Returns the same failure with other details. */
	with(changes: Partial<ServiceErrorDetails>): ServiceError {
		return new ServiceError({ ...this.details, ...changes });
	}
}
