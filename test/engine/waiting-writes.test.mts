/** Writes that wait, for a retry or for another execution: each is sent once, or not at all. */
import { setTimeout } from 'node:timers/promises';

import { hashOf } from './support/answers.mts';
import { storeCall } from './support/contract-calls.mts';
import { CONTRACT } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const RETRY_AFTER_S = 1;

describe('writes to a service that refuses each of them once', () => {
	/** Refuses each write once, stating when it may be repeated; returns the arrival times. */
	function refuseEachOnce(seconds: number): number[] {
		const arrivals: number[] = [];
		const refused = new Set<string>();
		node.service.script = ({ body }) => {
			arrivals.push(Date.now());
			if (refused.has(body)) return undefined;
			refused.add(body);
			return { status: 429, headers: { 'retry-after': String(seconds) }, body: 'later' };
		};
		return arrivals;
	}

	const write = async (more: RunSettings = {}) =>
		await node.run(storeCall(CONTRACT, { args: '={{ [$json.number] }}' }), {
			items: [1, 2, 3].map((number) => ({ number: String(number) })),
			...more,
		});

	test('are sent in order, each once its time is over', async () => {
		const arrivals = refuseEachOnce(RETRY_AFTER_S);
		const { error, items } = await write();
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.hash)).toEqual([2, 4, 6].map(hashOf));
		const sent = node.service.writes.map(({ args }) => args[0]);
		expect(sent).toEqual(['1', '1', '2', '2', '3', '3']);
		const pauses = [1, 3, 5].map((again) => (arrivals[again] ?? 0) - (arrivals[again - 1] ?? 0));
		// Timers may fire slightly early.
		expect(Math.min(...pauses)).toBeGreaterThan(RETRY_AFTER_S * 1000 - 50);
	});

	test('are not sent if the policy forbids them while they wait', async () => {
		const arrivals = refuseEachOnce(RETRY_AFTER_S);
		const credential = {
			...node.service.credential(),
			get allowWrites() {
				// Writes become forbidden in the middle of the wait.
				return Date.now() < (arrivals[0] ?? Infinity) + 500;
			},
		};
		const { error } = await write({ credential });
		expect(error).toMatchObject({ context: { details: { code: 'policy-refused' } } });
		expect(arrivals).toHaveLength(1);
	});

	test('are not sent if the execution is stopped while they wait', async () => {
		const arrivals = refuseEachOnce(60);
		const cancelWhen = node.service.received(1).then(async () => await setTimeout(100));
		await write({ cancelWhen });
		await setTimeout(500);
		expect(arrivals).toHaveLength(1);
	});
});

test('a write that waits for another execution is not sent after the stop', async () => {
	const { service } = node;
	service.answer('hold');
	const first = node.run(storeCall(CONTRACT, { options: { timeout: 2 } }));
	await service.received(1);
	// The second execution reads its parameters, and then waits for the first one.
	let isRead: () => void = () => undefined;
	const cancelWhen = new Promise<void>((resolve) => (isRead = resolve));
	const variables = {
		get number() {
			setImmediate(isRead);
			return '2';
		},
	};
	const args = '={{ [$vars.number] }}';
	const second = node.run(storeCall(CONTRACT, { args }), { variables, cancelWhen });
	await Promise.all([first, second]);
	expect(service.writes).toHaveLength(1);
});
