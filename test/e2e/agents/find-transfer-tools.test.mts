/** "Has it arrived?", asked by AI agents and MCP clients: the answer is what the chain shows, and never more. */
import type { Chain } from '../../../tools/sandbox/chain.mts';
import type { JsonObject } from '../../../tools/files/json.mts';
import { READ_ONLY_CREDENTIAL } from '../../../tools/sandbox/credentials.mts';
import { useResources } from '../../support/resources.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import { mcpWorkflow } from './support/mcp-workflow.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { startAgents } from './support/running-agents.mts';
import { openMcpSession } from './support/running-mcp-servers.mts';
import { WRITE, type Faults } from '../../support/sandbox/faults.mts';
import type { Service } from '../../support/sandbox/service.mts';

const HOSTS = ['AI Agent 3.1', 'AI Agent 2.2', 'MCP Server Trigger'] as const;

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let faults: Faults;
let hosts: Record<
	(typeof HOSTS)[number],
	(tool: string, given: Record<string, string>) => Promise<JsonObject[]>
>;

const user: Service['user'] = (name) => workspace.service.user(name);

/** Both ways to ask; the model fills in the fields that identify the transfer. */
function tools(token: string): Record<string, JsonObject> {
	const find = {
		...{ resource: 'history', operation: 'find' },
		userId: "={{ $fromAI('user_id', 'ID of the user who sent or receives the tokens') }}",
	};
	return {
		'Find Transaction': {
			...find,
			transactionHash: "={{ $fromAI('hash', 'Transaction hash: 0x and 64 hexadecimal digits') }}",
		},
		'Find Payment': {
			...{ ...find, token },
			options: {
				findBy: 'content',
				submittedAt: "={{ $fromAI('since', 'When it was sent, as ISO time') }}",
			},
			recipient: "={{ $fromAI('recipient', 'User ID or wallet address that gets the tokens') }}",
			amount: "={{ $fromAI('amount', 'In whole tokens, as text, such as 12.5') }}",
		},
	};
}

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	const sandbox = workspace.service.ready;
	({ chain, faults } = workspace.service);
	const setup = { tools: tools(sandbox.contracts.usd), credential: READ_ONLY_CREDENTIAL };
	const agents = await startAgents(resources, workspace, {
		agent: setup,
		older: { ...setup, agentVersion: 2.2 },
	});
	await publishNew(agents.client, [mcpWorkflow('mcp', setup)]);
	const mcp = await openMcpSession(resources, agents.url, 'mcp');
	const ask = (agent: string) => async (name: string, given: Record<string, string>) =>
		(await agents.ask(agent, [{ name, arguments: given }]))[0] ?? [];
	hosts = {
		'AI Agent 3.1': ask('agent'),
		'AI Agent 2.2': ask('older'),
		'MCP Server Trigger': async (name, given) => (await mcp.call(name, given)).items,
	};
}, PREPARATION_TIME);
afterEach(async () => await faults.reset());

/** Makes Nelly send this many base units of SUSD to Rahul; returns the hash in the service's answer. */
async function send(baseUnits: string): Promise<string> {
	const { data } = await workspace.service.as('Nelly').post<{ hash: string }>(WRITE, {
		address: workspace.service.contracts.usd,
		abi: 'transfer(address,uint256)',
		args: [user('Rahul Sen').address, baseUnits],
	});
	return data.hash;
}

const onChain = async (hash: string) =>
	(await chain.history(user('Nelly').address)).filter((transfer) => transfer.hash === hash);

describe.each(HOSTS)('asked by %s', (host) => {
	const since = new Date().toISOString();
	/** Another amount for each host and write. */
	const amountOf = (number: number) => `1.00${HOSTS.indexOf(host)}${number}`;
	const unitsOf = (number: number) => `${amountOf(number).replace('.', '')}00`;
	const byHash = async (hash: string) =>
		await hosts[host]('Find_Transaction', { user_id: user('Nelly').id, hash });
	const byContent = async (amount: string) => {
		const given = { user_id: user('Nelly').id, recipient: user('Rahul Sen').id, amount, since };
		return await hosts[host]('Find_Payment', given);
	};

	test('a transfer that is on the chain is seen, by its hash and by its content', async () => {
		const hash = await send(unitsOf(1));
		const [transfer] = await onChain(hash);
		expect(transfer).toMatchObject({ amount: amountOf(1), toAddress: user('Rahul Sen').address });
		const seen = { seen: true, ...transfer, userId: user('Nelly').id };
		expect(await byHash(hash)).toMatchObject([{ ...seen, matchedBy: 'hash' }]);
		expect(await byContent(amountOf(1))).toMatchObject([{ ...seen, matchedBy: 'content' }]);
		expect(await byContent(`${amountOf(1)}01`)).toMatchObject([{ seen: false }]);
	});

	test.each([
		['dropped', 'drop-transaction', 2],
		['reverted', 'revert-transaction', 3],
	] as const)(
		'one that the chain %s is not seen, and is not said to have failed',
		async (_what, kind, number) => {
			await faults.hit(kind, WRITE);
			const hash = await send(unitsOf(number));
			expect(await onChain(hash)).toEqual([]);
			const answers = [...(await byHash(hash)), ...(await byContent(amountOf(number)))];
			expect(answers).toMatchObject([
				{ seen: false, hash },
				{ seen: false, submittedAt: since, amount: amountOf(number) },
			]);
			expect(JSON.stringify(answers)).not.toMatch(/fail|revert/i);
		},
	);

	test('one that was replaced is seen by its content only', async () => {
		await faults.hit('replace-transaction', WRITE);
		const hash = await send(unitsOf(4));
		const [latest] = await chain.history(user('Nelly').address);
		expect(latest).toMatchObject({ amount: amountOf(4), toAddress: user('Rahul Sen').address });
		expect(latest?.hash).not.toBe(hash);
		expect(await byHash(hash)).toMatchObject([{ seen: false, hash }]);
		expect(await byContent(amountOf(4))).toMatchObject([{ seen: true, hash: latest?.hash }]);
	});
});
