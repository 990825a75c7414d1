/** The agent example, with a stand-in for its language model: its answer holds what the chain says. */
import { AGENT_EXAMPLE, startExampleModel } from '../../../tools/model/agent-example.mts';
import { Chain } from '../../../tools/sandbox/chain.mts';
import { executeWorkflow } from '../../../tools/n8n/cli.mts';
import { Cleanup } from '../../support/cleanup.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';

const cleanup = new Cleanup();
let workspace: Workspace;

beforeAll(async () => {
	workspace = await createWorkspace(cleanup);
}, PREPARATION_TIME);
afterAll(async () => await cleanup.run());

test('the agent answers with the balance and the latest transfer of the wallet', async () => {
	const { sandbox, userFolder } = workspace;
	const model = await startExampleModel(userFolder);
	await cleanup.add(() => model.stop());
	const chain = new Chain(sandbox.rpcUrl);
	await cleanup.add(async () => chain.close());
	const run = await executeWorkflow(userFolder, AGENT_EXAMPLE);
	expect(run.error).toBeUndefined();

	const wallet = sandbox.users[0]?.address ?? '';
	const balance = await chain.tokenBalance(sandbox.contracts.usd, wallet);
	const [latest] = await chain.history(wallet);
	const dollars = `${balance / 1_000_000n}.${String(balance % 1_000_000n).padStart(6, '0')}`;
	const [answer] = run.items('Wallet Assistant');
	expect(answer?.output).toContain(`Nelly has ${dollars} SUSD.`);
	expect(answer?.output).toContain(`they ${latest?.direction} ${latest?.amount} `);
	expect(answer?.output).toContain('It has arrived.');
	expect(model.turns.map(({ results }) => results.length)).toEqual([0, 3, 4]);
});
