/** Steps that a person repeats in the editor, at a service that lists what was sent: section 3 of the law of writes. */
import type { IDataObject } from 'n8n-workflow';

import { forgetAll } from './support/forget.mts';
import { HASH, KeptWrites } from './support/kept-writes.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE } from './support/use-node.mts';

const kept = new KeptWrites();
const { node } = kept;
const manual = { mode: 'manual' } as const;

afterEach(() => jest.restoreAllMocks());

const rows = (...amounts: string[]) => amounts.map((amount) => ({ amount }));

/** Pays each row; returns whether it only repeats an answer. */
async function pay(
	amounts: readonly string[],
	settings: RunSettings = {},
	options: IDataObject = {},
) {
	const output = await node.run(kept.pay('={{ $json.amount }}', { maxTries: 1, ...options }), {
		...{ ...manual, items: rows(...amounts) },
		...settings,
	});
	return { ...output, marks: output.items.map(({ json }) => json.replayed ?? false) };
}

/** An amount that no other test pays. */
const own = (cents: number) => `${kept.number}.${cents}`;

test('a step sends nothing again that the node has sent, also before n8n was started again', async () => {
	const [count, [first, second]] = await kept.transactionsOf(async () => {
		const before = await pay([own(11), own(12)]);
		forgetAll();
		return [before, await pay([own(11), own(12), own(13)])];
	}, 3);
	expect(count).toBe(3);
	expect([first?.marks, second?.marks]).toEqual([
		[false, false],
		[true, true, false],
	]);
	expect(second?.items[0]?.json).toMatchObject({
		...{
			hash: first?.items[0]?.json.hash,
			execution: expect.any(String),
			submittedAt: expect.any(String),
		},
		summary: expect.stringMatching(/^Not sent again, already sent just now by execution \d+: /),
	});
});

test('equal items stand for as many writes', async () => {
	const [count, marks] = await kept.transactionsOf(async () => {
		await pay([own(21), own(21)]);
		forgetAll();
		return (await pay([own(21), own(21), own(21)])).marks;
	}, 3);
	expect([count, marks]).toEqual([3, [true, true, false]]);
});

test('Send Again, and a node of another name, send again', async () => {
	const [count] = await kept.transactionsOf(async () => {
		await pay([own(31)]);
		await pay([own(31)], {}, { sendAgain: true });
		await pay([own(31)], { node: { name: 'Pay' } });
	}, 3);
	expect(count).toBe(3);
});

test('nothing is sent if the service does not list what was sent', async () => {
	await node.service.faults.reset();
	await node.service.faults.add({
		...{ kind: 'drop-before', match: { method: 'GET', path: '/v1/writes' } },
	});
	const [count, { items }] = await kept.transactionsOf(
		async () => await pay([own(41)], { node: CONTINUE }),
	);
	expect(count).toBe(0);
	expect(items).toMatchObject([{ json: { details: { outcome: 'refused' } } }]);
});

test('a Retry of a step knows what stood for its items', async () => {
	const [count, marks] = await kept.transactionsOf(async () => {
		await pay([own(51)]);
		await kept.fault('PUT', { kind: 'failed', times: 1 });
		const { run: retryOf } = await pay([own(51), own(52)]);
		const given = kept.pay('={{ $json.amount }}', { maxTries: 1 });
		const { items } = await node.run(given, { retryOf });
		expect(items).toMatchObject([{ json: { hash: HASH } }, { json: { hash: HASH } }]);
		return items.map(({ json }) => json.replayed ?? false);
	}, 2);
	expect([count, marks]).toEqual([2, [true, false]]);
});

test('equal orders of several users answer the items of each', async () => {
	const items = (['Nelly', 'Rahul Sen'] as const).map((name) => {
		const { accessToken, id } = node.service.user(name);
		return { accessToken, id };
	});
	const ofItem = { accessToken: '={{ $json.accessToken }}', userId: '={{ $json.id }}' };
	const credential = { ...node.service.credential(), ...ofItem };
	const settings = { ...manual, items, node: CONTINUE, credential };
	const ordered = await node.run(kept.write({ orderId: `order ${kept.number}` }), settings);
	expect(ordered.items.map(({ json }) => json.submitted)).toEqual([true, true]);
	const second = await node.run(kept.write(), settings);
	expect(second.items.map(({ json }) => json.replayed)).toEqual([true, true]);
});
