import { setTimeout } from 'node:timers/promises';
import { Transaction } from 'ethers';
import type { EndpointFailure } from '../rpc/failures.mts';
import { markMined, type Inclusion } from '../store/open-writes.mts';
import { markAccepted, noteRefusal } from '../store/sendings.mts';
import type { AttemptRow, Database, WriteRow } from '../store/tables.mts';
import { writeByKey, type Committed } from '../store/writes.mts';
import type { Deadline } from './deadline.mts';
import type { Observer } from './events.mts';
import type { Refusals } from './refusals.mts';
import { feesOf } from './sign.mts';

export interface DeliveryPorts {
	db: Database;
	/** Sends signed bytes. @returns true if an endpoint has them, or the block that has them, or why no endpoint has them */
	broadcast(raw: string, hash: string): Promise<true | Inclusion | readonly EndpointFailure[]>;
	refusals: Pick<Refusals, 'note'>;
	/** Age at which a write that no endpoint took is given up, in milliseconds; 0 for never. */
	ttlMs: number;
	log(problem: string, error: unknown): void;
	observe: Observer;
	atStep?(step: 'sent' | 'accepted'): void;
}

/** Pause before bytes that no endpoint took are sent again, in milliseconds. */
const AGAIN_MS = 500;

const isFailed = (
	sent: true | Inclusion | readonly EndpointFailure[],
): sent is readonly EndpointFailure[] => Array.isArray(sent);

/** Sends the bytes of stored transactions. Sending the same bytes any number of times is harmless. */
export class Delivery {
	readonly #ports: DeliveryPorts;

	constructor(ports: DeliveryPorts) {
		this.#ports = ports;
	}

	/** Whether a write that no endpoint took is too old to be sent: its caller has long acted otherwise. */
	isOverdue({ state, created_at: created }: Pick<WriteRow, 'state' | 'created_at'>): boolean {
		const { ttlMs } = this.#ports;
		return ttlMs > 0 && state === 'signed' && Date.now() - Date.parse(created) >= ttlMs;
	}

	/** Sends a transaction once, and records whether an endpoint has it. @returns its state */
	async send(attempt: AttemptRow): Promise<'signed' | 'accepted' | 'mined'> {
		const { db, broadcast, log, atStep } = this.#ports;
		const { write_id: id, raw, hash } = attempt;
		const sent = await broadcast(raw, hash);
		atStep?.('sent');
		if (isFailed(sent)) {
			await this.#note(attempt, sent).catch((error: unknown) => {
				log('A refusal was not recorded', error);
			});
			return 'signed';
		}
		// Without the record it is sent again, which is harmless.
		const record = sent === true ? markAccepted(db, id) : markMined(db, id, sent);
		await record.catch((error: unknown) => log('An acceptance was not recorded', error));
		atStep?.('accepted');
		return sent === true ? 'accepted' : 'mined';
	}

	/** Records what the endpoints say about a transaction that they refuse. Silence is no refusal. */
	async #note({ write_id: id, raw, hash }: AttemptRow, failed: readonly EndpointFailure[]) {
		const { db, refusals, observe } = this.#ports;
		if (!failed.some(({ isRefusal }) => isRefusal)) return;
		const signed = Transaction.from(raw);
		const offered = { gasLimit: signed.gasLimit, fees: feesOf(signed) };
		const advice = refusals.note(
			offered,
			failed.map((failure) => failure.words),
		);
		const told = failed.map(({ message }) => message);
		const words = [...told, ...(advice === undefined ? [] : [advice])].join('. ');
		if (await noteRefusal(db, id, words)) observe({ kind: 'refused', id, hash, words });
	}

	/** Sends a transaction until an endpoint has it, or the answer is due. @returns the write in its newest state */
	async deliver(stored: Committed, deadline: Deadline): Promise<Committed> {
		let current = stored;
		for (;;) {
			const { write, attempt, isGivenUp } = current;
			const isWaiting = write.state === 'signed' && !isGivenUp && !this.isOverdue(write);
			if (!isWaiting || deadline.isOver) return current;
			const state = (await deadline.wait(this.send(attempt))) ?? 'signed';
			if (state !== 'signed') return { ...current, write: { ...write, state } };
			await setTimeout(Math.min(AGAIN_MS, deadline.left));
			current = { ...current, ...(await this.#reread(current)) };
		}
	}

	/** A failure of the database must not lose the hash: the answer is then what was known before. */
	async #reread({ write, attempt }: Committed): Promise<Committed | undefined> {
		const { db, log } = this.#ports;
		const stored = await writeByKey(db, write.user_id, write.key).catch((error: unknown) => {
			log('A write was not read again', error);
			return undefined;
		});
		return stored && { ...stored, attempt: stored.attempt ?? attempt };
	}
}
