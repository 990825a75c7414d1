import type { CanonicalCall } from '../canonical-call';

/** What is known of a write that was sent. */
export type WriteRecord =
	| {
			readonly state: 'answered';
			readonly call: CanonicalCall;
			readonly answer: unknown;
			/** When the sending began: ISO 8601, UTC, with milliseconds. */
			readonly submittedAt: string;
			/** The user that the credential named when it was sent. */
			readonly userId?: string;
			/** Transaction hashes of an earlier sending of unknown outcome. */
			readonly earlierHashes?: readonly string[];
	  }
	| {
			readonly state: 'unknown';
			/** Absent when the record of the write had to be forgotten. */
			readonly call?: CanonicalCall;
			readonly reason: string;
			readonly hashes: readonly string[];
	  };
