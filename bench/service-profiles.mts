/** Clock of a service, simulated or real, in milliseconds. */
export interface Clock {
	readonly now: number;
	/** Calls back after the given time. */
	after(milliseconds: number, run: () => void): void;
}

/** Answers a request by calling back with an HTTP status. */
export type Service = (answer: (status: number) => void) => void;

/** Creates a service of one kind. @param random returns numbers from 0 to 1 (exclusive) */
export type Profile = (clock: Clock, random: () => number) => Service;

/** Answers each request after a fixed time. */
export const steady =
	(latencyMs: number): Profile =>
	(clock) =>
	(answer) =>
		clock.after(latencyMs, () => answer(200));

/** Answers each request after a random time. */
export const varying =
	(leastMs: number, mostMs: number): Profile =>
	(clock, random) =>
	(answer) =>
		clock.after(leastMs + (mostMs - leastMs) * random(), () => answer(200));

/** Processes a few requests at the same time, and queues the others. */
export const queueing =
	(most: number, latencyMs: number): Profile =>
	(clock) => {
		const waiting: (() => void)[] = [];
		let busy = 0;
		const work = (answer: (status: number) => void) => {
			busy += 1;
			clock.after(latencyMs, () => {
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

/** Processes a few requests at the same time, and refuses the others. */
export const refusing =
	(most: number, latencyMs: number): Profile =>
	(clock) => {
		let busy = 0;
		return (answer) => {
			if (busy >= most) {
				clock.after(1, () => answer(429));
				return;
			}
			busy += 1;
			clock.after(latencyMs, () => {
				busy -= 1;
				answer(200);
			});
		};
	};

/** Accepts a number of requests in any second, and refuses the others. */
export const counting =
	(perSecond: number, latencyMs: number): Profile =>
	(clock) => {
		let taken: number[] = [];
		return (answer) => {
			taken = taken.filter((time) => time > clock.now - 1000);
			if (taken.length >= perSecond) {
				clock.after(1, () => answer(429));
				return;
			}
			taken.push(clock.now);
			clock.after(latencyMs, () => answer(200));
		};
	};

/** A service with an outage, during which it answers only 503. */
export const failingFor =
	(from: number, to: number, profile: Profile): Profile =>
	(clock, random) => {
		const service = profile(clock, random);
		return (answer) => {
			if (clock.now < from || clock.now >= to) service(answer);
			else clock.after(5, () => answer(503));
		};
	};

/** A kind of service to which a run must adapt. */
interface ProfileUse {
	title: string;
	profile: Profile;
	/** Response time when idle, in milliseconds. */
	latencyMs: number;
	/** Maximum number of requests answered per second. */
	mostPerSecond: number;
	/** Number of items that is enough for a run to settle. */
	items: number;
}

const steadyUse = (title: string, latencyMs: number): ProfileUse => ({
	title,
	latencyMs,
	profile: steady(latencyMs),
	mostPerSecond: Infinity,
	items: 10_000,
});

const PROFILES = {
	fast: steadyUse('fast', 1),
	near: steadyUse('50 ms', 50),
	far: steadyUse('200 ms', 200),
	unsteady: { ...steadyUse('200 ms with jitter', 200), profile: varying(100, 300) },
	queueing: {
		...steadyUse('20 at once, then queueing', 50),
		profile: queueing(20, 50),
		mostPerSecond: 400,
	},
	counting: {
		...steadyUse('50 per second, then 429', 50),
		profile: counting(50, 50),
		mostPerSecond: 50,
		items: 5000,
	},
};
export type ProfileName = keyof typeof PROFILES;
export const SERVICE_PROFILES: Record<ProfileName, ProfileUse> = PROFILES;

/** True for a known kind of service. */
export const isProfileName = (name: string): name is ProfileName => name in PROFILES;
export const PROFILE_NAMES = Object.keys(PROFILES).filter(isProfileName);

/** Fixed concurrencies with which adaptive concurrency is compared. */
export const FIXED_NUMBERS = [1, 2, 5, 10, 20, 50, 100, 200] as const;
