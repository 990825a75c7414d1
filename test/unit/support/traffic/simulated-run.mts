import { pauseMs } from '../../../../nodes/WalletService/request/http/retry.ts';
import { RequestLimit } from '../../../../nodes/WalletService/request/traffic/request-limit.ts';
import type { Service } from '../../../../bench/service-profiles.mts';
import type { Simulation } from './simulation.mts';

const RETRY_AFTER_MS = 1000;

/** Items in progress per request that may be in flight. */
const READ_AHEAD = 2;

/** What a run is given. */
export interface RunOptions {
	items: number;
	/** Requests at the same time; found by the run unless given. */
	fixed?: number;
	/** Work of n8n's single thread for each item, half of it before its request; 0 for another client. */
	workMs?: number;
}

/** Something that happened to a run. */
export interface Event {
	at: number;
	isRefused: boolean;
	/** Most requests at the same time, afterwards. */
	concurrency: number;
}

/**
 * A run of items over a service, as the node makes it (`request/traffic/throttle.ts`): items read ahead, pauses after a refusal,
 * holds, turns, and the thread they share.
 */
export class SimulatedRun {
	readonly events: Event[] = [];

	readonly #simulation: Simulation;

	readonly #service: Service;

	readonly #random: () => number;

	readonly #options: Required<Omit<RunOptions, 'fixed'>> & Pick<RunOptions, 'fixed'>;

	readonly #limit = new RequestLimit();

	#queued: number;

	#done = 0;

	#inProgress = 0;

	#inFlight = 0;

	/** Requests that wait until fewer are in flight; each is known by its number of tries. */
	readonly #waiting: number[] = [];

	/** Whether a request waits for the end of a hold or for its turn. */
	#isNextWaiting = false;

	#opensAt = 0;

	#nextAt = 0;

	#threadIsFreeAt = 0;

	constructor(
		simulation: Simulation,
		service: Service,
		{ random, ...options }: RunOptions & { random: () => number },
	) {
		this.#simulation = simulation;
		this.#service = service;
		this.#random = random;
		this.#options = { workMs: 1, ...options };
		this.#queued = options.items;
		this.#fill();
	}

	get isOver(): boolean {
		return this.#done === this.#options.items;
	}

	get concurrency(): number {
		return this.#options.fixed ?? this.#limit.value;
	}

	#work(run: () => void): void {
		const start = Math.max(this.#simulation.now, this.#threadIsFreeAt);
		this.#threadIsFreeAt = start + this.#options.workMs / 2;
		this.#simulation.after(this.#threadIsFreeAt - this.#simulation.now, run);
	}

	#fill(): void {
		while (this.#inProgress < READ_AHEAD * this.concurrency && this.#queued > 0) {
			this.#inProgress += 1;
			this.#queued -= 1;
			this.#waiting.push(1);
		}
		this.#sendNext();
	}

	#sendNext(): void {
		if (this.#isNextWaiting || this.#inFlight >= this.concurrency) return;
		const { now } = this.#simulation;
		const wait = Math.max(this.#opensAt, this.#nextAt) - now;
		if (wait > 0) {
			this.#isNextWaiting = true;
			this.#simulation.after(wait, () => {
				this.#isNextWaiting = false;
				this.#sendNext();
			});
			return;
		}
		const tries = this.#waiting.shift();
		if (tries === undefined) return;
		this.#inFlight += 1;
		const interval = this.#options.fixed === undefined ? this.#limit.intervalMs : 0;
		this.#nextAt = Math.max(this.#nextAt, now) + interval;
		this.#work(() => this.#send(tries));
		this.#sendNext();
	}

	#send(tries: number): void {
		const startedAt = this.#simulation.now;
		this.#service((status) =>
			this.#work(() => {
				const { now } = this.#simulation;
				const isAwaited = this.#waiting.length > 0;
				const isRefused = status !== 200;
				const fault = status === 429 ? 'refused' : isRefused ? 'failed' : undefined;
				this.#limit.leave({ startedAt, endedAt: now, isAwaited, fault });
				this.#inFlight -= 1;
				this.events.push({ at: now, isRefused, concurrency: this.concurrency });
				if (isRefused) this.#again(tries, status);
				else this.#end();
			}),
		);
	}

	#again(tries: number, status: number): void {
		const { now } = this.#simulation;
		const pause = pauseMs(tries, status === 429 ? RETRY_AFTER_MS : 0, this.#random());
		if (status === 429) this.#opensAt = Math.max(this.#opensAt, now + pause);
		this.#simulation.after(pause, () => {
			this.#waiting.push(tries + 1);
			this.#sendNext();
		});
		this.#sendNext();
	}

	#end(): void {
		this.#inProgress -= 1;
		this.#done += 1;
		this.#fill();
	}
}
