import { backOffMs } from '../../../../nodes/WalletService/request/http/backoff.ts';
import { Traffic } from '../../../../nodes/WalletService/request/traffic/traffic.ts';
import type { Service } from '../../../../bench/service-profiles.mts';
import type { Simulation } from './simulation.mts';

const RETRY_AFTER_MS = 1000;

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

/** A run of items over a service, as the node makes it: slots, pauses after a refusal, turns, and the thread they share. */
export class SimulatedRun {
	readonly events: Event[] = [];

	readonly #simulation: Simulation;

	readonly #service: Service;

	readonly #random: () => number;

	readonly #options: Required<Omit<RunOptions, 'fixed'>> & Pick<RunOptions, 'fixed'>;

	readonly #traffic = new Traffic();

	#queued: number;

	#done = 0;

	#slots = 0;

	#inFlight = 0;

	/** Those that try again while fewer may be under way. */
	readonly #waiting: (() => void)[] = [];

	#opensAt = 0;

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
		return this.#options.fixed ?? this.#traffic.concurrencyAt(this.#simulation.now);
	}

	/** Items that were answered between two times, per second. */
	speed(from: number, to: number): number {
		const answered = this.events.filter((one) => !one.isRefused && one.at > from && one.at <= to);
		return (1000 * answered.length) / (to - from);
	}

	#work(run: () => void): void {
		const start = Math.max(this.#simulation.now, this.#threadIsFreeAt);
		this.#threadIsFreeAt = start + this.#options.workMs / 2;
		this.#simulation.after(this.#threadIsFreeAt - this.#simulation.now, run);
	}

	#fill(): void {
		while (this.#slots < this.concurrency && this.#queued > 0) {
			this.#slots += 1;
			this.#queued -= 1;
			this.#work(() => this.#whenOpen(1));
		}
	}

	#whenOpen(tries: number): void {
		const { now } = this.#simulation;
		const isHeld = this.#opensAt > now;
		const turn = this.#options.fixed === undefined && !isHeld ? this.#traffic.takeTurn(now) : 0;
		if (isHeld) this.#simulation.after(this.#opensAt - now, () => this.#whenOpen(tries));
		else if (turn > 0) this.#simulation.after(turn, () => this.#sendInTurn(tries));
		else this.#send(tries);
	}

	/** A turn that came during a hold is lost. */
	#sendInTurn(tries: number): void {
		if (this.#opensAt > this.#simulation.now) this.#whenOpen(tries);
		else this.#send(tries);
	}

	#send(tries: number): void {
		if (this.#inFlight >= this.concurrency) {
			this.#waiting.push(() => this.#whenOpen(tries));
			return;
		}
		const startedAt = this.#simulation.now;
		this.#inFlight += 1;
		this.#service((status) =>
			this.#work(() => {
				const { now } = this.#simulation;
				this.#traffic.note({ startedAt, endedAt: now, inFlight: this.#inFlight }, status);
				this.#inFlight -= 1;
				this.#waiting.shift()?.();
				const isRefused = status !== 200;
				this.events.push({ at: now, isRefused, concurrency: this.concurrency });
				if (isRefused) this.#again(tries, status);
				else this.#end();
			}),
		);
	}

	#again(tries: number, status: number): void {
		const { now } = this.#simulation;
		const pause = Math.max(status === 429 ? RETRY_AFTER_MS : 0, backOffMs(tries, this.#random()));
		if (status === 429) this.#opensAt = Math.max(this.#opensAt, now + pause);
		this.#simulation.after(pause, () => this.#whenOpen(tries + 1));
	}

	#end(): void {
		this.#slots -= 1;
		this.#done += 1;
		this.#fill();
	}
}
