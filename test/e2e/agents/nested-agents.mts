/** Payments by an agent that is a tool of another one. */
import axios from 'axios';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import { mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { agentWorkflow, order } from '../../support/n8n/tools-of-models.mts';
import { contractCall } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { n8n } from '../support/shared-n8n.mts';

const WORKFLOW = 'nested';
const MINT = 'mint(address to, uint256 amount)';
const { to } = mintItems();

/** A workflow with an agent that has another one as its tool, which can pay. */
function nestedAgents(id: string, typeVersion: number, options: object) {
	const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
	const workflow = agentWorkflow(id, {
		tools: { Mint: contractCall('write', n8n.contracts.gold, MINT, args) },
		...{ credential: 'sandboxUser0001', toolSettings: { onError: 'continueRegularOutput' } },
		model: modelCredential().id,
	});
	const text = "={{ $fromAI('prompt', 'What to do', 'string') }}";
	const inner = {
		...{ name: 'Inner', id: 'Inner', position: [0, 0], parameters: { text, options } },
		...{ type: '@n8n/n8n-nodes-langchain.agentTool', typeVersion },
	};
	const linkedTo = (type: string, ...nodes: string[]) => ({
		[type]: [nodes.map((node) => ({ node, type, index: 0 }))],
	});
	const connections = {
		Mint: linkedTo('ai_tool', 'Inner'),
		Inner: linkedTo('ai_tool', 'Agent'),
		Model: linkedTo('ai_languageModel', 'Agent', 'Inner'),
	};
	return {
		...workflow,
		nodes: [...Object(workflow.nodes), inner],
		connections: { ...Object(workflow.connections), ...connections },
	};
}

beforeAll(async () => {
	const workflows = [
		nestedAgents(WORKFLOW, 2.2, {}),
		nestedAgents('lastTurn', 3, { maxIterations: 1 }),
		nestedAgents('failing', 3, {}),
	];
	await publishNew(n8n.client, workflows);
});

const mint = order([{ name: 'Mint', arguments: { amount: '7' } }]);
const round = [{ name: 'Inner', arguments: { prompt: mint } }];

test('an agent before version 3 pays nothing for an agent whose results n8n mixes up', async () => {
	const before = (await mintedTo(n8n.chain, to)).length;
	const prompts = [order(round, round), order(round, round)];
	const { data } = await axios.post(`${n8n.url}/webhook/${WORKFLOW}`, { prompts });
	expect((await mintedTo(n8n.chain, to)).slice(before)).toHaveLength(2);
	expect(JSON.stringify(data)).toContain('n8n mixes up the results of an agent');
});

test('an agent pays nothing in its last turn, of which the agent that calls it reads nothing', async () => {
	const before = (await mintedTo(n8n.chain, to)).length;
	const prompts = [order(round, round)];
	const { data } = await axios.post(`${n8n.url}/webhook/lastTurn`, { prompts });
	expect(JSON.stringify(data)).toContain('Max iterations (1) reached');
	expect(await mintedTo(n8n.chain, to)).toHaveLength(before);
	await until(async () => (await n8n.executions.ended('lastTurn')).length === 1);
	const [execution] = await n8n.executions.ended('lastTurn');
	expect(JSON.stringify(execution?.saved)).toContain('which reaches its Max Iterations');
});

// The model of the inner agent fails in the second turn, because no tool has this name.
const fails = order(
	[{ name: 'Mint', arguments: { amount: '7' } }],
	[{ name: 'Nothing', arguments: {} }],
);
const failing = [{ name: 'Inner', arguments: { prompt: fails } }];

test.each([
	['the same again', [order(failing, failing)], 1],
	['the same again, and one more', [order(failing, round, round)], 2],
	['twice in one turn', [order([...failing, ...failing])], 2],
	['for two items', [order(failing), order(failing)], 2],
])('an agent that fails after it has paid is asked %s', async (_what, prompts, count) => {
	const before = (await mintedTo(n8n.chain, to)).length;
	const { data } = await axios.post(`${n8n.url}/webhook/failing`, { prompts });
	expect(JSON.stringify(data)).toMatch(/No tool Nothing is offered|error/i);
	expect((await mintedTo(n8n.chain, to)).slice(before)).toHaveLength(count);
});
