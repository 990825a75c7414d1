import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';

import { settle } from '../../values/settle';
import { SharedCredential } from '../credential/shared-credential';
import { ServiceError } from '../failure/service-error';
import type { RequestSettings } from '../http/options';
import { readRequestSettings } from '../http/options';
import { pause } from '../http/pause';
import type { Gate } from '../http/service-client';
import { Pacer } from './pacer';
import type { FixedValues } from './read-parameter';

/** Items in progress for each that may be in flight: the next ones are read while those wait for their answers. */
export const READ_AHEAD_FACTOR = 2;

/** Reads a parameter of the node for item 0; throws if its expression fails. */
export type ReadRunOption = (name: 'options' | 'requestOptions') => unknown;

/** How runs differ. */
export interface RunRules {
	/** Whether the items are processed one at a time and in order, because they move money. */
	readonly isSequential?: boolean;
	/**
	 * Whether the first item is sent before all others: it renews an expired sign-in, or finds that it has ended.
	 */
	readonly probesFirst?: boolean;
	/** Deadline for the last answer, in milliseconds since 1970. */
	readonly endsAt?: number;
	/** How many items must have been planned before the first one asks the service; 0 unless given. */
	readonly plansFirst?: number;
}

/** State shared by the items of one run of a node: slots to send in, pauses, and whether the run has failed. */
export class Run implements Gate {
	readonly settings: RequestSettings;

	readonly credential = new SharedCredential();

	readonly fixedValues: FixedValues = new Map();

	/** Whether the run can move money. */
	readonly isSequential: boolean;

	/** Why nothing of this run may be sent, if its options are invalid. */
	readonly invalidOptions: unknown;

	/** What the run has submitted so far, one line each: it must not be lost when the run fails. */
	readonly submitted: string[] = [];

	/** Slots to send in. */
	readonly #slots: LimitFunction;

	/** How many there are once the first item has been sent. */
	readonly #slotCount: number;

	/** Bounds the items in progress: being read, waiting for their slot, or in flight. */
	readonly readAhead: LimitFunction;

	readonly pacer: Pacer;

	/** Index of the item with which the run failed; nothing is sent after it. */
	firstFailure: number | undefined;

	/** Whether the run has shown a warning above its output. */
	hasWarned = false;

	readonly #endsAt: number;

	#unplanned: number;

	#endPlanning: () => void = () => undefined;

	readonly #allPlanned = new Promise<void>((resolve) => {
		this.#endPlanning = resolve;
	});

	#opensAt = 0;

	readonly #made = new Map<string, Promise<unknown>>();

	constructor(read: ReadRunOption, rules: RunRules = {}) {
		const { isSequential = false, probesFirst = false, endsAt = Infinity, plansFirst = 0 } = rules;
		try {
			this.settings = readRequestSettings(read('options'), read('requestOptions'));
		} catch (error) {
			this.settings = readRequestSettings({});
			this.invalidOptions = error;
		}
		this.isSequential = isSequential;
		this.#slotCount = isSequential ? 1 : this.settings.concurrency;
		this.#slots = pLimit(probesFirst ? 1 : this.#slotCount);
		this.readAhead = pLimit(isSequential ? 1 : READ_AHEAD_FACTOR * this.#slotCount);
		this.pacer = new Pacer(this.#slotCount);
		this.#endsAt = endsAt;
		this.#unplanned = plansFirst;
	}

	/** Called once by each item that has been planned, or could not be: waits for the others (see `plansFirst`). */
	async untilAllPlanned(): Promise<void> {
		this.#unplanned -= 1;
		if (this.#unplanned <= 0) this.#endPlanning();
		await this.#allPlanned;
	}

	/** Sends when there is a slot, first come first served. */
	async inSlot<T>(send: () => Promise<T>): Promise<T> {
		return await this.#slots(async () => {
			try {
				return await send();
			} finally {
				if (this.#slots.concurrency < this.#slotCount) this.#slots.concurrency = this.#slotCount;
			}
		});
	}

	settingsNow(): RequestSettings {
		const left = this.#endsAt - Date.now();
		if (left <= 0) {
			throw new ServiceError({
				message: 'The time that n8n gives a poll was over before the service could be asked',
				hint: 'Give a shorter Timeout under Options, watch fewer users with one trigger, or let n8n give polls more time',
				code: 'not-sent',
			});
		}
		const { retryForMs, timeoutMs } = this.settings;
		return {
			...this.settings,
			retryForMs: Math.min(retryForMs, left),
			timeoutMs: Math.min(timeoutMs, left),
		};
	}

	throwIfStopped(cancel: AbortSignal | undefined): void {
		const isCancelled = cancel?.aborted === true;
		if (this.firstFailure === undefined && !isCancelled) return;
		const reason =
			this.firstFailure === undefined
				? 'the execution was cancelled'
				: `item ${this.firstFailure} failed`;
		throw new ServiceError({
			message: `Not sent, because ${reason}`,
			hint: 'Nothing happened for this item',
			code: 'not-sent',
			certainty: 'never sent',
		});
	}

	async untilOpen(cancel: AbortSignal | undefined): Promise<void> {
		while (this.#opensAt > Date.now() && cancel?.aborted !== true) {
			await pause(this.#opensAt - Date.now(), cancel);
		}
	}

	hold(milliseconds: number): void {
		this.#opensAt = Math.max(this.#opensAt, Date.now() + milliseconds);
	}

	noteLatency(milliseconds: number): void {
		this.pacer.noteLatency(milliseconds);
	}

	/** Calls `make` once per key and run, however many items ask for it; after a failure, the next one calls it again. */
	async once<T>(key: string, make: () => Promise<T>): Promise<T> {
		const known = this.#made.get(key);
		if (known !== undefined) return (await known) as T;
		const made = make();
		this.#made.set(key, made);
		const result = await settle(made);
		if (result.status === 'rejected') this.#made.delete(key);
		return await made;
	}
}
