import fc from 'fast-check';

import { Quota } from '../../../../nodes/WalletService/request/run/quota.ts';

test('nothing is known before the first answer; what it says holds until its time is over', () => {
	const quota = new Quota();
	expect(quota.waitMs(0)).toBe(0);
	quota.begin();
	quota.note({ remaining: 0, resetMs: 2000 }, 1000);
	quota.end();
	expect([1000, 2999, 3000].map((now) => quota.waitMs(now))).toEqual([2000, 1, 0]);
});

test('when the time is over, no more than were ever left go out before an answer comes', () => {
	const quota = new Quota();
	quota.note({ remaining: 2, resetMs: 1000 }, 0);
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
	quota.note({ remaining: 1, resetMs: 1000 }, 0);
	quota.end();
	expect(quota.waitMs(0)).toBeGreaterThan(0);
	quota.note({ remaining: 2, resetMs: 1000 }, 0);
	quota.end();
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
				quota.note({ remaining, resetMs: 1000 }, 0);
				quota.end();
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
		quota.note({ remaining: left, resetMs: 1000 }, 0);
		quota.end();
	}
	expect(left).toBe(0);
});
