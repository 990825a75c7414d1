/** Entries kept at most; the oldest go first. */
const MAX_ENTRIES = 50_000;
/** An entry is only needed while n8n may still run the node again, which is at most a few tries. */
const MAX_AGE_MS = 6 * 60 * 60 * 1000;

/** What is known of a write that was sent. */
export type WriteRecord =
	| { readonly state: 'answered'; readonly answer: unknown; readonly at: number }
	| { readonly state: 'unknown'; readonly reason: string; readonly at: number };

/** What makes a write the same one when n8n runs a node again. */
export interface WriteIdentity {
	readonly executionId: string;
	readonly nodeId: string;
	/** Counts the runs of the node in its execution: two loops over one item are two writes. */
	readonly runIndex: number | 'any';
	readonly itemIndex: number | 'any';
	/** The request as it is sent: base URL and body. */
	readonly request: string;
}

const keyOf = (identity: WriteIdentity): string =>
	JSON.stringify([
		identity.executionId,
		identity.nodeId,
		identity.runIndex,
		identity.itemIndex,
		identity.request,
	]);

/**
 * Remembers in this process which writes were sent, so that a node which n8n runs again (Retry on Fail) does not send
 * them twice. Bounded in size and age.
 */
export class WriteLedger {
	readonly #records = new Map<string, WriteRecord>();

	/** What is known of a write; `undefined` when it was not sent. */
	find(identity: WriteIdentity): WriteRecord | undefined {
		return this.#records.get(keyOf(identity));
	}

	/** Notes that a write is about to leave: until its answer is here, its outcome is unknown. */
	markSending(identity: WriteIdentity): void {
		this.#put(identity, {
			state: 'unknown',
			reason: 'the run ended before an answer came',
			at: Date.now(),
		});
	}

	/** Notes that nobody can know whether a write was done. */
	markUnknown(identity: WriteIdentity, reason: string): void {
		this.#put(identity, { state: 'unknown', reason, at: Date.now() });
	}

	/** Keeps the answer of a write. */
	markAnswered(identity: WriteIdentity, answer: unknown): void {
		this.#put(identity, { state: 'answered', answer, at: Date.now() });
	}

	/** Forgets a write that certainly was not done, so that it may be sent again. */
	forget(identity: WriteIdentity): void {
		this.#records.delete(keyOf(identity));
	}

	#put(identity: WriteIdentity, record: WriteRecord): void {
		const key = keyOf(identity);
		// Deleting first keeps the map in order of age.
		this.#records.delete(key);
		this.#records.set(key, record);
		this.#dropOld(record.at);
	}

	#dropOld(now: number): void {
		for (const [key, { at }] of this.#records) {
			if (this.#records.size <= MAX_ENTRIES && now - at <= MAX_AGE_MS) return;
			this.#records.delete(key);
		}
	}
}
