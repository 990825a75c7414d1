/** Whether n8n will pass the result of a tool's call to the model that has asked for it. */
import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { assertResultArrives } from '../../../../nodes/WalletService/request/run/tool-call.ts';

const FIRST = { iterationCount: 1, previousRequests: [] };

/** An agent that waits for the first run of a tool, asked for by one of its items. */
function waiting(
	name: string,
	tool: string,
	items: number,
	hitl?: object,
	metadata: object = {},
	parameters: object = {},
) {
	const actions = [{ nodeName: tool, runIndex: 0, action: { id: '1', metadata: {} } }];
	const other = { nodeName: 'Review', runIndex: 0, action: { metadata: { hitl } } };
	return {
		...{
			node: { name, type: 'agent', parameters },
			runIndex: 0,
			data: { main: [Array.from({ length: items }, () => ({}))] },
		},
		metadata: { subNodeExecutionData: { actions: [...actions, other], metadata } },
	};
}

const earlierCall = (toolCallId: string) => ({ previousRequests: [{ action: { toolCallId } }] });

/** An agent in one of its turns, and the most turns that it may take. */
const inTurn = (iterationCount?: number, maxIterations?: unknown) =>
	waiting('Agent', 'Pay', 1, undefined, { iterationCount }, { options: { maxIterations } });

const onceOf = <Agent extends { node: object }>(agent: Agent) => ({
	...agent,
	node: { ...agent.node, executeOnce: true },
});

/** The node, called by itself or by an agent before version 3, which is a tool. */
const contextOf = (nodeExecutionStack: object[], name = 'Pay', type = 'walletService') =>
	({
		getExecutionId: () => '1',
		getExecuteData: () => ({ node: { name, type }, runIndex: 0 }),
		runExecutionData: { executionData: { nodeExecutionStack } },
	}) as unknown as IExecuteSingleFunctions;

test.each([
	['outside agents', []],
	['of an agent with one item', [waiting('Agent', 'Pay', 1)]],
	['beside an agent that waits for another tool', [waiting('Agent', 'Read', 2)]],
	['in the first turn of several items', [waiting('Agent', 'Pay', 2, undefined, FIRST)]],
	['of an agent that executes once', [onceOf(waiting('Agent', 'Pay', 2))]],
	['with an ID of its own', [waiting('Agent', 'Pay', 1, undefined, earlierCall('0'))]],
	['of an agent in an agent', [waiting('Inner', 'Pay', 1), waiting('Agent', 'Inner', 1)]],
	['in the last turn but one', [inTurn(9)]],
	['in a turn after the tenth, if the agent may take more', [inTurn(10, 11)]],
	['that was approved, whose turn n8n does not count', [inTurn(undefined, 0)]],
	['of an agent whose limit is an expression', [inTurn(10, '={{ 10 }}')]],
])('a call %s is made', (_where, stack) => {
	expect(() => assertResultArrives(contextOf(stack))).not.toThrow();
});

test.each([
	['that was approved, of an agent with several items', [waiting('Agent', 'Pay', 2)], 'mixes up'],
	[
		'in the second turn of several items',
		[waiting('Agent', 'Pay', 2, undefined, { ...FIRST, iterationCount: 2 })],
		'mixes up',
	],
	[
		'of several items after an approval',
		[waiting('Agent', 'Pay', 2, undefined, { ...FIRST, previousRequests: [{}] })],
		'mixes up',
	],
	[
		'with the ID of an earlier one',
		[waiting('Agent', 'Pay', 1, undefined, earlierCall('1'))],
		'the ID of an earlier one',
	],
	['in a turn with a reviewed call', [waiting('Agent', 'Pay', 1, {})], 'drops the result'],
	['in the tenth turn', [inTurn(10)], 'reaches its Max Iterations'],
	['in the last turn of the agent', [inTurn(2, 2)], 'n8n ends "Agent" after this call'],
	[
		'of an agent in an agent with several items',
		[waiting('Inner', 'Pay', 1), waiting('Agent', 'Inner', 2)],
		'mixes up',
	],
	[
		'of an agent in a turn with a reviewed call',
		[waiting('Inner', 'Pay', 1), waiting('Agent', 'Inner', 1, {})],
		'drops the result',
	],
])('a call %s is refused', (_where, stack, words) => {
	expect(() => assertResultArrives(contextOf(stack))).toThrow(words);
});

test('a call of an agent before version 3 is refused if the agent that has asked for that agent works on several items', () => {
	const context = contextOf([waiting('Agent', 'Inner', 2)], 'Inner');
	expect(() => assertResultArrives(context)).toThrow('mixes up');
});

const tool = (name: string, type: string) => ({
	...waiting(name, 'Pay', 1),
	node: { name, type, parameters: {} },
});

test.each([
	['of an agent that has ended', []],
	['beside an agent that waits for another tool', [waiting('Agent', 'Read', 1)]],
	['of an agent in an agent that has ended', [tool('Inner', 'agentTool')]],
])('a call %s is refused', (_where, stack) => {
	const context = contextOf(stack, 'Pay', 'walletServiceTool');
	expect(() => assertResultArrives(context)).toThrow('does not wait for it');
});

test.each(['walletServiceTool', 'agentTool'])(
	'a call of a built-in agent, or of an MCP client on a worker (%s), is made',
	(type) => {
		const getExecuteData = () => ({ node: { name: 'Pay', type }, source: null });
		const context = { ...contextOf([]), getExecuteData } as unknown as IExecuteSingleFunctions;
		expect(() => assertResultArrives(context)).not.toThrow();
	},
);

const TO = "={{ [$fromAI('to', 'Recipient'), $json.amount] }}";
const NOTHING = '={{ [$json.to, $json.input] }}';
const REVIEWED = { parentNodeName: 'Review' };

test.each<
	[what: string, args: string, input: unknown, metadata: object, words: string | undefined]
>([
	['a value for which it does not ask', TO, { to: '0x12', amount: '7' }, {}, 'passed "amount"'],
	['one with a name that n8n uses', TO, { to: '0x12', tool: 'Pay' }, {}, 'passed "tool"'],
	['one, if it asks for none', NOTHING, { input: '7' }, {}, 'passed "input"'],
	['what it asks for', TO, { to: '0x12' }, {}, undefined],
	['no value', TO, undefined, {}, undefined],
	['what n8n adds to a review', TO, { to: '0x12', tool: 'Pay' }, REVIEWED, undefined],
	['a text that a person has read', NOTHING, { input: '', tool: 'Pay' }, REVIEWED, undefined],
])('a call with %s is refused, or made', (_what, args, input, metadata, words) => {
	const agent = waiting('Agent', 'Pay', 1);
	for (const { action } of agent.metadata.subNodeExecutionData.actions)
		Object.assign(action, { input, metadata });
	const parameters = { args };
	const node = { name: 'Pay', type: 'walletServiceTool', parameters };
	const context = { ...contextOf([agent]), getExecuteData: () => ({ node, runIndex: 0 }) };
	const check = () => assertResultArrives(context as unknown as IExecuteSingleFunctions);
	if (words === undefined) expect(check).not.toThrow();
	else expect(check).toThrow(words);
});
