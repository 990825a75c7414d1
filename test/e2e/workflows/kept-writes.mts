/** Workflows over a service that keeps writes: the chain has each write once, wherever n8n repeats, stops or resumes it. */
import type { FaultRequest } from '../../../sandbox/src/faults/fault.mts';
import {
	AS_GIVEN,
	mintedTo,
	mintItems,
	mintNode,
	RETRY_ON_FAIL,
} from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import {
	calledByOthers,
	callOf,
	chainedWorkflow,
	formOf,
	itemsPosted,
	loopOver,
	webhook,
	type WorkflowNode,
} from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { faultOfWrites } from '../support/kept-service.mts';
import { KEPT, kept, n8n } from '../support/shared-n8n.mts';

/** A node that mints at the service that keeps writes. @param changes of its parameters */
function mint(name: string, settings: object = {}, changes = {}, args = AS_GIVEN): WorkflowNode {
	const walletServiceApi = { id: KEPT, name: KEPT };
	const node = mintNode(name, kept.contracts, args, settings);
	const parameters = { ...Object(node.parameters), ...changes };
	return { ...node, parameters, credentials: { walletServiceApi } };
}

const fault = async (one: Omit<FaultRequest, 'match'>, method = 'PUT') =>
	await faultOfWrites(method, one);

const minted = async (to: string) => await mintedTo(kept.chain, to);

/** Time-out of an execution, and of its Retry, which must not meet it on a busy machine either. */
const TIME_OUT_S = 5;

beforeAll(async () => {
	const start = (id: string, answer?: 'atOnce') => [webhook(id, answer), itemsPosted];
	const order = mint('Mint', {}, { orderId: '={{ $json.order }}' });
	const timed = [...start('keptShort', 'atOnce'), mint('Mint')];
	const second = mint('Second', {}, {}, "={{ [$('Items').first().json.to, '1'] }}");
	const resumed = [...start('keptResumed', 'atOnce'), mint('First'), formOf('keptForm'), second];
	await publishNew(n8n.client, [
		loopOver('keptLoop', mint('Mint')),
		chainedWorkflow('keptInner', [calledByOthers, mint('Mint', RETRY_ON_FAIL)]),
		chainedWorkflow('keptEach', [...start('keptEach'), callOf('keptInner', 'each')]),
		chainedWorkflow('keptOrder', [...start('keptOrder'), order]),
		chainedWorkflow('keptStopped', [...start('keptStopped', 'atOnce'), mint('Mint')]),
		chainedWorkflow('keptCalled', [calledByOthers, mint('Mint')]),
		chainedWorkflow('keptOuter', [...start('keptOuter', 'atOnce'), callOf('keptCalled', 'once')]),
		chainedWorkflow('keptShort', timed, { executionTimeout: TIME_OUT_S }),
		chainedWorkflow('keptResumed', resumed),
	]);
});

afterEach(async () => await kept.faults.reset());

describe.each(['keptLoop', 'keptEach'])('%s', (workflow) => {
	test.each(['drop-before', 'drop-after', 'failed'] as const)(
		'sends each of three equal writes once, with a failure in the middle (%s)',
		async (kind) => {
			const { to, items } = mintItems('7', '7', '7');
			await fault({ kind, times: 1, skip: 1 });
			const { status } = await n8n.executions.call(workflow, items);
			if (status !== 200) {
				expect(await minted(to)).toHaveLength(1);
				const [failed] = await n8n.executions.ended(workflow);
				await n8n.executions.retry(failed?.id ?? '');
			}
			expect(status === 200).toBe(kind !== 'failed' || workflow === 'keptEach');
			expect(await minted(to)).toHaveLength(3);
		},
	);
});

test('two webhooks at the same moment pay one order once', async () => {
	const { to, items } = mintItems('1');
	const orders = items.map((item) => ({ ...item, order: `both ${to}` }));
	const call = async () => await n8n.executions.call('keptOrder', orders);
	const answers = (await Promise.all([call(), call()])).flatMap((answer) => answer.items);
	const [hash, ...others] = await minted(to);
	expect(others).toEqual([]);
	expect(answers).toMatchObject([{ hash }, { hash }]);
	expect(answers.filter(({ replayed }) => replayed === true)).toHaveLength(1);
});

test.each([
	['Stop', 'keptStopped', {}, 0],
	['Stop', 'keptStopped', { afterWork: true }, 1],
	['Stop of a sub-workflow', 'keptCalled', {}, 0],
	['Stop of a sub-workflow', 'keptCalled', { afterWork: true }, 1],
	['the execution time-out', 'keptShort', {}, 0],
	['the execution time-out', 'keptShort', { afterWork: true }, 1],
])('%s in the middle of a PUT (%s, %j), and a Retry: sent once', async (...row) => {
	const [, workflow, params, count] = row;
	const { to, items } = mintItems('1');
	await fault({ kind: 'hang', params, times: 1 });
	// n8n saves the execution before the service answers.
	await fault({ kind: 'latency', params: { ms: 1_000 } }, 'DELETE');
	await n8n.executions.call(workflow === 'keptCalled' ? 'keptOuter' : workflow, items);
	const methods = async () => (await kept.faults.requests()).map(({ method }) => method);
	await until(async () => (await methods()).includes('PUT'));
	const [id = ''] = await n8n.executions.underWay(workflow);
	if (workflow !== 'keptShort') await n8n.executions.stop(id);
	await until(async () => (await methods()).includes('DELETE'));
	await until(async () => (await n8n.executions.ended(workflow))[0]?.id === id);
	expect(await minted(to)).toHaveLength(count);
	const { saved } = await n8n.executions.retry(id);
	const [hash, ...others] = await minted(to);
	expect(others).toEqual([]);
	// n8n shows the Retry of a stopped execution as failed.
	expect(JSON.stringify(saved)).toContain(hash);
});

test('Stop in the second pass of a loop, and a Retry: each of three is sent once', async () => {
	const { to, items } = mintItems('7', '7', '7');
	await fault({ kind: 'hang', skip: 1, times: 1 });
	await fault({ kind: 'latency', params: { ms: 1_000 } }, 'DELETE');
	const answered = n8n.executions.call('keptLoop', items);
	await until(async () => (await minted(to)).length === 1);
	const [id = ''] = await n8n.executions.underWay('keptLoop');
	const puts = async () =>
		(await kept.faults.requests()).filter(({ method }) => method === 'PUT').length;
	await until(async () => (await puts()) === 2);
	await n8n.executions.stop(id);
	await answered;
	await until(async () => (await n8n.executions.ended('keptLoop'))[0]?.id === id);
	await n8n.executions.retry(id);
	expect(await minted(to)).toHaveLength(3);
});

test('an execution that waited, and its Retry, pay only what was not paid', async () => {
	const { to, items } = mintItems('1');
	await fault({ kind: 'failed', times: 1, skip: 1 });
	await n8n.executions.call('keptResumed', items);
	await until(async () => (await n8n.executions.underWay('keptResumed')).length === 1);
	const [id = ''] = await n8n.executions.underWay('keptResumed');
	await until(async () => (await n8n.executions.read(id)).status === 'waiting');
	await n8n.executions.answer(id, 'Yes');
	await until(async () => (await n8n.executions.ended('keptResumed')).length === 1);
	expect(await minted(to)).toHaveLength(1);
	expect(await n8n.executions.retry(id)).toMatchObject({ status: 'success' });
	expect(await minted(to)).toHaveLength(2);
});
