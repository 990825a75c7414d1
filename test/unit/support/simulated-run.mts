import { pauseMs } from '../../../nodes/WalletService/request/http/retry.ts';
import { RequestLimit } from '../../../nodes/WalletService/request/traffic/request-limit.ts';
import type { Clock, Service } from '../../../bench/service-profiles.mts';

/** Simulated time: a day takes milliseconds. */
export class Simulation implements Clock {
	now = 0;

	readonly #due: { at: number; run: () => void }[] = [];

	/** Runs an action after a time in milliseconds; actions due at the same time run in order. */
	after(milliseconds: number, run: () => void): void {
		const at = this.now + milliseconds;
		let low = 0;
		let high = this.#due.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			// The queue is reversed: the next action is its last entry.
			if ((this.#due[middle]?.at ?? 0) > at) low = middle + 1;
			else high = middle;
		}
		this.#due.splice(low, 0, { at, run });
	}

	/** Lets time pass until nothing is due, or `isOver` returns true. */
	run(isOver: () => boolean = () => false): void {
		for (let next = this.#due.pop(); next !== undefined; next = this.#due.pop()) {
			this.now = next.at;
			next.run();
			if (isOver()) return;
		}
	}
}

const RETRY_AFTER_MS = 1000;

/** Items in progress per allowed request. */
const READ_AHEAD = 2;
/** Work of n8n's single thread before a request, and after it. */
const WORK_MS = 0.5;

export interface RunOptions {
	readonly items: number;
	/** Number of simultaneous requests; found by the run if absent. */
	readonly fixed?: number;
}

export type SimulatedRun = ReturnType<typeof simulateRun>;

/**
 * Runs items against a service as the node does (`request/traffic/throttle.ts`): with items read ahead, pauses after a
 * refusal, holds, turns, and a shared thread.
 */
export function simulateRun(
	simulation: Simulation,
	service: Service,
	{ items, fixed, random }: RunOptions & { readonly random: () => number },
) {
	/** The answers, each with the request limit after it. */
	const events: { at: number; isRefused: boolean; concurrency: number }[] = [];
	const limit = new RequestLimit();
	const concurrency = () => fixed ?? limit.value;
	let [queued, done, inProgress, inFlight] = [items, 0, 0, 0];
	/** Requests that wait until fewer are in flight; each is represented by its number of attempts. */
	const waiting: number[] = [];
	/** Whether a request waits for the end of a hold or for its turn. */
	let isNextWaiting = false;
	let [opensAt, nextAt, threadIsFreeAt] = [0, 0, 0];

	function work(run: () => void): void {
		threadIsFreeAt = Math.max(simulation.now, threadIsFreeAt) + WORK_MS;
		simulation.after(threadIsFreeAt - simulation.now, run);
	}

	function sendNext(): void {
		if (isNextWaiting || inFlight >= concurrency()) return;
		const { now } = simulation;
		const wait = Math.max(opensAt, nextAt) - now;
		if (wait > 0) {
			isNextWaiting = true;
			simulation.after(wait, () => {
				isNextWaiting = false;
				sendNext();
			});
			return;
		}
		const tries = waiting.shift();
		if (tries === undefined) return;
		inFlight += 1;
		nextAt = Math.max(nextAt, now) + (fixed === undefined ? limit.intervalMs : 0);
		work(() => send(tries));
		sendNext();
	}

	function send(tries: number): void {
		const startedAt = simulation.now;
		const receive = (status: number) => {
			const { now } = simulation;
			const isRefused = status !== 200;
			const fault = status === 429 ? 'refused' : isRefused ? 'failed' : undefined;
			limit.leave({ startedAt, endedAt: now, isAwaited: waiting.length > 0, fault });
			inFlight -= 1;
			events.push({ at: now, isRefused, concurrency: concurrency() });
			if (isRefused) retry(tries, status);
			else end();
		};
		service((status) => work(() => receive(status)));
	}

	function retry(tries: number, status: number): void {
		const pause = pauseMs(tries, status === 429 ? RETRY_AFTER_MS : 0, random());
		if (status === 429) opensAt = Math.max(opensAt, simulation.now + pause);
		simulation.after(pause, () => {
			waiting.push(tries + 1);
			sendNext();
		});
		sendNext();
	}

	function end(): void {
		inProgress -= 1;
		done += 1;
		fill();
	}

	function fill(): void {
		while (inProgress < READ_AHEAD * concurrency() && queued > 0) {
			inProgress += 1;
			queued -= 1;
			waiting.push(1);
		}
		sendNext();
	}

	fill();
	return { events, concurrency, isOver: () => done === items };
}
