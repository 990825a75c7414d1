/** The node as a tool of n8n's built-in agents, which create a node with a new ID for every call and have no execution. */
import type { Chain } from '../../../tools/sandbox/chain.mts';
import type { ToolCall } from '../../../tools/model/chat-model.mts';
import { READ_ONLY_CREDENTIAL } from '../../../tools/sandbox/credentials.mts';
import { agentTools } from './support/agent-tools.mts';
import { useResources } from '../../support/resources.mts';
import { limitedCredential } from '../../support/n8n/limited-credential.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import {
	startBuiltInAgents,
	type RunningBuiltInAgents,
} from './support/running-built-in-agents.mts';
import type { Faults } from '../../support/sandbox/faults.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import type { Service } from '../../support/sandbox/service.mts';

const LIMITED = 'limitedCredential';

/** n8n's own message for a broken connection: the worst advice after a payment. */
const RETRY_AT_ONCE = 'You can retry the request';
const UNKNOWN = /may have been sent|unknown/i;
/** The refusal of a write that may already have been done, with the remedy. */
const REFUSED = /Not sent again.*Resend When Unknown/s;

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let faults: Faults;
let agents: RunningBuiltInAgents;

beforeAll(async () => {
	workspace = await createWorkspace(resources, {}, (service) => [
		limitedCredential(service, LIMITED, { maxValuePerExecution: '3 gwei' }),
	]);
	({ chain, faults } = workspace.service);
	const { contracts } = workspace.service.ready;
	const tools = agentTools(contracts);
	agents = await startBuiltInAgents(resources, workspace, {
		plain: { tools, credential: 'sandboxUser0001' },
		readOnly: { tools, credential: READ_ONLY_CREDENTIAL },
		limited: { tools, credential: LIMITED },
	});
}, PREPARATION_TIME);
afterEach(async () => await faults.reset());

const user: Service['user'] = (name) => workspace.service.user(name);
const sent = async () => await chain.getTransactionCount(user('Nelly').address);
const send = (amount: string, changes: Record<string, string> = {}): ToolCall => {
	const { usd } = workspace.service.contracts;
	const payment = { token: usd, recipient: user('Rahul Sen').address, amount };
	return { name: 'Send_Token', arguments: { ...payment, ...changes } };
};
const pay = (wei: string): ToolCall => ({ name: 'Pay_Coin', arguments: { wei } });

test('a user is found, and an error reaches the model', async () => {
	const find = (userId: string) => ({ name: 'Find_User', arguments: { user_id: userId } });
	const [found, unknown] = await agents.ask(
		'plain',
		[find(user('Rahul Sen').id)],
		[find('DISCORD-1')],
	);
	expect(found?.items).toMatchObject([
		{ id: user('Rahul Sen').id, address: user('Rahul Sen').address },
	]);
	expect(unknown?.error).toContain('There is no user DISCORD-1');
});

test('equal payments, one after the other and in one answer of the model, are as many transactions', async () => {
	const before = await sent();
	const done = await agents.ask('plain', [send('1')], [send('1'), send('1')]);
	const items = done.flatMap((outcome) => outcome.items);
	expect(items.map(({ submitted }) => submitted)).toEqual([true, true, true]);
	expect(new Set(items.map(({ hash }) => hash)).size).toBe(3);
	expect(items.filter(({ replayed }) => replayed === true)).toEqual([]);
	expect(await sent()).toBe(before + 3);
});

test('payments of several chats at once go out one at a time', async () => {
	const before = await sent();
	// Long enough for the writes to overlap.
	await faults.hit('latency', WRITE, { params: { ms: 400 }, times: 3 });
	const chats = ['5', '5', '6'].map((amount) => agents.ask('plain', [send(amount)]));
	const items = (await Promise.all(chats)).flat().flatMap((outcome) => outcome.items);
	expect(new Set(items.map(({ hash }) => hash)).size).toBe(3);
	expect(await sent()).toBe(before + 3);
	expect(await faults.mostInFlight()).toBe(1);
});

describe('a payment whose answer is lost', () => {
	test.each([
		['101', 'word for word', () => ({})],
		[
			'102',
			'with its addresses in lower case',
			() => ({
				token: workspace.service.contracts.usd.toLowerCase(),
				recipient: user('Rahul Sen').address.toLowerCase(),
			}),
		],
	])('of %s is refused when the model asks for it again %s', async (amount, _how, changes) => {
		const before = await sent();
		await faults.hit('drop-after', WRITE);
		const again = send(amount, changes());
		const [lost, repeated] = await agents.ask('plain', [send(amount)], [again]);
		expect(lost?.error).toMatch(UNKNOWN);
		expect(lost?.error).not.toContain(RETRY_AT_ONCE);
		expect(repeated?.error).toMatch(REFUSED);
		const [later] = await agents.ask('plain', [again]);
		expect(later?.error).toMatch(REFUSED);
		expect(await sent()).toBe(before + 1);
	});

	test('does not keep back another payment', async () => {
		const before = await sent();
		await faults.hit('drop-after', WRITE);
		const [lost, other] = await agents.ask('plain', [send('103')], [send('104')]);
		expect(lost?.error).toMatch(UNKNOWN);
		expect(other?.items).toMatchObject([{ submitted: true }]);
		expect(await sent()).toBe(before + 2);
	});
});

describe('the spending limits of the credential', () => {
	test('a read-only credential refuses by its rule', async () => {
		const before = await sent();
		const [refused] = await agents.ask('readOnly', [send('1')]);
		expect(refused?.error).toContain('rule "Allow Writes"');
		expect(await sent()).toBe(before);
	});

	test('the limit of an execution holds for each call', async () => {
		const before = await sent();
		const calls = ['2000000000', '2000000000', '3000000001'].map((wei) => [pay(wei)]);
		const [first, second, third] = await agents.ask('limited', ...calls);
		expect(first?.items).toMatchObject([{ submitted: true }]);
		expect(second?.items).toMatchObject([{ submitted: true }]);
		expect(first?.items[0]?.hash).not.toBe(second?.items[0]?.hash);
		expect(third?.error).toContain('rule "Max Native Coin per Execution"');
		expect(await sent()).toBe(before + 2);
	});
});
