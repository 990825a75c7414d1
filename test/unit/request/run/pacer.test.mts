import { yieldToEventLoop } from '../../../../nodes/WalletService/request/run/event-loop.ts';
import { Pacer } from '../../../../nodes/WalletService/request/run/pacer.ts';

/** Counts the turns of the event loop that something takes. */
async function turnsDuring(action: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let isOver = false;
	const count = () => {
		turns += 1;
		if (!isOver) setImmediate(count);
	};
	setImmediate(count);
	await action();
	isOver = true;
	return turns;
}

async function threeSteps(pace: Pacer): Promise<void> {
	await Promise.all([pace.yield(), pace.yield(), pace.yield()]);
}

test.each([2, 4, 11])('the event loop turns, %i times', async (count) => {
	// The first turn is the one that is under way.
	const whole = count - 1;
	expect(await turnsDuring(async () => await yieldToEventLoop(count))).toBeGreaterThanOrEqual(
		whole,
	);
});

test('two steps have three turns of the event loop between them, until it is known how fast the service is', async () => {
	const pace = new Pacer(() => 10);
	expect(await turnsDuring(async () => await threeSteps(pace))).toBeGreaterThanOrEqual(5);
	expect(await turnsDuring(async () => await threeSteps(pace))).toBeGreaterThanOrEqual(5);
});

test('steps wait for each other with a slow service', async () => {
	const pace = new Pacer(() => 10);
	pace.noteLatency(50);
	expect(await turnsDuring(async () => await threeSteps(pace))).toBeGreaterThanOrEqual(5);
});

test('nothing waits with a service that answers as fast as n8n can take it', async () => {
	const pace = new Pacer(() => 10);
	pace.noteLatency(12);
	expect(await turnsDuring(async () => await threeSteps(pace))).toBe(0);
});

test('one answer does not make a service slow, many do', async () => {
	const pace = new Pacer(() => 10);
	pace.noteLatency(5);
	pace.noteLatency(100);
	expect(await turnsDuring(async () => await threeSteps(pace))).toBe(0);
	for (let answer = 0; answer < 10; answer++) pace.noteLatency(100);
	expect(await turnsDuring(async () => await threeSteps(pace))).toBeGreaterThanOrEqual(5);
});
