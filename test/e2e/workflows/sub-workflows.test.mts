/** Writes in sub-workflows: the effect of Retry on Fail inside and around them, and their shared state. */
import type { FaultKind, FaultParameters } from '../../../sandbox/src/faults/fault.mts';
import type { Chain } from '../../../tools/sandbox/chain.mts';
import type { JsonObject } from '../../../tools/files/json.mts';
import { readObject } from '../../../tools/files/json.mts';
import {
	calledByOthers,
	callOf,
	itemsPosted,
	walletNode,
	webhook,
} from '../../support/n8n/chained-workflow.mts';
import { useResources } from '../../support/resources.mts';
import { limitedCredential } from '../../support/n8n/limited-credential.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import {
	AS_GIVEN,
	BY_TIME,
	mintedTo,
	mintItems,
	mintNode,
	RETRY_ON_FAIL,
} from '../../support/n8n/minting.mts';
import { startWorkflows, type RunningWorkflows } from '../../support/n8n/running-workflows.mts';
import type { Faults } from '../../support/sandbox/faults.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { until } from '../../support/until.mts';

const LIMITED = 'limitedCredential';
/** A hash that a service may include in an answer that proves nothing. */
const NAMED = `0x${'5'.repeat(64)}`;

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let faults: Faults;
let workflows: RunningWorkflows;

beforeAll(async () => {
	workspace = await createWorkspace(resources, {}, (service) => [
		limitedCredential(service, LIMITED, { maxValuePerExecution: '3 gwei' }),
	]);
	({ chain, faults } = workspace.service);
	const {
		userFolder,
		service: { contracts },
	} = workspace;
	const pay = {
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		contractAddress: contracts.shapes,
		abi: 'pay() payable returns (uint256 total)',
		options: { nativeCoin: '={{ $json.wei }} wei' },
	};
	const calling =
		(workflow: string, mode: 'each' | 'once', settings = {}) =>
		(id: string) => [webhook(id), itemsPosted, callOf(workflow, mode, settings)];
	const parents = {
		mintEach: calling('mint', 'each'),
		mintOnce: calling('mint', 'once'),
		retryInEach: calling('retryingMint', 'each'),
		retryInOnce: calling('retryingMint', 'once'),
		retryAround: calling('mint', 'each', RETRY_ON_FAIL),
		payEach: calling('pay', 'each'),
		payOnce: calling('pay', 'once'),
	};
	workflows = await startWorkflows(resources, userFolder, {
		mint: [calledByOthers, mintNode('Mint', contracts, AS_GIVEN)],
		retryingMint: [calledByOthers, mintNode('Mint', contracts, BY_TIME, RETRY_ON_FAIL)],
		pay: [calledByOthers, walletNode('Pay', LIMITED, pay)],
		...Object.fromEntries(Object.entries(parents).map(([id, nodesOf]) => [id, nodesOf(id)])),
	});
}, PREPARATION_TIME);
afterEach(async () => await faults.reset());

/** The error of a workflow's latest execution. */
async function lastError(workflow: string): Promise<JsonObject> {
	const latest = async () => (await workflows.executions(workflow))[0];
	// n8n answers before it has recorded that an execution has ended.
	await until(async () => (await latest())?.status === 'error');
	const data = readObject((await latest())?.saved.data, 'the data');
	return readObject(readObject(data.resultData, 'the result').error, 'the error');
}

test.each(['mintEach', 'mintOnce'])(
	'two equal writes are two transactions (%s)',
	async (parent) => {
		const { to, items } = mintItems('7', '7');
		const answer = await workflows.call(parent, items);
		const hashes = await mintedTo(chain, to);
		expect(hashes).toHaveLength(2);
		expect(answer.items).toMatchObject(hashes.map((hash) => ({ submitted: true, hash })));
		expect(answer.items.filter((item) => 'replayed' in item)).toEqual([]);
	},
);

describe('Retry on Fail of the Write node inside', () => {
	const pending = { afterWork: true, body: JSON.stringify({ status: 'PENDING', hash: NAMED }) };

	test.each<{
		what: string;
		parent: string;
		kind?: FaultKind;
		params?: FaultParameters;
		named?: string[];
	}>([
		{ what: 'is lost', parent: 'retryInEach' },
		{ what: 'is lost, in one run with another write', parent: 'retryInOnce' },
		{
			what: 'proves nothing, but names a hash',
			parent: 'retryInEach',
			kind: 'wrong-shape',
			params: pending,
			named: [NAMED],
		},
	])('does not send again what may have been sent: its answer $what', async (lost) => {
		const { parent, kind = 'drop-after', params, named = [] } = lost;
		const { to, items } = mintItems('1', '2');
		await faults.hit(kind, WRITE, { params, skip: 1 });
		expect(await workflows.call(parent, items)).toMatchObject({ status: 500 });
		const error = await lastError('retryingMint');
		const { itemIndex, ...details } = readObject(
			readObject(error.context, 'the context').details,
			'the details',
		);
		expect(itemIndex).toBe(parent === 'retryInOnce' ? 1 : 0);
		expect(details).toMatchObject({ outcome: 'unknown', code: 'not-sent-again' });
		expect(details.hashes ?? []).toEqual(named);
		// The amount differs, but the place of the write decides.
		expect(error.message).toMatch(
			/Not sent again.*The earlier attempt requested.*this one requests/,
		);
		const { message } = await lastError(parent);
		expect(message).toContain('Not sent again');
		for (const hash of named) expect(message).toContain(hash);
		expect(await faults.requestsFor(WRITE)).toBe(2);
		const [answered, ...others] = await mintedTo(chain, to);
		expect(others).toHaveLength(1);
		expect(JSON.stringify(await workflows.executions('retryingMint'))).toContain(answered);
	});
});

test('Retry on Fail of the node around sends again what was answered, and nothing that may have been sent', async () => {
	const { to, items } = mintItems('5', '6');
	await faults.hit('drop-after', WRITE, { skip: 1 });
	expect(await workflows.call('retryAround', items)).toMatchObject({ status: 500 });
	expect((await lastError('mint')).message).toContain('Not sent again');
	const sent = await faults.requestsFor(WRITE);
	expect(sent).toBeGreaterThan(2);
	const hashes = await mintedTo(chain, to);
	expect(hashes).toHaveLength(sent);
	// Only the sub-workflow's own execution knows what the first attempt sent.
	expect(JSON.stringify(await workflows.executions('mint'))).toContain(hashes[0]);
});

describe('Max Native Coin per Execution', () => {
	const payments = [{ wei: '2000000000' }, { wei: '2000000000' }];

	test('counts each execution of a sub-workflow by itself', async () => {
		const { items } = await workflows.call('payEach', payments);
		expect(items).toMatchObject([{ submitted: true }, { submitted: true }]);
		expect(await faults.requestsFor(WRITE)).toBe(2);
	});

	test('limits one execution of it', async () => {
		expect(await workflows.call('payOnce', payments)).toMatchObject({ status: 500 });
		expect((await lastError('payOnce')).message).toContain('rule "Max Native Coin per Execution"');
		expect(await faults.requestsFor(WRITE)).toBe(1);
	});
});
