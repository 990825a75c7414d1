import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import type { WriteResult } from '../result';
import type { Sent } from '../retry/decide';

/** A write that the ledger knows. */
export interface ListedWrite extends Sent {
	readonly key: string;
	/** ID of the execution that sent it, the first one or a Retry. */
	readonly execution: string | undefined;
	/** Its transaction; of a write that may have been sent, those that were named for it. */
	readonly hashes: readonly string[];
	/** Whether it may have been sent, which nobody can tell any more. */
	readonly isUnknown: boolean;
	/**
	 * What it is as the result of an item.
	 *
	 * @param planned the call of the item, or the error that prevented it
	 * @throws ServiceError if it is unknown whether it was sent
	 */
	readonly result: (
		context: IExecuteSingleFunctions,
		planned: PromiseSettledResult<CheckedCall>,
	) => Promise<WriteResult>;
}

/** A Retry as the ledger counts it, with everything that was sent before it began. */
export interface BegunAttempt {
	/** Its number, with which its writes are sent. */
	readonly attempt: string;
	/** The oldest first. */
	readonly writes: readonly ListedWrite[];
	/** Their keys, and those of writes that will never take place: none of them belongs to another write. */
	readonly keys: readonly string[];
}

/** A Retry of a node, as far as this process has run it. */
export interface Retry extends Omit<BegunAttempt, 'keys'> {
	/** Keys of all writes before it, with whether it is unknown what became of one. */
	readonly keys: ReadonlyMap<string, boolean>;
	/** Keys of writes that have answered one of its items, or that it has sent. */
	readonly used: Set<string>;
}
