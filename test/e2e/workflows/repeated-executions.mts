/** n8n's Retry, and its button Execute workflow: a repeated execution pays only what was not paid. */
import { AS_GIVEN, mintedTo, mintItems, mintNode } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import {
	calledByOthers,
	callOf,
	chainedWorkflow,
	itemsPosted,
	loopOver,
	webhook,
} from '../../support/n8n/workflow.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { n8n } from '../support/shared-n8n.mts';

beforeAll(async () => {
	const { client, contracts } = n8n;
	const mint = mintNode('Mint', contracts, AS_GIVEN);
	await publishNew(client, [
		chainedWorkflow('retried', [webhook('retried'), itemsPosted, mint]),
		loopOver('retriedLoop', mint),
		chainedWorkflow('retriedInner', [calledByOthers, mint]),
		chainedWorkflow('retriedOuter', [
			webhook('retriedOuter'),
			itemsPosted,
			callOf('retriedInner', 'once'),
		]),
	]);
});

/** Has the second of three writes refused, retries the execution, and returns the hashes on the chain. */
async function retry(workflow: string): Promise<{ hashes: string[]; saved: string }> {
	const { to, items } = mintItems('1', '2', '3');
	await n8n.faults.hit('failed', WRITE, { skip: 1 });
	expect(await n8n.executions.call(workflow, items)).toMatchObject({ status: 500 });
	expect(await mintedTo(n8n.chain, to)).toHaveLength(1);
	const [failed] = await n8n.executions.ended(workflow);
	const { saved } = await n8n.executions.retry(failed?.id ?? '');
	return { hashes: await mintedTo(n8n.chain, to), saved: JSON.stringify(saved) };
}

test.each([
	['a list', 'retried'],
	['a loop', 'retriedLoop'],
])('Retry of %s pays only what was not paid', async (_what, workflow) => {
	const { hashes, saved } = await retry(workflow);
	expect(hashes).toHaveLength(3);
	for (const hash of hashes) expect(saved).toContain(hash);
	expect(await n8n.faults.requestsFor(WRITE)).toBe(4);
});

test('a failed execution of a sub-workflow can be retried; the calling workflow would pay again', async () => {
	const { to, items } = mintItems('1', '2', '3');
	await n8n.faults.hit('failed', WRITE, { skip: 1 });
	expect(await n8n.executions.call('retriedOuter', items)).toMatchObject({ status: 500 });
	const [inner] = await n8n.executions.ended('retriedInner');
	await n8n.executions.retry(inner?.id ?? '');
	expect(await mintedTo(n8n.chain, to)).toHaveLength(3);
	const [outer] = await n8n.executions.ended('retriedOuter');
	await n8n.executions.retry(outer?.id ?? '');
	expect(await mintedTo(n8n.chain, to)).toHaveLength(6);
});
