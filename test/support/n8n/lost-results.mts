/** Agents to which n8n passes no results, so that a model repeats its calls, or whose values it mixes up. */
import axios from 'axios';
import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import type { Service } from '../sandbox/service.mts';
import { until } from '../until.mts';
import type { Executions } from './executions.mts';
import { mintedTo, mintItems } from './minting.mts';
import { agentWorkflow, order } from './tools-of-models.mts';
import { contractCall } from './workflow.mts';

/** A running n8n, whose model obeys. */
export interface Host {
	readonly url: string;
	readonly client: N8nRestClient;
	readonly executions: Executions;
}

const MINT = 'mint(address to, uint256 amount)';
const mint = { name: 'Mint', arguments: { amount: '7' } };

/**
 * The tests of such agents, and of an ordinary one.
 *
 * @param credential - ID of the credential of their tools.
 * @param service - Returns its service, which may start only before the tests.
 */
export function testLostResults(
	n8n: Host,
	credential: string,
	service: () => Pick<Service, 'chain' | 'contracts'>,
): void {
	const { to } = mintItems();

	beforeAll(async () => {
		const { gold } = service().contracts;
		const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
		const tools = { Mint: contractCall('write', gold, MINT, args) };
		const setup = { tools, credential, model: modelCredential().id };
		const old = { ...agentWorkflow('oldOrder', setup), settings: {} };
		const fixed = contractCall('write', gold, MINT, `={{ ["${to}", $json.amount] }}`);
		const overridden = agentWorkflow('overridden', { ...setup, tools: { Mint: fixed } });
		const others = ['ordinary', 'repeatedId'].map((id) => agentWorkflow(id, setup));
		for (const workflow of [old, overridden, ...others])
			await n8n.client.activateWorkflow(await n8n.client.createWorkflow(workflow));
	});

	test.each([
		['ordinary', mint, 1, 'Not sent again'],
		['oldOrder', mint, 1, 'Submitted'],
		[
			'overridden',
			{ name: 'Mint', arguments: {}, extra: { amount: '7' } },
			0,
			'words of the model',
		],
		['repeatedId', { ...mint, id: 'call_0' }, 1, 'Submitted'],
	])(
		'%s: a call that is made twice is paid once, and what the model could override is not paid',
		async (workflow, call, count, words) => {
			const { chain } = service();
			const before = (await mintedTo(chain, to)).length;
			const data = { prompts: [order([call], [call])] };
			const ask = async () =>
				await axios.post(`${n8n.url}/webhook/${workflow}`, data, { validateStatus: null });
			// n8n answers 404 until it has published the workflow, and ends an agent that goes on for too long.
			await until(async () => (await ask()).status !== 404);
			// n8n answers before it has recorded that an execution has ended.
			await until(async () => (await n8n.executions.ended(workflow)).length === 1);
			const [execution] = await n8n.executions.ended(workflow);
			const hashes = (await mintedTo(chain, to)).slice(before);
			expect(hashes).toHaveLength(count);
			const saved = JSON.stringify(execution?.saved);
			expect(saved).toContain(words);
			for (const hash of hashes) expect(saved).toContain(hash);
		},
	);
}
