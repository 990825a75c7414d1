/** Whether the items of a run may be others than those for which an equal place has sent a write. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { hasRunSince, repeatedRun } from '../../../nodes/WalletService/writes/run-data.ts';

/** Execution 8 with a run of another node, and the number of runs of this process, that of the node included. */
function contextOf(mode: string, currentNodeExecutionIndex: number, ranAt = '') {
	const runData = { Get: [{ startTime: Date.parse(ranAt) }] };
	return {
		getExecutionId: () => '8',
		getMode: () => mode,
		getNode: () => ({ name: 'Pay', parameters: {} }),
		getItemIndex: () => 0,
		getWorkflowDataProxy: () => ({ $runIndex: 1 }),
		additionalData: { currentNodeExecutionIndex },
		runExecutionData: { resultData: { runData } },
	} as unknown as IExecuteSingleFunctions;
}

const submittedAt = '2026-11-21T13:28:22.000Z';

test.each([
	['a Retry that begins at the node', 'retry', 1, '7', false],
	['a Retry that began before the node', 'retry', 2, '7', true],
	['a Retry that began before the node, of an unknown sender', 'retry', 2, undefined, true],
	['the same Retry', 'retry', 2, '8', false],
	['the execution of which a Retry has run ahead', 'webhook', 3, '9', true],
	['the same execution', 'webhook', 3, '8', false],
	['an execution, of an unknown sender', 'webhook', 3, undefined, false],
])('the items of %s', (_what, mode, runs, execution, expected) => {
	expect(hasRunSince(contextOf(mode, runs), { submittedAt, execution })).toBe(expected);
});

test.each(['webhook', 'retry'])('those of a further attempt (%s), beside a later run', (mode) => {
	const context = contextOf(mode, 1, '2026-11-21T13:29:00.000Z');
	expect(hasRunSince(context, { submittedAt, execution: '8' })).toBe(false);
});

test('the items of a call that stands for one that was cut off', () => {
	const context = contextOf('retry', 1);
	const asked = { inputOverride: { ai_tool: [[{ json: { amount: '7' } }]] } };
	const { resultData } = Reflect.get(context, 'runExecutionData');
	resultData.runData = { Pay: [asked, asked] };
	expect(hasRunSince(context, { submittedAt })).toBe(true);
});

test.each([
	['cut off', {}, 0],
	['answered', { executionStatus: 'success' }, 1],
])(
	'a Retry of a Retry whose call has failed, after a call that was %s',
	(_what, ended, expected) => {
		const context = contextOf('retry', 1);
		const { resultData, ...data } = Reflect.get(context, 'runExecutionData');
		const asked = { amount: '7' };
		const source = [{ previousNode: 'Agent', previousNodeRun: 0 }];
		// n8n has removed the run of the failed call, but not what the agent waits for.
		resultData.runData = {
			Pay: [{ inputOverride: { ai_tool: [[{ json: asked }]] }, source, ...ended }],
		};
		const actions = [{ nodeName: 'Pay', runIndex: 1, action: { input: asked } }];
		const agent = {
			node: { name: 'Agent' },
			runIndex: 0,
			metadata: { subNodeExecutionData: { actions } },
		};
		const runExecutionData = {
			...data,
			resultData,
			executionData: { nodeExecutionStack: [agent] },
		};
		expect(repeatedRun(Object.assign(context, { runExecutionData }), 1)).toBe(expected);
	},
);

/** A run of a tool for 7 that was asked for in a run of an agent. */
const run7 = (previousNode: string, previousNodeRun: number, more: object = {}) => ({
	inputOverride: { ai_tool: [[{ json: { amount: '7' } }]] },
	source: [{ previousNode, previousNodeRun }],
	executionStatus: 'success',
	...more,
});
const error = { executionStatus: 'error' };
/** An agent in n8n's queue that waits for its calls of this turn. */
const waitingFor = (...runs: number[]) => ({
	node: { name: 'Agent' },
	metadata: {
		subNodeExecutionData: {
			actions: runs.map((runIndex) => ({ nodeName: 'Outer', runIndex, action: {} })),
		},
	},
});

test.each([
	['failed in an earlier turn', [run7('Agent', 0, error), run7('Agent', 0)], waitingFor(1), 0],
	['did not fail', [run7('Agent', 0), run7('Agent', 0)], waitingFor(1), 1],
	['failed in the same turn', [run7('Agent', 0, error), run7('Agent', 0)], waitingFor(0, 1), 1],
	['failed for another item', [run7('Agent', 0, error), run7('Agent', 1)], waitingFor(1), 1],
])('a call of an agent below one that %s', (_what, Outer, agent, expected) => {
	const context = contextOf('webhook', 1);
	const { resultData } = Reflect.get(context, 'runExecutionData');
	const Inner = [run7('Outer', 0), run7('Outer', 1)];
	resultData.runData = { Outer, Inner, Pay: [run7('Inner', 0), run7('Inner', 1)] };
	const runExecutionData = { resultData, executionData: { nodeExecutionStack: [agent] } };
	expect(repeatedRun(Object.assign(context, { runExecutionData }), 1)).toBe(expected);
});

test.each([
	['13:28:23', false],
	['13:28:25', true],
])('the items of a node behind one that began at %s', (time, expected) => {
	const context = contextOf('retry', 1, `2026-11-21T${time}.000Z`);
	expect(hasRunSince(context, { submittedAt })).toBe(expected);
});
