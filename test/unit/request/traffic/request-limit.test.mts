/** The number of simultaneous requests, found in simulated time for services of many kinds. */
import { RequestLimit } from '../../../../nodes/WalletService/request/traffic/request-limit.ts';
import fc from 'fast-check';

import type { Profile } from '../../../../bench/service-profiles.mts';
import {
	counting,
	failingFor,
	FIXED_NUMBERS,
	queueing,
	refusing,
	SERVICE_PROFILES,
	steady,
	varying,
} from '../../../../bench/service-profiles.mts';
import type { RunOptions, SimulatedRun } from '../../support/simulated-run.mts';
import { simulateRun, Simulation } from '../../support/simulated-run.mts';
import { forAll } from '../../support/for-all.mts';

/** Reproducible numbers from 0 (inclusive) to 1 (exclusive), from a linear congruential generator. */
function randomOf(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}

function runOver(profile: Profile, options: RunOptions, seed = 7): SimulatedRun {
	const simulation = new Simulation();
	const random = randomOf(seed);
	const run = simulateRun(simulation, profile(simulation, random), { ...options, random });
	simulation.run(run.isOver);
	expect(run.isOver()).toBe(true);
	return run;
}

const endOf = (run: SimulatedRun): number => run.events.at(-1)?.at ?? NaN;

/** The last two thirds of a run, after it has settled. */
const settled = ({ events }: SimulatedRun) => events.slice(Math.ceil(events.length / 3));

describe.each(Object.values(SERVICE_PROFILES))('a service: $title', ({ profile, items }) => {
	const own = runOver(profile, { items });

	test('is used at 0.8 of the best fixed number or more', () => {
		const fixed = FIXED_NUMBERS.map((number) => endOf(runOver(profile, { items, fixed: number })));
		expect(Math.min(...fixed) / endOf(own)).toBeGreaterThan(0.8);
	});

	test('refuses at most 3 % of the requests, once the run has settled', () => {
		const late = settled(own);
		const refused = late.filter(({ isRefused }) => isRefused);
		expect(refused.length / late.length).toBeLessThanOrEqual(0.03);
	});

	test('gets a number of requests that does not swing by more than half', () => {
		const numbers = settled(own).map(({ concurrency }) => concurrency);
		const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
		expect(most - least).toBeLessThanOrEqual(most / 2);
	});
});

test('a service that refuses more than 20 at once is used better than with the initial number of a run', () => {
	const profile = refusing(20, 50);
	const own = runOver(profile, { items: 5000 });
	const begun = runOver(profile, { items: 5000, fixed: 10 });
	expect(endOf(own)).toBeLessThan(endOf(begun));
});

const exchangeAt = (sent: number) => {
	return { startedAt: sent * 10, endedAt: sent * 10 + 5, isAwaited: true };
};

test('100 items leave together, and wait for a slow service once', () => {
	expect(endOf(runOver(steady(200), { items: 100 }))).toBeLessThan(2 * 200);
});

test('requests beyond the first 32 teach nothing about a limit: the first refusal lowers it as if there had been 32', () => {
	const limit = new RequestLimit();
	expect(limit.value).toBe(100);
	expect(limit.leave({ ...exchangeAt(1), fault: 'refused' }).value).toBe(24);
});

const latencyOf = fc.integer({ min: 1, max: 200 });
const mostOf = fc.integer({ min: 1, max: 80 });
const perSecondOf = fc.integer({ min: 5, max: 200 });
const anyProfile: fc.Arbitrary<Profile> = fc.oneof(
	fc.integer({ min: 1, max: 400 }).map(steady),
	latencyOf.map((least) => varying(least, 4 * least)),
	fc.tuple(mostOf, latencyOf).map(([most, latency]) => queueing(most, latency)),
	fc.tuple(mostOf, latencyOf).map(([most, latency]) => refusing(most, latency)),
	fc.tuple(perSecondOf, latencyOf).map(([rate, latency]) => counting(rate, latency)),
);

const ITEMS = 1500;

test('with any service, the number is from 1 to 200, and every item is answered', async () => {
	await forAll([anyProfile, fc.nat()], 200, (profile, seed) => {
		const { events } = runOver(profile, { items: ITEMS }, seed);
		const outside = events.filter(({ concurrency: number }) => number < 1 || number > 200);
		expect(outside).toEqual([]);
		// Even an overloaded service refuses little more than it answers.
		expect(events.length).toBeLessThan(4 * ITEMS);
	});
});

test('after a failure, a recovered service gets at least 10 at a time within 15 s', async () => {
	await forAll(
		[fc.integer({ min: 1, max: 400 }), fc.integer({ min: 2100, max: 32_000 }), fc.nat()],
		30,
		(latency, until, seed) => {
			const simulation = new Simulation();
			const random = randomOf(seed);
			const service = failingFor(2000, until, steady(latency))(simulation, random);
			const run = simulateRun(simulation, service, { items: 1_000_000, random });
			const answered = () => run.events.at(-1)?.isRefused === false;
			simulation.run(() => simulation.now > until && answered());
			const wellAt = simulation.now;
			simulation.run(() => simulation.now > wellAt + 15_000);
			expect(run.concurrency()).toBeGreaterThanOrEqual(10);
		},
	);
});

test.each([1, 5])(
	'%d %% of requests that always fail for their own reasons do not slow down others',
	(percent) => {
		const limit = new RequestLimit();
		let least = Infinity;
		for (let sent = 0; sent < 10_000; sent++) {
			const fault = sent % 100 < percent ? 'failed' : undefined;
			limit.leave({ ...exchangeAt(sent), fault });
			if (sent > 1000) least = Math.min(least, limit.value);
		}
		expect(least).toBeGreaterThanOrEqual(20);
		expect(limit.intervalMs).toBe(0);
	},
);

test('a service that is down for a long time gets one request at a time, without growing pauses', () => {
	const limit = new RequestLimit();
	for (let sent = 0; sent < 100; sent++) limit.leave({ ...exchangeAt(sent), fault: 'failed' });
	expect([limit.value, limit.intervalMs]).toEqual([1, 0]);
});
