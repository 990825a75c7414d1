/** Executions that a person repeats: n8n's Retry, and the steps of the editor. They pay only what was not paid. */
import type { IDataObject, IRun } from 'n8n-workflow';

import { done, failed, hashOf, LOST } from './support/answers.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { BOB } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { RETRY, useNode } from './support/use-node.mts';

const node = useNode();

const send = (changes: IDataObject = {}) =>
	sendOf({ amount: '={{ $json.amount }}', recipient: BOB.id, ...changes });
const rows = (...amounts: string[]) => amounts.map((amount) => ({ amount }));
const sent = () => node.service.writes.map(({ args }) => Number(args[1]) / 1e6);
const AGAIN = { options: { sendAgain: true } };

/** Runs an execution, and returns the hashes and marks of its items, its error, and itself for a Retry. */
async function execute(settings: RunSettings, changes: IDataObject = {}) {
	const { items, error, run } = await node.run(send(changes), settings);
	const marks = items.map(({ json }) => [json.hash, json.replayed ?? false]);
	return { marks, json: items[0]?.json, error, run };
}

describe('Retry', () => {
	const failing = async (changes: IDataObject = {}): Promise<IRun> => {
		const { run, error } = await execute({ items: rows('1', '2', '3') }, changes);
		expect(error?.message).toMatch(/^1 of 3 were sent, then stopped: /);
		return run;
	};

	test('pays only what was not paid', async () => {
		node.service.answer(done(7), failed());
		const retryOf = await failing();
		const { marks, json } = await execute({ retryOf });
		expect(marks).toEqual([
			[hashOf(7), true],
			[hashOf(3), false],
			[hashOf(4), false],
		]);
		expect(sent()).toEqual([1, 2, 2, 3]);
		expect(json?.summary).toMatch(/^Submitted by execution \d+: 1 SUSD/);
	});

	test('of a Retry still knows the first execution', async () => {
		node.service.answer(done(7), failed(), failed());
		const { run: retryOf } = await execute({ retryOf: await failing() });
		expect((await execute({ retryOf })).marks[0]).toEqual([hashOf(7), true]);
		expect(sent()).toEqual([1, 2, 2, 2, 3]);
	});

	test('refuses what may have been sent, and sends it with Send Again', async () => {
		node.service.answer(done(7), LOST);
		const { run: retryOf } = await execute({ items: rows('1', '2', '3') });
		const { error } = await execute({ retryOf });
		expect(error?.context.details).toMatchObject({ code: 'not-sent-again', itemIndex: 1 });
		expect(error?.description).toContain(hashOf(7));
		expect(sent()).toEqual([1, 2]);
	});

	test('with Send Again sends everything again, but each try of n8n once', async () => {
		const tries = Array.from({ length: RETRY.maxTries }, () => failed());
		node.service.answer(done(70), ...tries, done(80), failed());
		const items = rows('1', '2', '3');
		const { run: retryOf } = await execute({ items, node: RETRY }, AGAIN);
		expect((await execute({ retryOf })).error).toBeUndefined();
		expect(sent()).toEqual([1, 2, 2, 2, 1, 2, 2, 3]);
	});

	test('sends what equals a payment of another execution', async () => {
		node.service.answer(done(7));
		await execute({ items: rows('2') });
		node.service.answer(done(8), failed());
		const { marks } = await execute({ retryOf: await failing() });
		expect(marks.map(([, replayed]) => replayed)).toEqual([true, false, false]);
	});

	describe('sends nothing if the first execution cannot be known', () => {
		const retryOf = async (changes: IDataObject = {}) => {
			node.service.answer(done(7), failed());
			const run = await failing(changes);
			// As if another process, or an n8n without resume tokens, had run it.
			delete run.data.resumeToken;
			return run;
		};

		test.each(['stopWorkflow', 'continueRegularOutput'] as const)('(%s)', async (onError) => {
			const { error, json } = await execute({ retryOf: await retryOf(), node: { onError } });
			const told = error?.context.details ?? json?.details;
			expect(told).toMatchObject({ code: 'not-sent', outcome: 'unknown' });
			expect(sent()).toEqual([1, 2]);
		});

		test('unless Send Again is on', async () => {
			const { error } = await execute({ retryOf: await retryOf(AGAIN) });
			expect(error).toBeUndefined();
			expect(sent()).toEqual([1, 2, 1, 2, 3]);
		});
	});
});

describe('the editor', () => {
	const manual = { mode: 'manual' } as const;

	test('does not send again what the node sent in the last 24 hours', async () => {
		await execute({ ...manual, items: rows('1', '2') });
		const { marks, json } = await execute({ ...manual, items: rows('1', '2', '3') });
		expect(marks).toEqual([
			[hashOf(1), true],
			[hashOf(2), true],
			[hashOf(3), false],
		]);
		expect(json).toMatchObject({ submittedAt: expect.any(String), execution: expect.any(String) });
		expect(sent()).toEqual([1, 2, 3]);
	});

	test("replays as many equal items as were sent, also in n8n's next try", async () => {
		await execute({ ...manual, items: rows('1', '1') });
		node.service.answer(failed());
		const { marks } = await execute({ ...manual, items: rows('1', '1', '1'), node: RETRY });
		expect(marks.map(([, replayed]) => replayed)).toEqual([true, true, false]);
		expect(sent()).toEqual([1, 1, 1, 1]);
	});

	test('sends again with Send Again, and from a node of another name', async () => {
		const items = rows('1');
		await execute({ ...manual, items });
		expect((await execute({ ...manual, items }, AGAIN)).marks).toEqual([[hashOf(2), false]]);
		const { error } = await node.run(send(), { ...manual, items, node: { name: 'Pay' } });
		expect(error).toBeUndefined();
		expect(sent()).toEqual([1, 1, 1]);
	});

	test('replays what a trigger has started, but a trigger replays nothing', async () => {
		const items = rows('1');
		await execute({ items });
		await execute({ items });
		expect((await execute({ ...manual, items })).marks).toEqual([[hashOf(1), true]]);
		expect(sent()).toEqual([1, 1]);
	});

	test('does not compare the total with the balance for what is replayed', async () => {
		node.service.reports({ balance: '3000000' });
		await execute({ ...manual, items: rows('1', '2') });
		node.service.reports({ balance: '0' });
		const { error } = await execute({ ...manual, items: rows('1', '2') });
		expect(error).toBeUndefined();
	});
});
