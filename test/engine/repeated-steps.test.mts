/** Steps that a person repeats in the editor: what the node has sent answers them, as this process or the service knows it. */
import type { IDataObject } from 'n8n-workflow';

import { failed, hashOf, json } from './support/answers.mts';
import { forgetAll } from './support/forget.mts';
import { KeptWrites } from './support/kept-writes.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { replaysOf, rows } from './support/rows.mts';
import { BOB } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const kept = new KeptWrites();
const plain = useNode();
const manual = { mode: 'manual' } as const;

afterEach(() => jest.restoreAllMocks());

const send = (options: IDataObject = {}) =>
	sendOf({ amount: '={{ $json.amount }}', recipient: BOB.id, options });

/** An amount that no other test pays. */
const own = (cents: number) => `${kept.number}.${cents}`;

/** What knows the writes of earlier executions. */
interface Ledger {
	readonly run: (items: IDataObject[], settings?: RunSettings, options?: IDataObject) => Run;
	readonly refuse: (after: number) => Promise<void>;
	/** Lets n8n start again, if the ledger outlives it. */
	readonly restart: () => void;
	readonly counted: (work: () => Promise<unknown>, expected: number) => Promise<number>;
}
type Run = ReturnType<typeof plain.run>;

const OF_PROCESS: Ledger = {
	run: async (items, settings = {}, options = {}) =>
		await plain.run(send(options), { ...manual, items, ...settings }),
	refuse: async () => plain.service.answer(failed()),
	restart: () => undefined,
	counted: async (work) => {
		await work();
		return plain.service.writes.length;
	},
};
const OF_SERVICE: Ledger = {
	run: async (items, settings = {}, options = {}) =>
		await kept.node.run(kept.pay('={{ $json.amount }}', { maxTries: 1, ...options }), {
			...manual,
			items,
			...settings,
		}),
	refuse: async (after) => await kept.fault('PUT', { kind: 'failed', skip: after, times: 1 }),
	restart: forgetAll,
	counted: async (work, expected) => (await kept.transactionsOf(work, expected))[0],
};

describe.each([
	['this process', OF_PROCESS],
	['a service that lists writes', OF_SERVICE],
])('to %s', (_name, { run, refuse, restart, counted }) => {
	test('a step sends nothing again that the node has sent', async () => {
		const count = await counted(async () => {
			const first = await run(rows(own(11), own(12)));
			restart();
			const second = await run(rows(own(11), own(12), own(13)));
			expect(replaysOf(first.items)).toEqual([false, false]);
			expect(replaysOf(second.items)).toEqual([true, true, false]);
			expect(second.items[0]?.json).toMatchObject({
				hash: first.items[0]?.json.hash,
				submittedAt: expect.any(String),
				execution: expect.any(String),
				summary: expect.stringMatching(/^Not sent again, already sent just now by execution \d+: /),
			});
		}, 3);
		expect(count).toBe(3);
	});

	test("equal items stand for as many writes, also in n8n's next try", async () => {
		await counted(async () => {
			await run(rows(own(21), own(21)));
			restart();
			await refuse(0);
			const { items } = await run(rows(own(21), own(21), own(21)), { node: RETRY });
			expect(replaysOf(items)).toEqual([true, true, false]);
		}, 3);
	});

	test('Send Again, and a node of another name, send again', async () => {
		const items = rows(own(31));
		const count = await counted(async () => {
			await run(items);
			const again = await run(items, {}, { sendAgain: true });
			expect(replaysOf(again.items)).toEqual([false]);
			expect((await run(items, { node: { name: 'Pay' } })).error).toBeUndefined();
		}, 3);
		expect(count).toBe(3);
	});

	test('a Retry of a step knows what stood for its items', async () => {
		await counted(async () => {
			await run(rows(own(51)));
			await refuse(0);
			const { run: retryOf } = await run(rows(own(51), own(52)));
			const { items } = await run([], { mode: 'retry', retryOf });
			expect(replaysOf(items)).toEqual([true, false]);
		}, 2);
	});
});

const ofTrigger = async (items: IDataObject[]) => await plain.items(send(), { items });
const ofEditor = async (items: IDataObject[], credential = plain.service.credential()) =>
	await plain.items(send(), { ...manual, items, credential });

test('a step replays what a trigger has started, but a trigger replays nothing', async () => {
	for (let execution = 0; execution < 2; execution++) await ofTrigger(rows('1'));
	expect(await ofEditor(rows('1'))).toMatchObject([{ hash: hashOf(2), replayed: true }]);
	expect(plain.service.writes).toHaveLength(2);
});

test('it is answered by payments of its own account only', async () => {
	const of = async (accessToken: string) =>
		await ofEditor(rows('1'), plain.service.credential({ accessToken }));
	await of('one');
	expect(await of('other')).toMatchObject([{ hash: hashOf(2) }]);
	expect(await of('one')).toMatchObject([{ hash: hashOf(1), replayed: true }]);
});

test('it believes no list of a service in which another call stands', async () => {
	const { service } = plain;
	service.description = { writes: { put: true, fence: true, attempts: true } };
	const tx = { to: BOB.address, data: '0x', value: '0' };
	const listed = { key: 'n8n-1', place: '0/0:7:', status: 'SUCCESS', hash: hashOf(70), tx };
	service.script = ({ path }) => {
		if (path.startsWith('/v1/writes?')) return json({ writes: [listed] });
		return path.startsWith('/v1/writes/')
			? json({ status: 'SUCCESS', hash: hashOf(1) })
			: undefined;
	};
	const [item] = await ofEditor(rows('1'));
	expect(item).toMatchObject({ hash: hashOf(1) });
	expect(item).not.toHaveProperty('replayed');
});

test('it does not compare the total with the balance for what is replayed', async () => {
	plain.service.reports({ balance: '3000000' });
	await ofEditor(rows('1', '2'));
	plain.service.reports({ balance: '0' });
	expect(await ofEditor(rows('1', '2'))).toHaveLength(2);
});

test('it sends nothing if the service does not list what was sent', async () => {
	await kept.node.service.faults.add({
		kind: 'drop-before',
		match: { method: 'GET', path: '/v1/writes' },
	});
	const [count, { items }] = await kept.transactionsOf(
		async () => await OF_SERVICE.run(rows(own(41)), { node: CONTINUE }),
	);
	expect(count).toBe(0);
	expect(items).toMatchObject([{ json: { details: { outcome: 'refused' } } }]);
});

test('equal orders of several users answer the items of each', async () => {
	const { node } = kept;
	const items = (['Nelly', 'Rahul Sen'] as const).map((name) => {
		const { accessToken, id } = node.service.user(name);
		return { accessToken, id };
	});
	const ofItem = { accessToken: '={{ $json.accessToken }}', userId: '={{ $json.id }}' };
	const credential = { ...node.service.credential(), ...ofItem };
	const settings = { ...manual, items, node: CONTINUE, credential };
	const ordered = await node.run(kept.write({ orderId: `order ${kept.number}` }), settings);
	expect(ordered.items.map(({ json: one }) => one.submitted)).toEqual([true, true]);
	const second = await node.run(kept.write(), settings);
	expect(replaysOf(second.items)).toEqual([true, true]);
});
