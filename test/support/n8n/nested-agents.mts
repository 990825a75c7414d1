/** Payments by an agent that is a tool of another one. */
import axios from 'axios';
import type { ToolCall } from '../../../tools/model/chat-model.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import type { Service } from '../sandbox/service.mts';
import { until } from '../until.mts';
import type { Host } from './lost-results.mts';
import { mintedTo, mintItems } from './minting.mts';
import { agentWorkflow, order, type AgentSetup } from './tools-of-models.mts';
import { contractCall } from './workflow.mts';

const MINT = 'mint(address to, uint256 amount)';

/** An agent whose only tool is another one, which has the tools. @param options of the inner agent */
export function nestedAgents(
	id: string,
	setup: AgentSetup,
	typeVersion: number,
	options: object = {},
) {
	const workflow = agentWorkflow(id, setup);
	const text = "={{ $fromAI('prompt', 'What to do', 'string') }}";
	const inner = {
		name: 'Inner',
		id: 'Inner',
		position: [0, 0],
		parameters: { text, options },
		type: '@n8n/n8n-nodes-langchain.agentTool',
		typeVersion,
	};
	const linkedTo = (type: string, ...nodes: string[]) => ({
		[type]: [nodes.map((node) => ({ node, type, index: 0 }))],
	});
	const tools = Object.keys(setup.tools).map((tool) => [tool, linkedTo('ai_tool', 'Inner')]);
	const connections = {
		...Object.fromEntries(tools),
		Inner: linkedTo('ai_tool', 'Agent'),
		Model: linkedTo('ai_languageModel', 'Agent', 'Inner'),
	};
	return {
		...workflow,
		nodes: [...Object(workflow.nodes), inner],
		connections: { ...Object(workflow.connections), ...connections },
	};
}

/** Makes the inner agent call tools, in one or several turns. */
export const innerAgent = (...turns: ToolCall[][]): ToolCall[] => [
	{ name: 'Inner', arguments: { prompt: order(...turns) } },
];

/**
 * The tests of such agents.
 *
 * @param credential - ID of the credential of their tool.
 * @param service - Returns its service, which may start only before the tests.
 */
export function testNestedAgents(
	n8n: Host,
	credential: string,
	service: () => Pick<Service, 'chain' | 'contracts'>,
): void {
	const { to } = mintItems();

	async function ask(workflow: string, prompts: string[]): Promise<unknown> {
		const post = async () =>
			await axios.post(`${n8n.url}/webhook/${workflow}`, { prompts }, { validateStatus: null });
		let answer = await post();
		// n8n answers 404 until it has published the workflow.
		await until(async () => answer.status !== 404 || (answer = await post()).status !== 404);
		return answer.data;
	}

	beforeAll(async () => {
		const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
		const setup = {
			tools: { Mint: contractCall('write', service().contracts.gold, MINT, args) },
			credential,
			toolSettings: { onError: 'continueRegularOutput' },
			model: modelCredential().id,
		};
		const workflows = [
			nestedAgents('nested', setup, 2.2),
			nestedAgents('lastTurn', setup, 3, { maxIterations: 1 }),
			nestedAgents('failing', setup, 3),
		];
		for (const workflow of workflows)
			await n8n.client.activateWorkflow(await n8n.client.createWorkflow(workflow));
	});

	let amount = 7;
	/** Each test pays another amount: an equal call of the node is not sent again within ten minutes. */
	const newPayment = (): ToolCall[] => [{ name: 'Mint', arguments: { amount: String(amount++) } }];

	test.each(['nested', 'lastTurn'])(
		'an agent (%s) whose results are lost is asked the same again, and pays once',
		async (workflow) => {
			const before = (await mintedTo(service().chain, to)).length;
			const round = innerAgent(newPayment());
			await ask(workflow, [order(round, round), order(round, round)]);
			expect((await mintedTo(service().chain, to)).slice(before)).toHaveLength(1);
		},
	);

	// The model of the inner agent fails in the second turn, because no tool has this name.
	const NOTHING: ToolCall[] = [{ name: 'Nothing', arguments: {} }];

	test.each<[string, (failing: ToolCall[], round: ToolCall[]) => string[]]>([
		['the same again', (failing) => [order(failing, failing)]],
		['the same for the third time', (failing, round) => [order(failing, failing, failing, round)]],
		['twice in one turn', (failing) => [order([...failing, ...failing])]],
		['for two items', (failing) => [order(failing), order(failing)]],
	])('an agent that fails after it has paid is asked %s, and pays once', async (_what, prompts) => {
		const before = (await mintedTo(service().chain, to)).length;
		const payment = newPayment();
		const data = await ask('failing', prompts(innerAgent(payment, NOTHING), innerAgent(payment)));
		expect(JSON.stringify(data)).toMatch(/No tool Nothing is offered|error/i);
		expect((await mintedTo(service().chain, to)).slice(before)).toHaveLength(1);
	});
}
