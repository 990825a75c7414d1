/** Writes of one credential go out one at a time, in the order of asking; one that stops waiting lets the others go on. */
import { WriteQueue } from '../../../nodes/WalletService/writes/write-queue.ts';

interface Work {
	readonly done: Promise<string>;
	readonly end: (error?: Error) => void;
}

let queue: WriteQueue;
let begun: string[];

beforeEach(() => {
	queue = new WriteQueue();
	begun = [];
});

function ask(name: string, key = 'one', cancel?: AbortSignal): Work {
	let end: Work['end'] = () => undefined;
	const ended = new Promise<void>((resolve, reject) => {
		end = (error) => (error === undefined ? resolve() : reject(error));
	});
	const done = queue.run(key, cancel, async () => {
		begun.push(name);
		await ended;
		return name;
	});
	return { done, end };
}

/** Everything that can go on has gone on. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

test('one after the other, in the order of asking, also when one fails', async () => {
	const [a, b, c] = [ask('a'), ask('b'), ask('c')];
	await settled();
	expect(begun).toEqual(['a']);
	a?.end(new Error('refused'));
	await expect(a?.done).rejects.toThrow('refused');
	await settled();
	expect(begun).toEqual(['a', 'b']);
	b?.end();
	expect(await b?.done).toBe('b');
	await settled();
	expect(begun).toEqual(['a', 'b', 'c']);
	c?.end();
	expect(await c?.done).toBe('c');
	const d = ask('d');
	await settled();
	expect(begun).toEqual(['a', 'b', 'c', 'd']);
	d.end();
	await d.done;
});

test('credentials do not wait for each other', async () => {
	const works = [ask('a', 'one'), ask('b', 'other')];
	await settled();
	expect(begun).toEqual(['a', 'b']);
	works.forEach(({ end }) => end());
	await Promise.all(works.map(async ({ done }) => await done));
});

test('what is stopped while it waits has its call at once, and nobody overtakes the one under way', async () => {
	const cancel = new AbortController();
	const [a, b, c] = [ask('a'), ask('b', 'one', cancel.signal), ask('c')];
	await settled();
	cancel.abort();
	await settled();
	// The call of b comes so that it can see the signal; c still waits for a.
	expect(begun).toEqual(['a', 'b']);
	b?.end();
	await b?.done;
	const d = ask('d');
	await settled();
	expect(begun).toEqual(['a', 'b']);
	a?.end();
	await settled();
	expect(begun).toEqual(['a', 'b', 'c']);
	c?.end();
	await settled();
	expect(begun).toEqual(['a', 'b', 'c', 'd']);
	d.end();
	await Promise.all([a?.done, c?.done, d.done]);
});

test('a signal that waited in vain is let go', async () => {
	const { signal } = new AbortController();
	const removed = jest.spyOn(signal, 'removeEventListener');
	const [a, b] = [ask('a'), ask('b', 'one', signal)];
	await settled();
	a?.end();
	b?.end();
	await Promise.all([a?.done, b?.done]);
	expect(removed.mock.calls).toEqual([['abort', expect.any(Function)]]);
});
