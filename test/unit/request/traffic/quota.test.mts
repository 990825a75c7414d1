import fc from 'fast-check';

import { Quota } from '../../../../nodes/WalletService/request/traffic/quota.ts';

test('nothing is known before the first answer; what it says holds until its time is over', () => {
	const quota = new Quota();
	expect(quota.waitMs(0)).toBe(0);
	quota.begin();
	quota.note({ limit: { remaining: 0, resetMs: 2000 }, policies: [] }, 1000);
	quota.end(0);
	expect([1000, 2999, 3000].map((now) => quota.waitMs(now))).toEqual([2000, 1, 0]);
});

test('when the time is over, no more than were ever left go out before an answer comes', () => {
	const quota = new Quota();
	quota.note({ limit: { remaining: 2, resetMs: 1000 }, policies: [] }, 0);
	for (let sent = 0; sent < 3; sent++) {
		expect(quota.waitMs(1000)).toBe(0);
		quota.begin();
	}
	expect(quota.waitMs(1000)).toBeGreaterThan(0);
});

test('those under way may take what is left, and once they are answered it is known', () => {
	const quota = new Quota();
	quota.begin();
	quota.begin();
	quota.note({ limit: { remaining: 1, resetMs: 1000 }, policies: [] }, 0);
	quota.end(0);
	expect(quota.waitMs(0)).toBeGreaterThan(0);
	quota.note({ limit: { remaining: 2, resetMs: 1000 }, policies: [] }, 0);
	quota.end(0);
	expect(quota.waitMs(0)).toBe(0);
});

/** What happens next: a request is sent if it may be, arrives at the service, or is answered; which one is drawn as well. */
const moves = fc.array(
	fc.record({ what: fc.constantFrom('send', 'arrive', 'answer'), which: fc.nat() }),
	{
		maxLength: 300,
	},
);

test('a service is never asked for more, in whatever order requests arrive and are answered', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 50 }), moves, (most, drawn) => {
			const quota = new Quota();
			const sent: true[] = [];
			const counted: number[] = [];
			let left = most;
			let isKnown = false;
			const send = () => {
				quota.begin();
				sent.push(true);
			};
			send();
			for (const { what, which } of drawn) {
				// Without an answer nothing is known yet.
				if (what === 'send' && isKnown && quota.waitMs(500) === 0) send();
				if (what === 'arrive' && sent.pop() === true) {
					left -= 1;
					expect(left).toBeGreaterThanOrEqual(0);
					counted.push(left);
				}
				const [remaining] =
					what === 'answer' ? counted.splice(which % (counted.length || 1), 1) : [];
				if (remaining === undefined) continue;
				isKnown = true;
				quota.note({ limit: { remaining, resetMs: 1000 }, policies: [] }, 0);
				quota.end(0);
			}
		}),
	);
});

test('all that is left is used', () => {
	const quota = new Quota();
	let left = 7;
	while (quota.waitMs(0) === 0) {
		quota.begin();
		left -= 1;
		quota.note({ limit: { remaining: left, resetMs: 1000 }, policies: [] }, 0);
		quota.end(0);
	}
	expect(left).toBe(0);
});

/** Of each time in which requests are sent and answered: what happens, and how much later. */
const steps = fc.array(
	fc.record({
		what: fc.constantFrom('send', 'arrive', 'answer'),
		later: fc.constantFrom(0, 0, 0, 1, 7, 300),
	}),
	{ maxLength: 300 },
);

test('a service never gets more than its policies let through in any time of their length', () => {
	const policies = [
		{ requests: 5, windowMs: 1000 },
		{ requests: 3, windowMs: 100 },
	];
	fc.assert(
		fc.property(steps, (drawn) => {
			const quota = new Quota();
			quota.begin();
			quota.note({ limit: undefined, policies }, 0);
			quota.end(0);
			const arrivals = [0];
			let [now, sent, arrived] = [0, 0, 0];
			for (const { what, later } of drawn) {
				now += later;
				if (what === 'send' && quota.waitMs(now) === 0) {
					quota.begin();
					sent += 1;
				}
				if (what === 'arrive' && sent > 0) {
					sent -= 1;
					arrived += 1;
					arrivals.push(now);
				}
				if (what === 'answer' && arrived > 0) {
					arrived -= 1;
					quota.end(now);
				}
			}
			for (const { requests, windowMs } of policies) {
				for (const [index, arrival] of arrivals.entries()) {
					const beyond = arrivals[index + requests] ?? Infinity;
					expect(beyond - arrival).toBeGreaterThanOrEqual(windowMs);
				}
			}
		}),
	);
});

test('all that a policy lets through is used, and one wait is enough for the next', () => {
	const quota = new Quota();
	quota.note({ limit: undefined, policies: [{ requests: 3, windowMs: 1000 }] }, 0);
	let now = 0;
	for (let request = 0; request < 9; request++) {
		now += quota.waitMs(now);
		quota.begin();
		quota.end(now);
	}
	expect(now).toBe(2000);
});

test('a clock that is set back holds nothing up for longer than the policy says', () => {
	const quota = new Quota();
	quota.note({ limit: undefined, policies: [{ requests: 1, windowMs: 1000 }] }, 3_600_000);
	quota.begin();
	quota.end(3_600_000);
	expect(quota.waitMs(0)).toBe(1000);
});
