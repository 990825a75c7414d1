/** Executions that a person repeats: n8n's Retry, and the steps of the editor. They pay only what was not paid. */
import type { IDataObject, IRun } from 'n8n-workflow';

import { done, failed, hashOf, json, LOST } from './support/answers.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { BOB } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

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
	return { marks, items, json: items[0]?.json, error, run };
}

describe('Retry', () => {
	const failing = async (changes: IDataObject = {}): Promise<IRun> => {
		const { run, error } = await execute({ items: rows('1', '2', '3') }, changes);
		expect(error?.message).toMatch(/^1 of 3 were sent, then stopped at row 2: /);
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
		expect(json?.summary).toMatch(/^Not sent again, .* by execution \d+: 1 SUSD/);
	});

	test('of a Retry still knows the first execution', async () => {
		node.service.answer(done(7), failed(), failed());
		const { run: retryOf } = await execute({ retryOf: await failing() });
		expect((await execute({ retryOf })).marks[0]).toEqual([hashOf(7), true]);
		expect(sent()).toEqual([1, 2, 2, 2, 3]);
	});

	test('refuses what may have been sent, after it has sent what was not reached', async () => {
		node.service.answer(done(7), LOST);
		const { run: retryOf } = await execute({ items: rows('1', '2', '3') });
		for (let retry = 0; retry < 2; retry++) {
			const { error } = await execute({ retryOf });
			expect(error?.message).toMatch(/^2 of 3 were sent, then stopped at row 2: Not sent again/);
			expect(error?.context.details).toMatchObject({ code: 'not-sent-again', itemIndex: 1 });
			for (const hash of [7, 3].map(hashOf)) expect(error?.description).toContain(hash);
		}
		expect(sent()).toEqual([1, 2, 3]);
	});

	test('finds rows that have moved, and refuses what took the place of one', async () => {
		node.service.answer(done(7), failed());
		const run = await failing();
		const other = (...amounts: string[]): IRun => {
			const retryOf = structuredClone(run);
			const json = rows(...amounts).map((row) => ({ json: row }));
			const [task] = retryOf.data.executionData?.nodeExecutionStack ?? [];
			task?.data.main.splice(0, 1, json);
			return retryOf;
		};
		const { error } = await execute({ retryOf: other('9', '4') });
		expect(error?.message).toContain('The retried execution paid something else for this item');
		expect(error?.context.details).toMatchObject({ code: 'retry-conflict', hashes: [hashOf(7)] });
		expect((await execute({ retryOf: other('3', '1') })).marks).toEqual([
			[hashOf(3), false],
			[hashOf(7), true],
		]);
		// What stands at the first place now is another write, which does not hide the moved one.
		expect((await execute({ retryOf: other('1', '3') })).marks.map(([, is]) => is)).toEqual([
			true,
			true,
		]);
		expect(sent()).toEqual([1, 2, 3]);
	});

	test('pays nothing again whose values have changed, but not its row', async () => {
		node.service.answer(done(7), failed());
		const changes = { amount: '={{ $json.amount * $vars.factor }}' };
		const items = rows('1', '2');
		const { run: retryOf } = await execute({ items, variables: { factor: 1 } }, changes);
		const { marks, json: first } = await execute({ retryOf, variables: { factor: 3 } }, changes);
		expect(marks).toEqual([
			[hashOf(7), true],
			[hashOf(3), false],
		]);
		expect(first?.warning).toMatch(/different values/);
		expect(sent()).toEqual([1, 2, 6]);
	});

	test('sends nothing of a list if something else may have been sent in place of a row', async () => {
		node.service.answer(LOST);
		const { run: retryOf } = await execute({ items: rows('1', '2') });
		const [task] = retryOf.data.executionData?.nodeExecutionStack ?? [];
		task?.data.main.splice(
			...([0, 1] as const),
			rows('8', '9').map((json) => ({ json })),
		);
		const { error } = await execute({ retryOf });
		expect(error?.context.details).toMatchObject({ outcome: 'unknown', itemIndex: 0 });
		expect(sent()).toEqual([1]);
	});

	test('sends nothing any more once another Retry has begun', async () => {
		node.service.answer(done(7), failed());
		const options = { timeout: 5, maxTries: 1 };
		const { run: retryOf } = await execute({ items: rows('1', '2', '3') }, { options });
		Object.assign(retryOf.data.executionData?.nodeExecutionStack[0]?.node ?? {}, CONTINUE);
		node.service.answer('hold');
		const retry = async () => await execute({ retryOf: structuredClone(retryOf) }, { options });
		const first = retry();
		await node.service.received(3);
		const ended = await Promise.all([first, retry()]);
		const codes = ended.map((one) => one.items.map(({ json }) => Object(json.details).code));
		expect(codes).toEqual([
			[undefined, expect.anything(), 'not-sent'],
			[undefined, 'not-sent-again', undefined],
		]);
		expect(sent()).toEqual([1, 2, 2, 3]);
	});

	test('of an execution of the editor knows what stood for its items', async () => {
		await execute({ mode: 'manual', items: rows('1') });
		node.service.answer(failed());
		const { run: retryOf } = await execute({ mode: 'manual', items: rows('1', '2') });
		expect((await execute({ retryOf })).marks).toEqual([
			[hashOf(1), true],
			[hashOf(3), false],
		]);
		expect(sent()).toEqual([1, 2, 2]);
	});

	test('with Send Again sends everything again, but each try of n8n once', async () => {
		const tries = Array.from({ length: RETRY.maxTries }, () => failed());
		node.service.answer(done(70), ...tries, done(80), failed());
		const items = rows('1', '2', '3');
		const { run: retryOf } = await execute({ items, node: RETRY }, AGAIN);
		const { error, items: again } = await execute({ retryOf });
		expect(error).toBeUndefined();
		expect(again[1]?.json.warning).toMatch(/^Send Again is on, /);
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
		expect((await execute({ ...manual, items })).marks).toEqual([[hashOf(2), true]]);
		expect(sent()).toEqual([1, 1]);
	});

	test('believes no list of a service in which another call stands', async () => {
		const { service } = node;
		service.description = { writes: { put: true, fence: true, attempts: true } };
		const tx = { to: BOB.address, data: '0x', value: '0' };
		const listed = { key: 'n8n-1', place: '0/0:7:', status: 'SUCCESS', hash: hashOf(70), tx };
		service.script = ({ path }) => {
			if (path.startsWith('/v1/writes?')) return json({ writes: [listed] });
			return path.startsWith('/v1/writes/')
				? json({ status: 'SUCCESS', hash: hashOf(1) })
				: undefined;
		};
		const { marks } = await execute({ ...manual, items: rows('1') });
		expect(marks).toEqual([[hashOf(1), false]]);
	});

	test('does not compare the total with the balance for what is replayed', async () => {
		node.service.reports({ balance: '3000000' });
		await execute({ ...manual, items: rows('1', '2') });
		node.service.reports({ balance: '0' });
		const { error } = await execute({ ...manual, items: rows('1', '2') });
		expect(error).toBeUndefined();
	});
});
