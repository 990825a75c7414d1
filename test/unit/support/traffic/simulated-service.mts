import type { Simulation } from './simulation.mts';

/** Answers a request with an HTTP status, later. */
export type Service = (answer: (status: number) => void) => void;

/** A service of one kind, in a simulation. @param random from 0 to below 1 */
export type Profile = (simulation: Simulation, random: () => number) => Service;

/** Answers each request after the same time. */
export const steady =
	(latencyMs: number): Profile =>
	(simulation) =>
	(answer) =>
		simulation.after(latencyMs, () => answer(200));

/** Answers after a time that varies. */
export const varying =
	(leastMs: number, mostMs: number): Profile =>
	(simulation, random) =>
	(answer) =>
		simulation.after(leastMs + (mostMs - leastMs) * random(), () => answer(200));

/** Works on a few requests at once, and lets the others wait. */
export const queueing =
	(most: number, latencyMs: number): Profile =>
	(simulation) => {
		const waiting: (() => void)[] = [];
		let busy = 0;
		const work = (answer: (status: number) => void) => {
			busy += 1;
			simulation.after(latencyMs, () => {
				busy -= 1;
				answer(200);
				waiting.shift()?.();
			});
		};
		return (answer) => {
			if (busy < most) work(answer);
			else waiting.push(() => work(answer));
		};
	};

/** Works on a few requests at once, and refuses the others. */
export const refusing =
	(most: number, latencyMs: number): Profile =>
	(simulation) => {
		let busy = 0;
		return (answer) => {
			if (busy >= most) {
				simulation.after(1, () => answer(429));
				return;
			}
			busy += 1;
			simulation.after(latencyMs, () => {
				busy -= 1;
				answer(200);
			});
		};
	};

/** Lets so many requests through in any second, and refuses the others. */
export const counting =
	(perSecond: number, latencyMs: number): Profile =>
	(simulation) => {
		let taken: number[] = [];
		return (answer) => {
			taken = taken.filter((time) => time > simulation.now - 1000);
			if (taken.length >= perSecond) {
				simulation.after(1, () => answer(429));
				return;
			}
			taken.push(simulation.now);
			simulation.after(latencyMs, () => answer(200));
		};
	};

/** Another service, but for a time in which it answers nothing but 503. */
export const failingFor =
	(from: number, to: number, profile: Profile): Profile =>
	(simulation, random) => {
		const service = profile(simulation, random);
		return (answer) => {
			if (simulation.now < from || simulation.now >= to) service(answer);
			else simulation.after(5, () => answer(503));
		};
	};
