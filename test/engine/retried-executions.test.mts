/** n8n's Retry, as this process or the service knows the first execution: it pays only what was not paid. */
import type { IDataObject, IRun } from 'n8n-workflow';

import { done, failed, hashOf, LOST } from './support/answers.mts';
import { KeptWrites } from './support/kept-writes.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { readAgain, recovered, withInput } from './support/retried-runs.mts';
import { marksOf, replaysOf, rows } from './support/rows.mts';
import { BOB } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, RETRY, useNode } from './support/use-node.mts';

const plain = useNode();
const kept = new KeptWrites();

const send = (changes: IDataObject = {}) =>
	sendOf({ amount: '={{ $json.amount }}', recipient: BOB.id, ...changes });
const sent = () => plain.service.writes.map(({ args }) => Number(args[1]) / 1e6);

/** What knows the writes of earlier executions. */
interface Ledger {
	readonly run: (settings: RunSettings) => ReturnType<typeof plain.run>;
	/** Refuses one of the payments. */
	readonly refuse: (after: number) => Promise<void>;
	readonly counted: (work: () => Promise<void>, expected: number) => Promise<number>;
}

const LEDGERS: Readonly<Record<string, Ledger>> = {
	'this process': {
		run: async (settings) => await plain.run(send(), settings),
		refuse: async (after) => {
			const answers = Array.from({ length: after }, (_, index) => done(70 + index));
			plain.service.answer(...answers, failed());
		},
		counted: async (work) => {
			await work();
			return plain.service.writes.length - 1;
		},
	},
	'a service that lists writes': {
		run: async (settings) =>
			await kept.node.run(kept.pay('={{ $json.amount }}', { maxTries: 1 }), settings),
		refuse: async (after) => await kept.fault('PUT', { kind: 'failed', skip: after, times: 1 }),
		counted: async (work, expected) => (await kept.transactionsOf(work, expected))[0],
	},
};

/** A Retry of an execution that pays rows, of which one is refused after some were paid. */
interface Case {
	readonly first: readonly string[];
	readonly paid: number;
	readonly settings?: RunSettings['node'];
	/** What the Retry runs: by default, the same rows. */
	readonly again?: (run: IRun) => IRun;
	readonly marks: readonly unknown[];
	readonly count: number;
}

/** It runs the step before the node again, which returns these rows. */
const read =
	(...amounts: string[]) =>
	(run: IRun): IRun =>
		readAgain(run, rows(...amounts));
const ONE_OF_TWO = { first: ['1', '2'], paid: 1, count: 2 };
const ALL_OF_FIVE = { first: ['1', '2', '3', '4'], paid: 0, settings: CONTINUE, count: 5 };

const CASES: Readonly<Record<string, Case>> = {
	'the same rows': { first: ['1', '2', '3'], paid: 1, marks: [true, false, false], count: 3 },
	'rows in another order': {
		first: ['1', '2', '3'],
		paid: 2,
		again: read('3', '2', '1'),
		marks: [false, true, true],
		count: 3,
	},
	'a row that took the place of one that has moved': {
		...ONE_OF_TWO,
		again: (run) => withInput(run, rows('3', '1')),
		marks: [false, true],
	},
	'rows that have moved in a longer list': {
		...ALL_OF_FIVE,
		again: read('2', '2', '9', '3', '4'),
		marks: [false, true, false, true, true],
	},
	'another row in the place of one that was paid': {
		...ONE_OF_TWO,
		again: (run) => withInput(run, rows('9', '4'), CONTINUE),
		marks: ['retry-conflict', false],
	},
	...Object.fromEntries(
		(['had ended', 'had begun'] as const).map((how): [string, Case] => [
			`rows of a run that n8n has invented, which ${how}`,
			{
				...ONE_OF_TWO,
				first: ['1.25', '1.75'],
				again: (run) => recovered(run, how),
				marks: [true, false],
			},
		]),
	),
};

describe.each(Object.entries(LEDGERS))('known to %s:', (_name, { run, refuse, counted }) => {
	test.each(Object.entries(CASES))('%s', async (_what, one) => {
		const { first, paid, settings: node = {}, again = (same) => same, marks, count } = one;
		const payments = await counted(async () => {
			await refuse(paid);
			const { run: failing } = await run({ items: rows(...first), node });
			const { items } = await run({ retryOf: again(failing), node });
			const told = marksOf(items).map((mark, index) => {
				return mark === true ? replaysOf(items)[index] : mark;
			});
			expect(told).toEqual(marks);
		}, count);
		expect(payments).toBe(count);
	});
});

/** Runs an execution, and returns the hashes and marks of its items, its error, and itself for a Retry. */
async function execute(settings: RunSettings, changes: IDataObject = {}) {
	const { items, error, run } = await plain.run(send(changes), settings);
	const marks = items.map(({ json }) => [json.hash, json.replayed ?? false]);
	return { marks, items, json: items[0]?.json, error, run };
}

/** An execution whose first row was paid, and the second refused. */
async function failing(changes: IDataObject = {}): Promise<IRun> {
	const { run, error } = await execute({ items: rows('1', '2', '3') }, changes);
	expect(error?.message).toMatch(/^1 of 3 were sent, then stopped at row 2: /);
	return run;
}

test('a Retry of a Retry still knows the first execution, and says so', async () => {
	plain.service.answer(done(7), failed(), failed());
	const { run: retryOf } = await execute({ retryOf: await failing() });
	const { marks, json } = await execute({ retryOf });
	expect(marks).toEqual([
		[hashOf(7), true],
		[hashOf(4), false],
		[hashOf(5), false],
	]);
	expect(json?.summary).toMatch(/^Not sent again, .* by execution \d+: 1 SUSD/);
	expect(sent()).toEqual([1, 2, 2, 2, 3]);
});

test('it refuses what may have been sent, after it has sent what was not reached', async () => {
	plain.service.answer(done(7), LOST);
	const { run: retryOf } = await execute({ items: rows('1', '2', '3') });
	for (let retry = 0; retry < 2; retry++) {
		const { error } = await execute({ retryOf });
		expect(error?.message).toMatch(/^2 of 3 were sent, then stopped at row 2: Not sent again/);
		expect(error?.context.details).toMatchObject({ code: 'not-sent-again', itemIndex: 1 });
		for (const hash of [7, 3].map(hashOf)) expect(error?.description).toContain(hash);
	}
	expect(sent()).toEqual([1, 2, 3]);
});

test('what stands at the first place now is another write, which does not hide the moved one', async () => {
	plain.service.answer(done(7), failed());
	const run = await failing();
	for (const amounts of [
		['3', '1'],
		['1', '3'],
	])
		await execute({ retryOf: withInput(run, rows(...amounts)) });
	expect(sent()).toEqual([1, 2, 3]);
});

test('it pays nothing again whose values have changed, but not its row', async () => {
	plain.service.answer(done(7), failed());
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

test('it sends nothing of a list if something else may have been sent in place of a row', async () => {
	plain.service.answer(LOST);
	const { run } = await execute({ items: rows('1', '2') });
	const { error } = await execute({ retryOf: withInput(run, rows('8', '9')) });
	expect(error?.context.details).toMatchObject({ outcome: 'unknown', itemIndex: 0 });
	expect(sent()).toEqual([1]);
});

test('it sends nothing any more once another Retry has begun', async () => {
	plain.service.answer(done(7), failed());
	const options = { timeout: 5, maxTries: 1 };
	const { run } = await execute({ items: rows('1', '2', '3') }, { options });
	plain.service.answer('hold');
	const retry = async () =>
		await execute({ retryOf: withInput(run, undefined, CONTINUE) }, { options });
	const first = retry();
	await plain.service.received(3);
	const ended = await Promise.all([first, retry()]);
	const codes = ended.map((one) => one.items.map(({ json }) => Object(json.details).code));
	expect(codes).toEqual([
		[undefined, expect.anything(), 'not-sent'],
		[undefined, 'not-sent-again', undefined],
	]);
	expect(sent()).toEqual([1, 2, 2, 3]);
});

test('with Send Again it sends everything again, but each try of n8n once', async () => {
	const tries = Array.from({ length: RETRY.maxTries }, () => failed());
	plain.service.answer(done(70), ...tries, done(80), failed());
	const items = rows('1', '2', '3');
	const { run: retryOf } = await execute({ items, node: RETRY }, { options: { sendAgain: true } });
	const { error, items: again } = await execute({ retryOf });
	expect(error).toBeUndefined();
	expect(again[1]?.json.warning).toMatch(/^Send Again is on, /);
	expect(sent()).toEqual([1, 2, 2, 2, 1, 2, 2, 3]);
});

test('it sends what equals a payment of another execution', async () => {
	plain.service.answer(done(7));
	await execute({ items: rows('2') });
	plain.service.answer(done(8), failed());
	const { marks } = await execute({ retryOf: await failing() });
	expect(marks.map(([, replayed]) => replayed)).toEqual([true, false, false]);
});

describe('it sends nothing if the first execution cannot be known', () => {
	const retryOf = async (changes: IDataObject = {}) => {
		plain.service.answer(done(7), failed());
		const run = await failing(changes);
		// As if another process, or an n8n without resume tokens, had run it.
		delete run.data.resumeToken;
		return run;
	};

	test.each([{}, CONTINUE])('(%j)', async (node) => {
		const { error, json } = await execute({ retryOf: await retryOf(), node });
		const told = error?.context.details ?? json?.details;
		expect(told).toMatchObject({ code: 'not-sent', outcome: 'unknown' });
		expect(sent()).toEqual([1, 2]);
	});

	test('unless Send Again is on', async () => {
		const { error } = await execute({ retryOf: await retryOf({ options: { sendAgain: true } }) });
		expect(error).toBeUndefined();
		expect(sent()).toEqual([1, 2, 1, 2, 3]);
	});
});
