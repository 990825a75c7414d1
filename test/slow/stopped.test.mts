/**
 * Stop and execution time-outs in a running n8n: which writes were sent, which are no longer sent, and where to find the hashes.
 */
import { readFile } from 'node:fs/promises';
import type { Chain } from '../../tools/sandbox/chain.mts';
import type { JsonObject } from '../../tools/files/json.mts';
import type { ChainedNode } from '../support/n8n/chained-workflow.mts';
import { calledByOthers, callOf, itemsPosted, webhook } from '../support/n8n/chained-workflow.mts';
import { useResources } from '../support/resources.mts';
import { PREPARATION_TIME, createWorkspace } from '../support/n8n/workspace.mts';
import {
	AS_GIVEN,
	BY_TIME,
	mintedTo,
	mintItems,
	mintNode,
	RETRY_ON_FAIL,
} from '../support/n8n/minting.mts';
import { startWorkflows, type RunningWorkflows } from '../support/n8n/running-workflows.mts';
import type { Faults } from '../support/sandbox/faults.mts';
import { WRITE } from '../support/sandbox/faults.mts';
import { until } from '../support/until.mts';

/** Seconds: enough for n8n to be in the middle of the writes by then. */
const TIME_OUT = 8;

const resources = useResources();
let chain: Chain;
let faults: Faults;
let workflows: RunningWorkflows;

beforeAll(async () => {
	const workspace = await createWorkspace(resources);
	({ chain, faults } = workspace.service);
	const {
		userFolder,
		service: { contracts },
	} = workspace;
	const minting = (name: string, args: string, settings = {}) =>
		mintNode(name, contracts, args, settings);
	/** Several writes, and a node that would send them once more. */
	const twice = (id: string, settings: object): ChainedNode[] => [
		webhook(id, 'atOnce'),
		itemsPosted,
		minting('Mint', BY_TIME, settings),
		minting('Mint again', "={{ [$('Items').item.json.to, '1'] }}"),
	];
	const calling = (id: string) => [webhook(id, 'atOnce'), itemsPosted, callOf('called', 'each')];
	workflows = await startWorkflows(resources, userFolder, {
		called: [calledByOthers, minting('Mint', AS_GIVEN, RETRY_ON_FAIL)],
		plain: [webhook('plain'), itemsPosted, minting('Mint', AS_GIVEN)],
		retrying: twice('retrying', RETRY_ON_FAIL),
		goingOn: twice('goingOn', { onError: 'continueRegularOutput' }),
		short: { nodes: twice('short', RETRY_ON_FAIL), settings: { executionTimeout: TIME_OUT } },
		calling: calling('calling'),
		callingShort: { nodes: calling('callingShort'), settings: { executionTimeout: TIME_OUT } },
	});
}, PREPARATION_TIME);
afterEach(async () => await faults.reset());

const log = async (): Promise<string> => await readFile(workflows.logFile, 'utf8');

/** The entries in n8n's log about the writes of one execution. */
async function logged(execution: string): Promise<string[]> {
	const lines = (await log()).split('\n').filter((line) => line.includes('Contract write'));
	return lines.filter((line) => line.includes(`execution ${execution},`));
}

/** Calls a workflow; returns the ID of its execution when this many of its writes have reached the service. */
async function untilWriting(workflow: string, items: JsonObject[], count: number): Promise<string> {
	await workflows.call(workflow, items);
	await until(async () => (await faults.requestsFor(WRITE)) === count);
	const [id = ''] = await workflows.editor.underWay(workflow);
	return id;
}

/** Waits for all pending writes: this one queues behind them, because it uses the same credential. */
async function untilNothingWaits(): Promise<void> {
	const { items } = await workflows.call('plain', mintItems('1').items);
	expect(items).toMatchObject([{ submitted: true }]);
}

/** How an execution has ended. */
async function statusOf(workflow: string, execution: string): Promise<string | undefined> {
	const saved = async () =>
		(await workflows.executions(workflow)).find(({ id }) => id === execution);
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
		await faults.hit('hang', WRITE, { params: { afterWork: true }, skip: 2 });
		const id = await untilWriting(workflow, items, 3);
		await until(async () => (await mintedTo(chain, to)).length === 3);
		if (stops) await workflows.editor.stop(id);
		await until(async () => (await logged(id)).length >= 3);
		await untilNothingWaits();
		await untilNothingWaits();
		expect(await faults.requestsFor(WRITE)).toBe(3 + 2);
		const [first, second, ...others] = await mintedTo(chain, to);
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
	test('goes on after Stop of the workflow around, and is called for the other items', async () => {
		const { to, items } = mintItems('1', '2', '3');
		await faults.hit('latency', WRITE, { params: { ms: 5_000 }, skip: 1 });
		const id = await untilWriting('calling', items, 2);
		await workflows.editor.stop(id);
		expect(await statusOf('calling', id)).toBe('canceled');
		expect(await mintedTo(chain, to)).toHaveLength(1);
		await until(async () => (await mintedTo(chain, to)).length === 3);
		await untilNothingWaits();
		for (const hash of await mintedTo(chain, to)) expect(await log()).toContain(hash);
	});

	test('ends with Stop of its own execution, and is not called again', async () => {
		const { to, items } = mintItems('1', '2', '3');
		await faults.hit('hang', WRITE, { params: { afterWork: true }, skip: 1 });
		const around = await untilWriting('calling', items, 2);
		await until(async () => (await mintedTo(chain, to)).length === 2);
		const [called = ''] = await workflows.editor.underWay('called');
		await workflows.editor.stop(around);
		await workflows.editor.stop(called);
		await until(async () => (await logged(called)).length > 0);
		await untilNothingWaits();
		await untilNothingWaits();
		expect(await faults.requestsFor(WRITE)).toBe(2 + 2);
		const [answered] = await mintedTo(chain, to);
		expect(await log()).toContain(answered);
		expect(await logged(called)).toEqual([
			expect.stringContaining('Contract write of unknown outcome: no hash known, item 0'),
		]);
	});

	test('ends its write after the time-out of the workflow around, and sends no other', async () => {
		const { to, items } = mintItems('1', '2', '3');
		const before = (await workflows.executions('called')).length;
		await faults.hit('latency', WRITE, { params: { ms: (TIME_OUT + 2) * 1_000 }, skip: 1 });
		const id = await untilWriting('callingShort', items, 2);
		expect(await statusOf('callingShort', id)).toBe('canceled');
		await until(async () => (await workflows.executions('called')).length === before + 3);
		await untilNothingWaits();
		expect(await faults.requestsFor(WRITE)).toBe(2 + 1);
		const hashes = await mintedTo(chain, to);
		expect(hashes).toHaveLength(2);
		for (const hash of hashes) expect(await log()).toContain(hash);
		const [last, ...others] = await workflows.executions('called');
		expect([last?.status, others[0]?.status]).toEqual(['canceled', 'success']);
	});
});
