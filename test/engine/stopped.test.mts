/** A node ends before n8n saves a stopped execution: *Retry* runs only a node that has ended by then, and is green otherwise. */
import type { IDataObject, IRun } from 'n8n-workflow';

import { until } from '../support/until.mts';
import { echoCall, readUntil, storeCall } from './support/contract-calls.mts';
import { NODE, retriedNodes } from './support/engine.mts';
import { CONTRACT, TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { RETRY, useNode } from './support/use-node.mts';

const node = useNode();
const items = Array.from({ length: 100 }, () => ({}));

/** The nodes that Retry would run after a stop. */
async function retriedAfter(
	run: (settings: RunSettings) => Promise<unknown>,
	cancelWhen: Promise<unknown>,
): Promise<string[]> {
	return await new Promise((resolve, reject) => {
		const onSaved = (saved: IRun) => resolve(retriedNodes(saved));
		run({ cancelWhen, onSaved }).catch(reject);
	});
}

const LATER = { status: 429, headers: { 'retry-after': '60' }, body: 'later' };
const UNMET = readUntil('level() view returns (uint256)', {
	condition: 'is',
	conditionValue: '1',
	waitUpTo: 60,
});

test.each<[string, IDataObject, RunSettings, answer: 'hold' | typeof LATER | undefined]>([
	['a write', storeCall(TOKEN), {}, 'hold'],
	['the first of 100 writes', storeCall(TOKEN), { items }, 'hold'],
	['the pause before a write is repeated', storeCall(TOKEN), { items }, LATER],
	['100 reads', echoCall(CONTRACT), { items }, 'hold'],
	['the pause before reads are repeated', echoCall(CONTRACT), { items }, LATER],
	['a wait for a value', UNMET, {}, undefined],
])('%s', async (_what, parameters, settings, answer) => {
	node.service.script = () => answer;
	node.service.values = { '': ['5'] };
	const asked = until(async () => await Promise.resolve(node.service.requests.length > 0));
	const run = async (more: RunSettings) => await node.run(parameters, { ...settings, ...more });
	expect(await retriedAfter(run, asked)).toEqual([NODE]);
});

// docs/production.md warns of it.
test("with Retry on Fail, n8n's own pause delays the end of a node: Retry runs nothing", async () => {
	node.service.script = () => 'hold';
	const run = async (more: RunSettings) =>
		await node.run(storeCall(TOKEN), { node: RETRY, ...more });
	expect(await retriedAfter(run, node.service.received(1))).toEqual([]);
});

test('the error says that somebody stopped it, not what to check', async () => {
	node.service.script = () => 'hold';
	const { error } = await node.run(storeCall(TOKEN), { cancelWhen: node.service.received(1) });
	expect(error?.description).toBe(
		'Somebody stopped the execution, or it exceeded its time-out in n8n. Item 1',
	);
});
