import type { IN8nHttpFullResponse } from 'n8n-workflow';
import pLimit, { type LimitFunction } from 'p-limit';

import { monotonicMs } from '../../values/clock';
import { settle } from '../../values/settle';
import { SharedCredential } from '../credential/shared-credential';
import { ServiceError } from '../failure/service-error';
import { pollIsOver } from '../http/deadline';
import type { RequestSettings } from '../http/options';
import { readRequestSettings } from '../http/options';
import { pause } from '../http/pause';
import { rateLimitsOf } from '../http/rate-limit';
import type { Gate } from '../http/service-client';
import { Pacer } from '../traffic/pacer';
import { Quota } from '../traffic/quota';
import type { FixedValues } from './read-parameter';
import { SharedAnswers } from './shared-answers';
import { Traffic } from '../traffic/traffic';

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
	/** Deadline for the last answer, by `monotonicMs`. */
	readonly endsAt?: number;
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

	/** What decides how many slots there are; `undefined` when their number is fixed. */
	readonly #traffic: Traffic | undefined;

	/** Slots to send in. */
	readonly #slots: LimitFunction;

	/** Bounds the requests under way: an item that tries again has kept its slot, but there may be fewer by then. */
	readonly #lanes: LimitFunction;

	/** Whether the first item is under way alone. */
	#isProbing: boolean;

	/** Whether a request is over: what asked for nothing says nothing about the sign-in. */
	#hasAsked = false;

	#inFlight = 0;

	readonly #quota = new Quota();

	/** Bounds the items in progress: being read, waiting for their slot, or in flight. */
	readonly readAhead: LimitFunction;

	readonly pacer = new Pacer();

	/** Index of the item with which the run failed; nothing is sent after it. */
	firstFailure: number | undefined;

	/** Whether the run has shown a warning above its output. */
	hasWarned = false;

	readonly #endsAt: number;

	#opensAt = 0;

	readonly #made = new Map<string, Promise<unknown>>();

	readonly sharedAnswers: SharedAnswers | undefined;

	constructor(read: ReadRunOption, rules: RunRules = {}) {
		const { isSequential = false, probesFirst = false, endsAt = Infinity } = rules;
		try {
			this.settings = readRequestSettings(read('options'), read('requestOptions'));
		} catch (error) {
			this.settings = readRequestSettings({});
			this.invalidOptions = error;
		}
		this.isSequential = isSequential;
		const isShared = !isSequential && !this.settings.asksForEachItem;
		this.sharedAnswers = isShared ? new SharedAnswers() : undefined;
		this.#isProbing = probesFirst;
		const isFixed = isSequential || this.settings.concurrency !== undefined;
		this.#traffic = isFixed ? undefined : new Traffic();
		const slotCount = this.#slotCount();
		this.#slots = pLimit(probesFirst ? 1 : slotCount);
		this.#lanes = pLimit(slotCount);
		this.readAhead = pLimit(isSequential ? 1 : READ_AHEAD_FACTOR * slotCount);
		this.#endsAt = endsAt;
	}

	/** Sends when there is a slot, first come first served. */
	async inSlot<T>(send: () => Promise<T>): Promise<T> {
		return await this.#slots(async () => {
			const result = await settle(send());
			if (this.#hasAsked) this.#isProbing = false;
			this.#adjustSlots();
			if (result.status === 'rejected') throw result.reason;
			return result.value;
		});
	}

	/** How many slots there are, but for a run that probes. */
	#slotCount(): number {
		if (this.isSequential) return 1;
		return this.settings.concurrency ?? this.#traffic?.concurrencyAt(monotonicMs()) ?? 1;
	}

	#adjustSlots(): void {
		const count = this.#slotCount();
		if (this.#lanes.concurrency !== count) this.#lanes.concurrency = count;
		if (this.#isProbing || this.#slots.concurrency === count) return;
		this.#slots.concurrency = count;
		if (!this.isSequential) this.readAhead.concurrency = READ_AHEAD_FACTOR * count;
	}

	settingsNow(): RequestSettings {
		const left = this.#endsAt - monotonicMs();
		if (left <= 0) throw pollIsOver();
		const { retryForMs, timeoutMs } = this.settings;
		return {
			...this.settings,
			retryForMs: Math.min(retryForMs, left),
			timeoutMs: Math.min(timeoutMs, left),
		};
	}

	throwIfStopped(cancel: AbortSignal | undefined): void {
		const failed = this.firstFailure;
		if (failed === undefined && cancel?.aborted !== true) return;
		const reason = failed === undefined ? 'the execution was cancelled' : `item ${failed} failed`;
		throw new ServiceError({
			message: `Not sent, because ${reason}`,
			hint: 'Nothing happened for this item',
			code: 'not-sent',
			certainty: 'never sent',
		});
	}

	async inLane<T>(cancel: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
		return await this.#lanes(async () => {
			// Looked at and taken at once: another request may have taken what was left meanwhile.
			const mustWait = () => cancel?.aborted !== true && this.#quota.waitMs(monotonicMs()) > 0;
			do await this.untilOpen(cancel);
			while (mustWait());
			this.#quota.begin();
			try {
				return await attempt();
			} finally {
				this.#quota.end(monotonicMs());
			}
		});
	}

	/** Waits until a request may be sent: the time of a hold is over, its turn has come, and the service has one left. */
	async untilOpen(cancel: AbortSignal | undefined): Promise<void> {
		await this.#untilAllowed(cancel);
		const turn = this.#traffic?.takeTurn(monotonicMs()) ?? 0;
		if (monotonicMs() + turn >= this.#endsAt) throw pollIsOver();
		if (turn === 0) return;
		await pause(turn, cancel);
		// A turn that came during a hold is lost: all of those at once would be refused again.
		if (this.#waitMs(monotonicMs()) > 0 && cancel?.aborted !== true) await this.untilOpen(cancel);
	}

	/** Milliseconds until the time of a hold is over, and the service has a request left. */
	#waitMs(now: number): number {
		return Math.max(this.#opensAt - now, this.#quota.waitMs(now));
	}

	async #untilAllowed(cancel: AbortSignal | undefined): Promise<void> {
		while (cancel?.aborted !== true) {
			const now = monotonicMs();
			const wait = this.#waitMs(now);
			if (wait <= 0) return;
			if (now + wait >= this.#endsAt) throw pollIsOver();
			await pause(wait, cancel);
		}
	}

	hold(milliseconds: number): void {
		this.#opensAt = Math.max(this.#opensAt, monotonicMs() + milliseconds);
	}

	async exchange(send: () => Promise<IN8nHttpFullResponse>): Promise<IN8nHttpFullResponse> {
		const startedAt = monotonicMs();
		this.#inFlight += 1;
		const result = await settle(send());
		const exchange = { startedAt, endedAt: monotonicMs(), inFlight: this.#inFlight };
		this.#inFlight -= 1;
		this.#hasAsked = true;
		const response = result.status === 'fulfilled' ? result.value : undefined;
		this.#quota.note(rateLimitsOf(response?.headers ?? {}), exchange.endedAt);
		this.#traffic?.note(exchange, response?.statusCode);
		this.#adjustSlots();
		if (result.status === 'rejected') throw result.reason;
		return result.value;
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
