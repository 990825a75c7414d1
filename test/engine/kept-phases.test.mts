/** Stops, time-outs and lost answers in each phase of a write that the service keeps: what n8n learns is what the service has. */
import type { IRun } from 'n8n-workflow';

import { until } from '../support/until.mts';
import { NODE, retriedNodes } from './support/engine.mts';
import type { KeyFault } from './support/kept-writes.mts';
import { HASH, KeptWrites } from './support/kept-writes.mts';
import { CONTINUE, RETRY } from './support/use-node.mts';

const kept = new KeptWrites();
const { node } = kept;

const LATE = { afterWork: true };

const LOST: KeyFault = ['PUT', { kind: 'drop-before', times: 1 }];
const LOST_LATE: KeyFault = ['PUT', { kind: 'drop-after', times: 1 }];
const LOST_TWICE = [LOST, LOST];
const FOUND = [LOST_LATE, LOST_LATE];
const ENDING = 'PUT PUT DELETE';
const silent = (method: string, params: object, times?: number): KeyFault => [
	method,
	{ kind: 'hang', params: { ...params }, ...(times !== undefined && { times }) },
];
/** An answer that does not say what the service has. */
const PAGE: KeyFault = ['DELETE', { kind: 'html', params: LATE, times: 1 }];

test.each<[string, KeyFault[], string, number]>([
	['before the work', [silent('PUT', {})], 'PUT', 0],
	['after the work', [silent('PUT', LATE)], 'PUT', 1],
	['in the repeat, before the work', [LOST, silent('PUT', {})], 'PUT PUT', 0],
	['in the repeat, after the work', [LOST_LATE, silent('PUT', {})], 'PUT PUT', 1],
	['at the end of its key, before it', [...LOST_TWICE, silent('DELETE', {}, 1)], ENDING, 0],
	['at the end of its key, after it', [...LOST_TWICE, silent('DELETE', LATE, 1)], ENDING, 0],
	['when it is found there', [...FOUND, silent('DELETE', LATE, 1)], ENDING, 1],
])('Stop %s: n8n logs what the service has', async (...[, faults, methods, sent]) => {
	await kept.program(faults);
	const [count] = await kept.transactionsOf(async () => {
		const cancelWhen = until(async () => (await kept.methods()).join(' ') === methods);
		let retried: string[] = [];
		const onSaved = (saved: IRun) => void (retried = retriedNodes(saved));
		await node.run(kept.write({ maxTries: 2, timeout: 2 }), { cancelWhen, onSaved });
		await until(async () => (await kept.methods()).join(' ') === `${methods} DELETE`);
		await until(async () => node.log.writes().length === sent);
		expect(retried).toEqual([NODE]);
	}, sent);
	expect(count).toBe(sent);
	expect(node.log.writes().map((line) => line.slice(0, 24))).toEqual(
		Array.from({ length: sent }, () => 'Contract write submitted'),
	);
});

test('Stop while the service starts again: it is asked until it answers', async () => {
	await kept.program([silent('PUT', LATE), ['DELETE', { kind: 'drop-before', times: 4 }]]);
	await kept.transactionsOf(async () => {
		const cancelWhen = until(async () => (await kept.methods()).length === 1);
		await node.run(kept.write({ maxTries: 1 }), { cancelWhen });
		await until(async () => node.log.writes().length === 1);
	}, 1);
	expect((await kept.methods()).filter((method) => method === 'DELETE')).toHaveLength(5);
});

test.each<[string, KeyFault[], number, string | undefined]>([
	['before the work', [silent('PUT', {})], 0, 'refused'],
	['after the work', [silent('PUT', LATE)], 1, undefined],
	['before the work, and at the end', [silent('PUT', {}), silent('DELETE', {})], 0, 'unknown'],
	['after the work, and at the end', [silent('PUT', LATE), silent('DELETE', {})], 1, 'unknown'],
	['before the work, and a page at the end', [silent('PUT', {}), PAGE], 0, 'refused'],
	['after the work, and a page at the end', [silent('PUT', LATE), PAGE], 1, undefined],
])('no answer in time %s: the item states it', async (...[, faults, sent, outcome]) => {
	await kept.program(faults);
	const [count, { items, error }] = await kept.transactionsOf(
		async () => await node.run(kept.write({ maxTries: 2, timeout: 1 })),
		sent,
	);
	expect(count).toBe(sent);
	expect(error?.context.details).toEqual(outcome && expect.objectContaining({ outcome }));
	if (outcome === undefined) {
		expect(items[0]?.json).toMatchObject({ submitted: true, hash: HASH });
		expect(items[0]?.json).not.toHaveProperty('replayed');
	}
});

test.each([1, 3, 20, 100])(
	'a list of %d with lost answers is sent once, item by item',
	async (rows) => {
		await kept.fault('PUT', { kind: 'drop-after', times: 1 });
		await kept.fault('PUT', { kind: 'drop-before', skip: 3, times: 2 });
		await kept.fault('PUT', { kind: 'html', params: LATE, skip: 30, times: 2 });
		const args = `={{ [String(${kept.number}000 + $itemIndex)] }}`;
		const items = Array.from({ length: rows }, () => ({}));
		const [count, output] = await kept.transactionsOf(
			async () => await node.items(kept.write({}, { args }), { items }),
		);
		expect(count).toBe(rows);
		expect(new Set(output.map(({ hash }) => hash)).size).toBe(rows);
		for (const item of output) {
			expect(item).toMatchObject({ submitted: true, hash: HASH });
			expect(item).not.toHaveProperty('replayed');
		}
	},
);

test('what Send Again has sent is reported by each further try, whatever its expressions give by then', async () => {
	await kept.program([LOST_LATE, ['DELETE', { kind: 'drop-before', times: 1 }]]);
	const args = `={{ ["${kept.number}" + String(Math.random()).slice(2)] }}`;
	const given = kept.write({ sendAgain: '={{ $json.sendAgain }}', maxTries: 1 }, { args });
	const items = [{ sendAgain: 'neither' }, { sendAgain: true }];
	const settings = { items, node: { ...RETRY, ...CONTINUE } };
	const [count, output] = await kept.transactionsOf(
		async () => await node.items(given, settings),
		1,
	);
	expect(count).toBe(1);
	expect(output[0]).toHaveProperty('error');
	expect(output[1]).toMatchObject({ submitted: true, hash: HASH, replayed: true });
	expect(output[1]?.sentCall).not.toEqual(output[1]?.requestedCall);
});
