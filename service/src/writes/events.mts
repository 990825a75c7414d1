import type { AttemptRow } from '../store/tables.mts';
import type { Submitted, WriteRequest } from './request.mts';

/** What happens to writes, for the log and the metrics. */
export type WriteEvent =
	| { kind: 'submitted'; request: WriteRequest; submitted: Submitted }
	| { kind: 'not-submitted'; request: WriteRequest; error: unknown }
	/** The signed transaction is stored. @param ms time that the database needed */
	| { kind: 'stored'; ms: number }
	/** A further transaction is to take the nonce of a write. */
	| { kind: 'replaced'; by: AttemptRow['kind'] }
	/** All endpoints refuse a transaction, in cleaned words. */
	| { kind: 'refused'; id: string; hash: string; words: string }
	/** A write is to be given up, but the limits do not allow it yet. */
	| { kind: 'waiting'; id: string; reason: string }
	/** A reorganisation undid the block of a write. */
	| { kind: 'undone' }
	/** A write in a final block is not final, because too few endpoints confirm it. */
	| { kind: 'disputed'; id: string; hash: string }
	/** All writes that are not final have been compared with the chain once more. */
	| { kind: 'round' }
	/** A wallet signs nothing any more. */
	| { kind: 'closed'; wallet: string; reason: string }
	| { kind: 'ended'; id: string; outcome: 'succeeded' | 'reverted' | 'cancelled' | 'foreign' };

/** Receives what happens. Must not throw. */
export type Observer = (event: WriteEvent) => void;
