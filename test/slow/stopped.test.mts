/**
 * Stop and execution time-outs in a running n8n: which writes were sent, which are no longer sent, and where to find the hashes.
 */
import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../tools/files/json.mts';
import {
	AS_GIVEN,
	BY_TIME,
	mintedTo,
	mintItems,
	mintNode,
	RETRY_ON_FAIL,
} from '../support/n8n/minting.mts';
import { publishNew } from '../support/n8n/published.mts';
import { useN8n } from '../support/n8n/use-n8n.mts';
import {
	calledByOthers,
	callOf,
	chainedWorkflow,
	itemsPosted,
	webhook,
} from '../support/n8n/workflow.mts';
import { WRITE } from '../support/sandbox/faults.mts';
import { until } from '../support/until.mts';

/** Time-out in seconds, which expires in the middle of the writes. */
const TIME_OUT = 8;

const n8n = useN8n();

beforeAll(async () => {
	const { client, contracts } = n8n;
	/** Several writes, followed by a node that would send more writes. */
	const twice = (id: string, settings: object) => [
		webhook(id, 'atOnce'),
		itemsPosted,
		mintNode('Mint', contracts, BY_TIME, settings),
		mintNode('Mint again', contracts, "={{ [$('Items').item.json.to, '1'] }}"),
	];
	const calling = (id: string) => [webhook(id, 'atOnce'), itemsPosted, callOf('called', 'each')];
	const called = [calledByOthers, mintNode('Mint', contracts, AS_GIVEN, RETRY_ON_FAIL)];
	const plain = [webhook('plain'), itemsPosted, mintNode('Mint', contracts, AS_GIVEN)];
	const short = { executionTimeout: TIME_OUT };
	await publishNew(client, [
		chainedWorkflow('called', called),
		chainedWorkflow('plain', plain),
		chainedWorkflow('retrying', twice('retrying', RETRY_ON_FAIL)),
		chainedWorkflow('goingOn', twice('goingOn', { onError: 'continueRegularOutput' })),
		chainedWorkflow('short', twice('short', RETRY_ON_FAIL), short),
		chainedWorkflow('calling', calling('calling')),
		chainedWorkflow('callingShort', calling('callingShort'), short),
	]);
});

const log = async (): Promise<string> => await readFile(n8n.server.logFile, 'utf8');

/** The entries in n8n's log about the writes of one execution. */
async function logged(execution: string): Promise<string[]> {
	const lines = (await log()).split('\n').filter((line) => line.includes('Contract write'));
	return lines.filter((line) => line.includes(`execution ${execution},`));
}

/** Calls a workflow; returns the ID of its execution when this many of its writes have reached the service. */
async function untilWriting(workflow: string, items: JsonObject[], count: number): Promise<string> {
	await n8n.executions.call(workflow, items);
	await until(async () => (await n8n.faults.requestsFor(WRITE)) === count);
	const [id = ''] = await n8n.executions.underWay(workflow);
	return id;
}

/** Waits for all pending writes by sending one with the same credential, which queues behind them. */
async function untilNothingWaits(): Promise<void> {
	const { items } = await n8n.executions.call('plain', mintItems('1').items);
	expect(items).toMatchObject([{ submitted: true }]);
}

async function statusOf(workflow: string, execution: string): Promise<string | undefined> {
	const saved = async () =>
		(await n8n.executions.ended(workflow)).find(({ id }) => id === execution);
	await until(async () => (await saved()) !== undefined);
	return (await saved())?.status;
}

describe('several writes of one node, of which the third gets no answer', () => {
	test.each([
		['Stop with Retry on Fail', 'retrying', true],
		['Stop with On Error: Continue', 'goingOn', true],
		['the execution time-out', 'short', false],
	])('%s: nothing more is sent, and every hash is in the log', async (_case, workflow, stops) => {
		const { to, items } = mintItems('1', '2', '3', '4', '5');
		await n8n.faults.hit('hang', WRITE, { params: { afterWork: true }, skip: 2 });
		const id = await untilWriting(workflow, items, 3);
		await until(async () => (await mintedTo(n8n.chain, to)).length === 3);
		if (stops) await n8n.executions.stop(id);
		await until(async () => (await logged(id)).length >= 3);
		await untilNothingWaits();
		await untilNothingWaits();
		expect(await n8n.faults.requestsFor(WRITE)).toBe(3 + 2);
		const [first, second, ...others] = await mintedTo(n8n.chain, to);
		expect(others).toHaveLength(1);
		expect(await logged(id)).toEqual([
			expect.stringContaining(`Contract write submitted: ${first}, item 0, node "Mint"`),
			expect.stringContaining(`Contract write submitted: ${second}, item 1, node "Mint"`),
			expect.stringContaining('Contract write of unknown outcome: no hash known, item 2'),
		]);
		expect(await statusOf(workflow, id)).toBe('canceled');
	});
});

describe('a sub-workflow that is called once for each item', () => {
	test('continues after Stop of the workflow around it, and is called for the other items', async () => {
		const { to, items } = mintItems('1', '2', '3');
		await n8n.faults.hit('latency', WRITE, { params: { ms: 15_000 }, skip: 1 });
		const id = await untilWriting('calling', items, 2);
		await n8n.executions.stop(id);
		expect(await statusOf('calling', id)).toBe('canceled');
		expect(await mintedTo(n8n.chain, to)).toHaveLength(1);
		await until(async () => (await mintedTo(n8n.chain, to)).length === 3);
		await untilNothingWaits();
		for (const hash of await mintedTo(n8n.chain, to)) expect(await log()).toContain(hash);
	});

	test('ends with Stop of its own execution, and is not called again', async () => {
		const { to, items } = mintItems('1', '2', '3');
		await n8n.faults.hit('hang', WRITE, { params: { afterWork: true }, skip: 1 });
		const around = await untilWriting('calling', items, 2);
		await until(async () => (await mintedTo(n8n.chain, to)).length === 2);
		const [called = ''] = await n8n.executions.underWay('called');
		await n8n.executions.stop(around);
		await n8n.executions.stop(called);
		await until(async () => (await logged(called)).length > 0);
		await untilNothingWaits();
		await untilNothingWaits();
		expect(await n8n.faults.requestsFor(WRITE)).toBe(2 + 2);
		const [answered] = await mintedTo(n8n.chain, to);
		expect(await log()).toContain(answered);
		expect(await logged(called)).toEqual([
			expect.stringContaining('Contract write of unknown outcome: no hash known, item 0'),
		]);
		await statusOf('called', called);
	});

	test('ends its write after the time-out of the workflow around it, and sends no other', async () => {
		const { to, items } = mintItems('1', '2', '3');
		const before = (await n8n.executions.ended('called')).length;
		await n8n.faults.hit('latency', WRITE, { params: { ms: (TIME_OUT + 2) * 1_000 }, skip: 1 });
		const id = await untilWriting('callingShort', items, 2);
		expect(await statusOf('callingShort', id)).toBe('canceled');
		await until(async () => (await n8n.executions.ended('called')).length === before + 3);
		await untilNothingWaits();
		expect(await n8n.faults.requestsFor(WRITE)).toBe(2 + 1);
		const hashes = await mintedTo(n8n.chain, to);
		expect(hashes).toHaveLength(2);
		for (const hash of hashes) expect(await log()).toContain(hash);
		const [last, ...others] = await n8n.executions.ended('called');
		expect([last?.status, others[0]?.status]).toEqual(['canceled', 'success']);
	});
});
