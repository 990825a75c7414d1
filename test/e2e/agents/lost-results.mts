/** Agents whose values n8n mixes up, or to which it passes no results, so that a model would repeat its payments. */
import axios from 'axios';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import { mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { agentWorkflow, order } from '../../support/n8n/tools-of-models.mts';
import { contractCall } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { n8n } from '../support/shared-n8n.mts';

const MINT = 'mint(address to, uint256 amount)';
const { to } = mintItems();
const mint = { name: 'Mint', arguments: { amount: '7' } };

beforeAll(async () => {
	const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
	const tools = { Mint: contractCall('write', n8n.contracts.gold, MINT, args) };
	const setup = { tools, credential: 'sandboxUser0001', model: modelCredential().id };
	const old = { ...agentWorkflow('oldOrder', setup), settings: {} };
	const fixed = contractCall('write', n8n.contracts.gold, MINT, `={{ ["${to}", $json.amount] }}`);
	const overridden = agentWorkflow('overridden', { ...setup, tools: { Mint: fixed } });
	await publishNew(n8n.client, [old, agentWorkflow('repeatedId', setup), overridden]);
});

test.each([
	['oldOrder', mint, 0, 'an agent that does not wait for it'],
	['overridden', { name: 'Mint', arguments: {}, extra: { amount: '7' } }, 0, 'does not ask'],
	['repeatedId', { ...mint, id: 'call_0' }, 1, 'the ID of an earlier one'],
])(
	'%s: what n8n mixes up, or the model would not know, is not paid',
	async (workflow, call, count, words) => {
		const before = (await mintedTo(n8n.chain, to)).length;
		const data = { prompts: [order([call], [call])] };
		// n8n ends an agent that goes on for too long.
		await axios.post(`${n8n.url}/webhook/${workflow}`, data, { validateStatus: () => true });
		// n8n answers before it has recorded that an execution has ended.
		await until(async () => (await n8n.executions.ended(workflow)).length === 1);
		const [execution] = await n8n.executions.ended(workflow);
		expect(JSON.stringify(execution?.saved)).toContain(words);
		expect(await mintedTo(n8n.chain, to)).toHaveLength(before + count);
	},
);
