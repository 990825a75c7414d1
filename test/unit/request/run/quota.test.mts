import fc from 'fast-check';

import { Quota } from '../../../../nodes/WalletService/request/run/quota.ts';

test('nothing is known before the first answer; what it says holds until its time is over', () => {
	const quota = new Quota();
	expect(quota.waitMs(0)).toBe(0);
	quota.note(quota.take(), { remaining: 0, resetMs: 2000 }, 1000);
	expect([1000, 2999, 3000].map((now) => quota.waitMs(now))).toEqual([2000, 1, 0]);
});

test('when the time is over, no more than were ever left go out before an answer comes', () => {
	const quota = new Quota();
	quota.note(quota.take(), { remaining: 2, resetMs: 1000 }, 0);
	quota.take();
	quota.take();
	expect([999, 1000].map((now) => quota.waitMs(now))).toEqual([1, 0]);
	for (let sent = 0; sent < 3; sent++) {
		expect(quota.waitMs(1000)).toBe(0);
		quota.take();
	}
	expect(quota.waitMs(1000)).toBe(1000);
});

test('an answer that is overtaken by a newer one changes nothing', () => {
	const quota = new Quota();
	const [first, second] = [quota.take(), quota.take()];
	quota.note(second, { remaining: 1, resetMs: 1000 }, 0);
	quota.note(first, { remaining: 2, resetMs: 1000 }, 0);
	quota.take();
	expect(quota.waitMs(0)).toBe(1000);
});

test('a service that counts in the order of sending is never asked for more, in whatever order its answers come', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 50 }),
			fc.array(fc.nat(), { maxLength: 200 }),
			(most, moves) => {
				const quota = new Quota();
				const unanswered: { request: number; remaining: number }[] = [];
				let taken = 0;
				const send = () => {
					taken += 1;
					unanswered.push({ request: quota.take(), remaining: Math.max(0, most - taken) });
				};
				send();
				for (const move of moves) {
					const isAnswer = move % 2 === 0;
					const [answer] = isAnswer ? unanswered.splice(move % (unanswered.length || 1), 1) : [];
					if (answer !== undefined) quota.note(answer.request, { ...answer, resetMs: 1000 }, 0);
					// Without an answer nothing is known yet.
					const isKnown = unanswered.length < taken;
					if (!isAnswer && isKnown && quota.waitMs(500) === 0) send();
				}
				expect(taken).toBeLessThanOrEqual(most);
			},
		),
	);
});
