/** Writes of one credential are sent one at a time, in order; one that stops waiting does not block the others. */
import { WriteQueue } from '../../../nodes/WalletService/writes/queue.ts';

let queue: WriteQueue;
let begun: string[];

beforeEach(() => {
	queue = new WriteQueue();
	begun = [];
});

function ask(name: string, key = 'one', cancel?: AbortSignal) {
	const { promise: ended, resolve, reject } = Promise.withResolvers<unknown>();
	const end = (error?: Error) => (error === undefined ? resolve(undefined) : reject(error));
	const done = queue.run(key, cancel, async () => {
		begun.push(name);
		await ended;
		return name;
	});
	return { done, end };
}

/** Ends these jobs; returns the names of all jobs that have started by then. */
async function begunThen(...ends: readonly (() => void)[]): Promise<string> {
	for (const end of ends) end();
	await new Promise((resolve) => setImmediate(resolve));
	return begun.join(' ');
}

test('one after the other, in the order of their requests, also after a failure', async () => {
	const [a, b, c] = [ask('a'), ask('b'), ask('c')] as const;
	expect(await begunThen()).toBe('a');
	const failed = expect(a.done).rejects.toThrow('refused');
	expect(await begunThen(() => a.end(new Error('refused')))).toBe('a b');
	await failed;
	expect(await begunThen(b.end)).toBe('a b c');
	expect(await b.done).toBe('b');
	expect(await begunThen(c.end)).toBe('a b c');
	expect(await c.done).toBe('c');
	const d = ask('d');
	expect(await begunThen()).toBe('a b c d');
	d.end();
	await d.done;
});

test('credentials do not wait for each other', async () => {
	const [a, b] = [ask('a', 'one'), ask('b', 'other')] as const;
	expect(await begunThen()).toBe('a b');
	await begunThen(a.end, b.end);
	await Promise.all([a.done, b.done]);
});

test('a write stopped while it waits is called immediately, and no other overtakes the one in progress', async () => {
	const cancel = new AbortController();
	const [a, b, c] = [ask('a'), ask('b', 'one', cancel.signal), ask('c')] as const;
	await begunThen();
	// b is called so that it can see the signal; c is still waiting for a.
	expect(await begunThen(() => cancel.abort())).toBe('a b');
	await begunThen(b.end);
	await b.done;
	const d = ask('d');
	expect(await begunThen()).toBe('a b');
	expect(await begunThen(a.end)).toBe('a b c');
	expect(await begunThen(c.end)).toBe('a b c d');
	d.end();
	await Promise.all([a.done, c.done, d.done]);
});

test('the listener of a signal that never fired is removed', async () => {
	const { signal } = new AbortController();
	const removed = jest.spyOn(signal, 'removeEventListener');
	const [a, b] = [ask('a'), ask('b', 'one', signal)] as const;
	await begunThen();
	await begunThen(a.end, b.end);
	await Promise.all([a.done, b.done]);
	expect(removed.mock.calls).toEqual([['abort', expect.any(Function)]]);
});
