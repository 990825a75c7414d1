import {
	beginAttempt,
	equalCalls,
	type EqualCalls,
	type LabelledWrite,
} from '../store/executions.mts';
import type { Group } from '../store/labels.mts';
import type { Database, LabelRow } from '../store/tables.mts';
import type { Caller } from '../store/tokens.mts';
import type { Committed } from '../store/writes.mts';
import { replayed, type Submitted } from './request.mts';

/** The steps of an attempt, at which tests kill the process. */
export type AttemptStep = 'before-attempt' | 'attempt-begun';

/** A write in a list. */
export type Listed = Committed & Submitted & { labels: LabelRow };

const listed = ({ labels, ...stored }: LabelledWrite): Listed => ({ ...replayed(stored), labels });

/** Lists what callers have sent, by labels. */
export class Executions {
	readonly #db: Database;
	readonly #atStep: ((step: AttemptStep) => void) | undefined;

	/** @param atStep called at each step */
	constructor(db: Database, atStep?: (step: AttemptStep) => void) {
		this.#db = db;
		this.#atStep = atStep;
	}

	/** Begins a further attempt: what an earlier one still has on its way is refused. @throws ListTooLong, OtherUser, TooManyExecutions */
	async begin(
		{ user, tokenId }: Caller,
		group: Group,
	): Promise<{ attempt: number; writes: Listed[] }> {
		const of = { userId: user.id, tokenId: tokenId ?? null, walletId: user.wallet_id, ...group };
		const begun = await beginAttempt(this.#db, of, () => this.#atStep?.('before-attempt'));
		this.#atStep?.('attempt-begun');
		return { attempt: begun.attempt, writes: begun.writes.map(listed) };
	}

	/** Equal calls of a node, the newest first. @throws ListTooLong */
	async equalCalls({ user }: Caller, of: EqualCalls): Promise<Listed[]> {
		return (await equalCalls(this.#db, user.id, of)).map(listed);
	}
}
