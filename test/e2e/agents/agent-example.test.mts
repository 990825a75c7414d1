/** The agent example, with a stand-in for its language model: its answer matches the chain. */
import { AGENT_EXAMPLE, startExampleModel } from '../../../tools/model/agent-example.mts';
import { executeWorkflow } from '../../../tools/n8n/cli.mts';
import { useResources } from '../../support/resources.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';

const resources = useResources();
let workspace: Workspace;

beforeAll(async () => {
	workspace = await createWorkspace(resources);
}, PREPARATION_TIME);

test('the agent answers with the balance and the latest transfer of the wallet', async () => {
	const { service, userFolder } = workspace;
	const model = await resources.use(startExampleModel(userFolder));
	const { chain, contracts } = service;
	const run = await executeWorkflow(userFolder, AGENT_EXAMPLE);
	expect(run.error).toBeUndefined();

	const wallet = service.user('Nelly').address;
	const balance = await chain.tokenBalance(contracts.usd, wallet);
	const [latest] = await chain.history(wallet);
	const dollars = `${balance / 1_000_000n}.${String(balance % 1_000_000n).padStart(6, '0')}`;
	const [answer] = run.items('Wallet Assistant');
	expect(answer?.output).toContain(`Nelly has ${dollars} SUSD.`);
	expect(answer?.output).toContain(`they ${latest?.direction} ${latest?.amount} `);
	expect(answer?.output).toContain('It has arrived.');
	expect(model.turns.map(({ results }) => results.length)).toEqual([0, 3, 4]);
});
