/** Reads by models through every host of tools: the offered tools, and the results compared with the chain. */
import { formatUnits } from 'ethers';
import { until } from '../../support/until.mts';
import { n8n } from '../support/shared-n8n.mts';
import { TOLD } from './support/agent-tools.mts';
import { ask, HOSTS, offered, openSession } from './support/hosts.mts';

const rahul = () => n8n.user('Rahul Sen');
const call = (name: string, given: Record<string, unknown>) => ({ name, arguments: given });
const findUser = (userId = rahul().id) => call('Find_User', { user_id: userId });

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
	'the model is offered %s: what it does, and each parameter with its description',
	async (name, does, properties) => {
		await ask('AI Agent 3.1', 'readOnly');
		expect(offered().find((tool) => tool.name === name)).toEqual({
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

test('MCP Server Trigger offers the tools to its clients', async () => {
	const { tools } = await (await openSession('readOnly')).listTools();
	const names = tools.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(['Find_User', 'Send_Dollars']));
});

/** Amount of the latest transfer in base units; each transfer has a different amount. */
let latest = 1_000_001;

describe.each(HOSTS)('asked by %s', (host) => {
	test('each read returns what the chain has, in one conversation, two of them at once', async () => {
		const { id, address } = rahul();
		const { gold, usd } = n8n.contracts;
		const outcomes = await ask(
			host,
			'readOnly',
			[findUser()],
			[call('Coin_Balance', { user_id: id }), call('Token_Balance', { user_id: id, token: gold })],
			[call('Transfers', { user_id: n8n.user().id, limit: 2 })],
			[call('Read_Balance', { account: address })],
		);
		const dollars = String(await n8n.chain.tokenBalance(usd, address));
		expect(outcomes.map(({ items }) => items)).toMatchObject([
			[{ id, provider: 'GOOGLE', address }],
			[{ userId: id, decimals: 18, baseUnits: String(await n8n.chain.getBalance(address)) }],
			[{ tokenAddress: gold, baseUnits: String(await n8n.chain.tokenBalance(gold, address)) }],
			(await n8n.history()).slice(0, 2),
			[{ value: dollars, status: 'SUCCESS' }],
		]);
	});

	test('an error reaches the model, which continues', async () => {
		const [failed, after] = await ask(host, 'readOnly', [findUser('DISCORD-1')], [findUser()]);
		expect(failed?.error).toContain('There is no user DISCORD-1');
		expect(after).toMatchObject({ error: '', items: [{ address: rahul().address }] });
	});

	const since = new Date().toISOString();
	test.each([
		['on the chain', undefined, true, true],
		['dropped', 'drop-transaction', false, false],
		['reverted', 'revert-transaction', false, false],
		['replaced', 'replace-transaction', false, true],
	] as const)('a transfer that is %s is never reported as failed', async (...row) => {
		const [, kind, byHash, byContent] = row;
		const units = String(latest++);
		const amount = formatUnits(units, 6);
		if (kind) await n8n.faults.add({ kind, times: 1 });
		const args = [rahul().address, units];
		const hash = await n8n.service.submit('Nelly', 'usd', 'transfer(address,uint256)', args);
		const [transfer] = await n8n.history();
		expect(transfer?.amount === amount).toBe(byContent);
		expect(transfer?.hash === hash).toBe(byHash);

		const userId = n8n.user().id;
		const payment = { user_id: userId, recipient: rahul().id, since };
		const calls = [
			call('Find_Transaction', { user_id: userId, hash }),
			call('Find_Payment', { ...payment, whole_amount: amount }),
			call('Find_Payment', { ...payment, whole_amount: `2${amount}` }),
		];
		const outcomes = await ask(host, 'readOnly', ...calls.map((one) => [one]));
		const seen = { seen: true, ...transfer, userId };
		const notSeen = { seen: false, submittedAt: since, amount };
		expect(outcomes.map(({ items }) => items)).toMatchObject([
			[byHash ? { ...seen, matchedBy: 'hash' } : { seen: false, hash }],
			[byContent ? { ...seen, matchedBy: 'content' } : notSeen],
			[{ seen: false }],
		]);
		expect(JSON.stringify(outcomes)).not.toMatch(/fail|revert/i);
	});
});

describe('AI Agent 3.1 passes errors on', () => {
	const token = (address: string) =>
		call('Token_Balance', { user_id: n8n.user().id, token: address });

	test.each([
		['a bad address', 'readOnly', () => token('0x12'), 'has 2 hexadecimal digits instead of 40'],
		['a bad user ID', 'readOnly', () => findUser('somebody'), 'User ID: '],
		['an expired token', 'expired', () => findUser(), 'access token was rejected'],
	])('%s, each time', async (_case, set, wrong, text) => {
		const [failed, after] = await ask('AI Agent 3.1', set, [wrong()], [wrong()]);
		expect(failed?.error).toContain(text);
		expect(after).toEqual(failed);
	});

	test('and its executions succeed', async () => {
		for (const workflow of ['readOnly31', 'expired31']) {
			// n8n answers before it has recorded that an execution has ended.
			await until(async () => (await n8n.executions.underWay(workflow)).length === 0);
			const statuses = (await n8n.executions.ended(workflow)).map(({ status }) => status);
			expect(new Set(statuses)).toEqual(new Set(['success']));
		}
	});
});
