/** The node as a tool of n8n's AI Agent: the tools offered to the model and their results, compared with the chain. */
import type { Chain } from '../../../tools/sandbox/chain.mts';
import { agentTools, TOLD } from './support/agent-tools.mts';
import { startAgents, type RunningAgents } from './support/running-agents.mts';
import { useResources } from '../../support/resources.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import type { Service } from '../../support/sandbox/service.mts';

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let agents: RunningAgents;

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	({ chain } = workspace.service);
	const tools = agentTools(workspace.service.contracts);
	agents = await startAgents(resources, workspace, {
		agent: { tools, credential: 'sandboxUser0001' },
	});
}, PREPARATION_TIME);

const user: Service['user'] = (name) => workspace.service.user(name);

/** Makes the agent call one tool, and returns the items that the model sees. */
async function call(name: string, given: Record<string, string | number>) {
	const [items] = await agents.ask('agent', [{ name, arguments: given }]);
	return items;
}

describe('what the model is offered', () => {
	const offered = async (name: string) => {
		await agents.ask('agent');
		return agents.model.turns.at(-1)?.tools.find((tool) => tool.name === name);
	};
	const described = (...keys: (keyof typeof TOLD)[]) =>
		Object.fromEntries(keys.map((key) => [key, { type: 'string', description: TOLD[key] }]));

	test.each([
		['Find_User', 'Get user', described('user_id')],
		['Coin_Balance', 'Get native coin balance', described('user_id')],
		['Token_Balance', 'Get token balance', described('user_id', 'token')],
		[
			'Transfers',
			'Get many token transfers',
			{ ...described('user_id'), limit: { type: 'number', description: TOLD.limit } },
		],
		['Read_Balance', 'Read contract value', described('account')],
		['Send_Dollars', 'Submit contract transaction', described('recipient', 'amount')],
		['Pay_Coin', 'Submit contract transaction', described('wei')],
	])(
		'%s: what it does, and each parameter with its description',
		async (name, does, properties) => {
			expect(await offered(name)).toEqual({
				name,
				description: `${does} in Wallet Service`,
				parameters: expect.objectContaining({
					type: 'object',
					properties,
					required: Object.keys(properties),
					additionalProperties: false,
				}),
			});
		},
	);
});

describe('each operation, with parameters from the model', () => {
	test('user get gives the wallet of the user', async () => {
		const [found] = (await call('Find_User', { user_id: user('Rahul Sen').id })) ?? [];
		expect(found).toMatchObject({
			id: user('Rahul Sen').id,
			provider: 'GOOGLE',
			address: user('Rahul Sen').address,
		});
	});

	test('balance native gives every wei', async () => {
		const items = await call('Coin_Balance', { user_id: user('mika_dev').id });
		const balance = await chain.getBalance(user('mika_dev').address);
		expect(items).toMatchObject([{ userId: user('mika_dev').id, baseUnits: balance.toString() }]);
	});

	test('balance token gives every base unit', async () => {
		const { gold } = workspace.service.contracts;
		const items = await call('Token_Balance', { user_id: user('Rahul Sen').id, token: gold });
		const balance = await chain.tokenBalance(gold, user('Rahul Sen').address);
		expect(items).toMatchObject([{ baseUnits: balance.toString(), tokenAddress: gold }]);
	});

	test('history list gives as many of the newest transfers as the model asks for', async () => {
		const items = await call('Transfers', { user_id: user('Nelly').id, limit: 2 });
		const transfers = await chain.history(user('Nelly').address);
		expect(items).toMatchObject(transfers.slice(0, 2));
	});

	test('contract read gives what the contract returns', async () => {
		const items = await call('Read_Balance', { account: user('Rahul Sen').address });
		const balance = await chain.tokenBalance(
			workspace.service.contracts.usd,
			user('Rahul Sen').address,
		);
		expect(items).toMatchObject([{ value: balance.toString(), status: 'SUCCESS' }]);
	});

	test('contract write sends one transaction, which does what the model said', async () => {
		const sent = await chain.getTransactionCount(user('Nelly').address);
		const items = await call('Send_Dollars', {
			recipient: user('Rahul Sen').id,
			amount: '2500000',
		});
		const hash = String(items?.[0]?.hash);
		const { receipt, transfers } = await chain.transaction(hash);
		expect(receipt).toMatchObject({ status: 1, from: user('Nelly').address });
		const tokenAddress = workspace.service.contracts.usd.toLowerCase();
		expect(transfers).toEqual([
			{ hash, to: user('Rahul Sen').address, tokenAddress, value: '2500000' },
		]);
		expect(await chain.getTransactionCount(user('Nelly').address)).toBe(sent + 1);
	});

	test('several tools in one conversation, two of them at once', async () => {
		const about = { user_id: user('Rahul Sen').id };
		const [found, coins, read] = await agents.ask(
			'agent',
			[{ name: 'Find_User', arguments: about }],
			[
				{ name: 'Coin_Balance', arguments: about },
				{ name: 'Read_Balance', arguments: { account: user('Rahul Sen').address } },
			],
		);
		expect(found).toMatchObject([{ address: user('Rahul Sen').address }]);
		expect(coins).toMatchObject([{ userId: user('Rahul Sen').id, decimals: 18 }]);
		expect(read).toMatchObject([{ status: 'SUCCESS' }]);
	});
});
