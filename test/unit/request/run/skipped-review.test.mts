/** Whether n8n has asked a person about a tool's call that is to be reviewed. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { assertReviewed } from '../../../../nodes/WalletService/request/run/n8n-faults/skipped-review.ts';

/** An agent that waits for the first run of a tool, about which a review is asked. */
const waiting = (name: string, tool: string) => ({
	node: { name },
	runIndex: 0,
	metadata: {
		subNodeExecutionData: {
			actions: [
				{
					nodeName: tool,
					runIndex: 0,
					action: { id: '1', metadata: { parentNodeName: 'Review' } },
				},
			],
		},
	},
});

/** The request of a review, which n8n has taken for its answer, for a call with this ID. */
const asked = (toolCallId: string) => ({
	Review: [{ data: { ai_tool: [[{ json: { toolCallId } }]] } }],
});

const contextOf = (nodeExecutionStack: object[], runData: object, name = 'Pay') =>
	({
		getExecuteData: () => ({ node: { name }, runIndex: 0 }),
		runExecutionData: { executionData: { nodeExecutionStack }, resultData: { runData } },
	}) as unknown as IExecuteSingleFunctions;

const nested = [waiting('Inner', 'Pay'), waiting('Agent', 'Inner')];

test.each([
	['outside agents', [], asked('1')],
	['that was reviewed', [waiting('Agent', 'Pay')], {}],
	['beside the review of another one', [waiting('Agent', 'Pay')], asked('2')],
	['of an agent that waits for another tool', [waiting('Agent', 'Read')], asked('1')],
])('a call %s is made', (_what, stack, runData) => {
	expect(() => assertReviewed(contextOf(stack, runData))).not.toThrow();
});

test.each([
	['of an agent', [waiting('Agent', 'Pay')], 'Pay'],
	['of an agent in an agent', nested, 'Pay'],
	['of an agent before version 3 in an agent', [waiting('Agent', 'Inner')], 'Inner'],
])('a call %s whose review was skipped is refused', (_what, stack, name) => {
	expect(() => assertReviewed(contextOf(stack, asked('1'), name))).toThrow('asked nobody');
});
