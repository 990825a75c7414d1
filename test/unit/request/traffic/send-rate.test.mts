/** How many requests per second are sent to a service that counts them. */
import { SendRate } from '../../../../nodes/WalletService/request/traffic/send-rate.ts';

/** Answers that come evenly, for some seconds from a time on. */
function answer(rate: SendRate, perSecond: number, from: number, seconds: number): void {
	for (let index = 0; index < perSecond * seconds; index++)
		rate.noteAnswer(from + (1000 * index) / perSecond);
}

/** Requests per second that are sent at a time, from the pause between two turns. */
function sentAt(rate: SendRate, now: number): number {
	const first = rate.takeTurn(now);
	return 1000 / (rate.takeTurn(now) - first);
}

/** Refused at 50 per second, 3 s after 0. */
function refusedAt50(): SendRate {
	const rate = new SendRate();
	answer(rate, 50, 0, 3);
	rate.lower(3000);
	return rate;
}

test('nothing waits for its turn until a request was refused', () => {
	const rate = new SendRate();
	answer(rate, 50, 0, 3);
	expect([rate.takeTurn(3000), rate.takeTurn(3000)]).toEqual([0, 0]);
});

test.each([0, 5, 10, 15])('%i s after a refusal it is a little below what was refused', (after) => {
	const sent = sentAt(refusedAt50(), 3000 + 1000 * after);
	expect(sent).toBeGreaterThan(47);
	expect(sent).toBeLessThan(50);
});

test('40 s after a refusal it is more than what was refused', () => {
	expect(sentAt(refusedAt50(), 43_000)).toBeGreaterThan(75);
});

test('the few answers between two refusals do not count as all that the service lets through', () => {
	const rate = refusedAt50();
	answer(rate, 5, 4000, 1);
	rate.lower(5000);
	expect(sentAt(rate, 5000)).toBeGreaterThan(44);
});

test('a service that lets fewer through than before gets fewer', () => {
	const rate = refusedAt50();
	answer(rate, 20, 4000, 3);
	rate.lower(7000);
	expect(sentAt(rate, 7000)).toBeCloseTo(19, 0);
});

test('without any answer in between it is about half', () => {
	const rate = refusedAt50();
	rate.lower(3001);
	expect(sentAt(rate, 3001)).toBeCloseTo(22.6, 0);
});
