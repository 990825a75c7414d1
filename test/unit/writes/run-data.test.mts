/** Whether the items of a run may be others than those for which an equal place has sent a write. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { hasRunSince } from '../../../nodes/WalletService/writes/run-data.ts';

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

test.each([
	['13:28:23', false],
	['13:28:25', true],
])('the items of a node behind one that began at %s', (time, expected) => {
	const context = contextOf('retry', 1, `2026-11-21T${time}.000Z`);
	expect(hasRunSince(context, { submittedAt })).toBe(expected);
});
