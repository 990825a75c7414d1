import { NodeRun } from '../../../nodes/WalletService/request/node-run.ts';
import type { Turns } from '../../../nodes/WalletService/request/turns.ts';

/** How many of many turns asked for are given at once. */
async function countOf(turns: Turns): Promise<number> {
	let given = 0;
	for (let asked = 0; asked < 500; asked++) void turns.take().then(() => (given += 1));
	await new Promise((resolve) => setImmediate(resolve));
	return given;
}

test.each([1, 7, 100])(
	'with a Concurrency of %i, as many are in flight, and twice as many are worked on',
	async (concurrency) => {
		const { turns, places } = new NodeRun(() => ({ concurrency }), 'together', false);
		expect(await countOf(turns)).toBe(concurrency);
		expect(await countOf(places)).toBe(2 * concurrency);
	},
);

test('in order, one item is worked on at a time, whatever Concurrency says', async () => {
	const { turns, places } = new NodeRun(() => ({ concurrency: 7 }), 'in order', false);
	expect(await countOf(turns)).toBe(1);
	expect(await countOf(places)).toBe(1);
});
