/**
 * Retry on Fail and Stop in queue mode: the worker that has sent a write remembers it, even if the next attempt requests a
 * different write. Also the effect of n8n's Remove Duplicates across workers.
 */
import { readFile } from 'node:fs/promises';
import type { Chain } from '../../../tools/sandbox/chain.mts';
import type { Executions } from '../../support/n8n/executions.mts';
import {
	AS_GIVEN,
	BY_TIME,
	mintNode,
	mintedTo,
	mintItems,
	RETRY_ON_FAIL,
} from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import {
	chainedWorkflow,
	itemsPosted,
	webhook,
	type WorkflowNode,
} from '../../support/n8n/workflow.mts';
import { WRITE, type Faults } from '../../support/sandbox/faults.mts';
import { until } from '../../support/until.mts';
import { startsByExecution, startsOfEach } from '../support/account.mts';
import { cluster } from '../support/cluster.mts';

const notSeenBefore: WorkflowNode = {
	name: 'Not Seen Before',
	type: 'n8n-nodes-base.removeDuplicates',
	typeVersion: 2,
	parameters: {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: '={{ $json.to }}',
		options: {},
	},
};

let chain: Chain;
let faults: Faults;
let executions: Executions;

beforeAll(async () => {
	({ executions } = cluster);
	({ chain, faults } = cluster.service);
	const { contracts } = cluster.service;
	const writing = mintNode('Mint', contracts, BY_TIME, RETRY_ON_FAIL);
	await publishNew(cluster.client, [
		chainedWorkflow('retrying', [webhook('retrying'), itemsPosted, writing]),
		chainedWorkflow('stopped', [webhook('stopped', 'atOnce'), itemsPosted, writing]),
		chainedWorkflow('ordered', [
			webhook('ordered'),
			itemsPosted,
			notSeenBefore,
			mintNode('Mint', contracts, AS_GIVEN),
		]),
	]);
});

/** Number of times that a worker has started an execution. */
const startsOf = async (execution: string) =>
	(await startsByExecution(cluster.workers.map(({ logFile }) => logFile))).get(execution);

test('a write whose answer is lost is not sent again, although its amount differs on each try', async () => {
	const { to, items } = mintItems('1', '2');
	await faults.hit('drop-after', WRITE, { skip: 1 });
	const answer = await executions.call('retrying', items);
	expect(answer.status).toBe(500);
	const error = await executions.lastError('retrying');
	const details = { outcome: 'unknown', code: 'not-sent-again', itemIndex: 1 };
	expect(error).toMatchObject({ context: { details } });
	const [answered, ...others] = await mintedTo(chain, to);
	expect(others).toHaveLength(1);
	expect(error.description).toMatch(new RegExp(`row 1 \\(0x\\w+…\\w+\\): ${answered}`));
	expect(await faults.requestsFor(WRITE)).toBe(2);
	const [execution] = await executions.ended('retrying');
	expect(await startsOf(execution?.id ?? '')).toBe(1);
});

test('an answered write is not sent again when another one is refused', async () => {
	const { to, items } = mintItems('1', '2');
	await faults.hit('failed', WRITE, { skip: 1 });
	const answer = await executions.call('retrying', items);
	const [first, second, ...others] = await mintedTo(chain, to);
	expect(others).toEqual([]);
	expect(await faults.requestsFor(WRITE)).toBe(3);
	const [replayed, sent] = answer.items;
	expect(replayed).toMatchObject({
		hash: first,
		replayed: true,
		warning: expect.stringContaining('so nothing was sent this time'),
		sentCall: { function: 'mint(address,uint256)' },
	});
	expect(replayed?.requestedCall).not.toEqual(replayed?.sentCall);
	expect(sent).toMatchObject({ hash: second, submitted: true });
	expect(sent).not.toHaveProperty('replayed');
});

test('Stop reaches the worker: nothing more is sent, and its log has every hash', async () => {
	const { to, items } = mintItems('1', '2', '3', '4');
	await faults.hit('hang', WRITE, { params: { afterWork: true }, skip: 1 });
	await executions.call('stopped', items);
	await until(async () => (await mintedTo(chain, to)).length === 2);
	const [id = ''] = await executions.underWay('stopped');
	await executions.stop(id);
	const logged = async () => {
		const logs = await Promise.all(
			cluster.workers.map(async ({ logFile }) => await readFile(logFile, 'utf8')),
		);
		const lines = logs.join('\n').split('\n');
		return lines.filter(
			(line) => line.includes('Contract write') && line.includes(`execution ${id},`),
		);
	};
	await until(async () => (await logged()).length >= 2);
	// Several executions, because a single one might not run on the worker of the stopped execution.
	for (let sent = 0; sent < 4; sent++) {
		const { status } = await executions.call('retrying', mintItems('1').items);
		expect(status).toBe(200);
	}
	expect(await faults.requestsFor(WRITE)).toBe(2 + 4);
	const [answered] = await mintedTo(chain, to);
	expect(await logged()).toEqual([
		expect.stringContaining(`Contract write submitted: ${answered}, item 0`),
		expect.stringContaining('Contract write of unknown outcome: no hash known, item 1'),
	]);
	await until(async () => (await executions.ended('stopped')).length > 0);
	expect((await executions.ended('stopped')).map(({ status }) => status)).toEqual(['canceled']);
});

test('an order that arrives repeatedly, one after the other, is paid once, whichever worker takes it', async () => {
	const { to, items } = mintItems('1');
	const before = await startsOfEach(cluster.workers);
	let after = before;
	// Repeated until both workers have taken the order.
	while (after.some((starts, worker) => starts === before[worker])) {
		await executions.call('ordered', items);
		after = await startsOfEach(cluster.workers);
	}
	expect(await mintedTo(chain, to)).toHaveLength(1);
});
