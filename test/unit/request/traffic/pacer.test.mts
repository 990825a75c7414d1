import {
	Pacer,
	yieldToEventLoop,
} from '../../../../nodes/WalletService/request/traffic/throttle.ts';

/** Counts the turns of the event loop that an action takes. */
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

/** Takes steps at the same time; returns the order in which they were taken. */
async function take(pacer: Pacer, steps: number): Promise<number[]> {
	const taken: number[] = [];
	const step = async (_: unknown, index: number) => {
		await pacer.yield();
		taken.push(index);
	};
	await Promise.all(Array.from({ length: steps }, step));
	return taken;
}

test.each([2, 4, 11])('the event loop turns, %i times', async (count) => {
	// The first turn is already under way.
	const whole = count - 1;
	expect(await turnsDuring(async () => await yieldToEventLoop(count))).toBeGreaterThanOrEqual(
		whole,
	);
});

test('ten steps are taken at a stretch', async () => {
	const pacer = new Pacer();
	expect(await turnsDuring(async () => await take(pacer, 10))).toBe(0);
});

test.each([
	[11, 3],
	[31, 9],
])('%i steps have %i turns of the event loop between them', async (steps, turns) => {
	const pacer = new Pacer();
	// The first turn is already under way.
	expect(await turnsDuring(async () => await take(pacer, steps))).toBeGreaterThanOrEqual(turns - 1);
});

test('steps are taken in the order in which they were asked for', async () => {
	const order = await take(new Pacer(), 35);
	expect(order).toEqual(Array.from({ length: 35 }, (_, index) => index));
});
