import type { CountedCall } from '../limits/spending.mts';
import type { Labels } from '../store/labels.mts';
import type { AttemptRow, WriteRow } from '../store/tables.mts';
import type { Caller } from '../store/tokens.mts';
import type { Committed, StoredWrite } from '../store/writes.mts';
import type { Call } from './call.mts';
import { KeyIsVoid } from './failures.mts';
import type { Prepared } from './prepare.mts';

/** A call to submit. */
export interface WriteRequest {
	caller: Caller;
	/** Unique for the user; made up if the request has none. */
	key: string;
	call: Call;
	/** Name and full types of the function that the call names; empty for a transfer of native coin. */
	called: string;
	/** How the caller finds the write. */
	labels?: Labels | undefined;
	/** The gas limit instead of the usual one, for example for tests. */
	gasLimit?(prepared: Prepared): bigint;
}

/** A call as it is stored. */
export interface CountedRequest extends WriteRequest {
	fingerprint: string;
	/** undefined if the token has no limits. */
	counted: CountedCall | undefined;
}

/** A write with its newest transaction. */
export interface Submitted {
	write: Pick<WriteRow, 'id' | 'state' | 'created_at'>;
	attempt: Pick<AttemptRow, 'hash' | 'raw'>;
	isGivenUp: boolean;
	/** Whether an earlier request has submitted it. */
	isReplayed: boolean;
}

/** A stored write, as it answers a further request. @throws KeyIsVoid */
export function replayed({ write, attempt, isGivenUp }: StoredWrite): Committed & Submitted {
	if (write.state === 'void') throw new KeyIsVoid('The key was taken out of use');
	if (!attempt) throw new Error(`Write ${write.id} has no transaction`);
	return { write, attempt, isGivenUp, isReplayed: true };
}
