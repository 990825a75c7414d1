/** Tools of n8n's MCP Server Trigger, called by MCP clients: each call pays once, and no payment goes out twice unasked. */
import { readFile } from 'node:fs/promises';
import type { Chain } from '../../../tools/sandbox/chain.mts';
import { READ_ONLY_CREDENTIAL } from '../../../tools/sandbox/credentials.mts';
import { agentTools } from './support/agent-tools.mts';
import { useResources } from '../../support/resources.mts';
import { limitedCredential } from '../../support/n8n/limited-credential.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import {
	startMcpServers,
	type McpSession,
	type RunningMcpServers,
} from './support/running-mcp-servers.mts';
import type { Faults } from '../../support/sandbox/faults.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { until } from '../../support/until.mts';
import type { Service } from '../../support/sandbox/service.mts';

const OWNER = 'sandboxUser0001';
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
let servers: RunningMcpServers;
let client: McpSession;
let otherClient: McpSession;

beforeAll(async () => {
	workspace = await createWorkspace(resources, {}, (service) => {
		const allowedContracts = service.contracts.shapes;
		const limits = { maxValuePerExecution: '3 gwei', allowedContracts };
		return [limitedCredential(service, LIMITED, limits)];
	});
	({ chain, faults } = workspace.service);
	const { contracts } = workspace.service.ready;
	const tools = agentTools(contracts);
	const toolSettings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
	servers = await startMcpServers(resources, workspace, {
		plain: { tools, credential: OWNER },
		readOnly: { tools, credential: READ_ONLY_CREDENTIAL },
		limited: { tools, credential: LIMITED },
		retrying: { tools, credential: OWNER, toolSettings },
	});
	client = await servers.connect('plain');
	otherClient = await servers.connect('plain');
}, PREPARATION_TIME);
afterEach(async () => await faults.reset());

const user: Service['user'] = (name) => workspace.service.user(name);
const sent = async () => await chain.getTransactionCount(user('Nelly').address);
const dollars = (amount: string) => ({ recipient: user('Rahul Sen').address, amount });

test('clients are offered the tools, and read with them', async () => {
	expect(await client.tools()).toEqual(expect.arrayContaining(['Find_User', 'Send_Dollars']));
	const { items } = await client.call('Find_User', { user_id: user('Rahul Sen').id });
	expect(items).toMatchObject([{ id: user('Rahul Sen').id, address: user('Rahul Sen').address }]);
});

test('identical payments by several calls are as many transactions', async () => {
	const before = await sent();
	const answers = [
		await client.call('Send_Dollars', dollars('1')),
		await client.call('Send_Dollars', dollars('1')),
		await otherClient.call('Send_Dollars', dollars('1')),
	];
	const items = answers.flatMap((answer) => answer.items);
	expect(items.map(({ submitted }) => submitted)).toEqual([true, true, true]);
	expect(new Set(items.map(({ hash }) => hash)).size).toBe(3);
	expect(items.filter(({ replayed }) => replayed === true)).toEqual([]);
	expect(await sent()).toBe(before + 3);
});

describe('a payment whose answer is lost', () => {
	/** Pays with a token whose contract the caller names, and loses the answer. */
	const lose = async (amount: string) => {
		const payment = { ...dollars(amount), token: workspace.service.contracts.usd };
		await faults.hit('drop-after', WRITE);
		const answer = await client.call('Send_Token', payment);
		return { payment, answer };
	};

	test.each([
		['101', 'word for word', () => client, () => ({})],
		['102', 'by another client', () => otherClient, () => ({})],
		[
			'103',
			'with its recipient in lower case',
			() => client,
			() => ({ recipient: user('Rahul Sen').address.toLowerCase() }),
		],
		[
			'104',
			'with its contract in lower case',
			() => client,
			() => ({ token: workspace.service.contracts.usd.toLowerCase() }),
		],
		[
			'105',
			'with its recipient by name',
			() => client,
			() => ({ recipient: user('Rahul Sen').id }),
		],
	])('of %s is refused when it is asked for again %s', async (amount, _how, again, changes) => {
		const before = await sent();
		const { payment, answer } = await lose(amount);
		expect(answer.failed).toBe(true);
		expect(answer.text).toMatch(UNKNOWN);
		expect(answer.text).not.toContain(RETRY_AT_ONCE);
		const repeated = await again().call('Send_Token', { ...payment, ...changes() });
		expect(repeated.failed).toBe(true);
		expect(repeated.text).toMatch(REFUSED);
		expect(await sent()).toBe(before + 1);
	});

	test('does not keep back another payment', async () => {
		const before = await sent();
		const { payment } = await lose('106');
		const { items } = await client.call('Send_Token', { ...payment, amount: '107' });
		expect(items).toMatchObject([{ submitted: true }]);
		expect(await sent()).toBe(before + 2);
	});
});

describe('Retry on Fail of a tool whose argument is another one at each try', () => {
	test('does not send again what may have been sent', async () => {
		const retrying = await servers.connect('retrying');
		const before = await sent();
		await faults.hit('drop-after', WRITE);
		const lost = await retrying.call('Store_Time');
		expect(lost.failed).toBe(true);
		expect(lost.text).toMatch(REFUSED);
		expect(await sent()).toBe(before + 1);
		expect(await faults.requestsFor(WRITE)).toBe(1);
	});

	test('does not send again what was answered', async () => {
		const retrying = await servers.connect('retrying');
		const before = await sent();
		const { items } = await retrying.call('Store_Time');
		expect(items).toMatchObject([{ submitted: true }]);
		expect(await sent()).toBe(before + 1);
		expect(await faults.requestsFor(WRITE)).toBe(1);
	});

	test('sends what was refused', async () => {
		const retrying = await servers.connect('retrying');
		const before = await sent();
		await faults.hit('failed', WRITE);
		const { items } = await retrying.call('Store_Time');
		expect(items).toMatchObject([{ submitted: true }]);
		expect(await sent()).toBe(before + 1);
		expect(await faults.requestsFor(WRITE)).toBe(2);
	});
});

test('five payments at once go out one at a time', async () => {
	const before = await sent();
	// Long enough for the writes to overlap.
	await faults.hit('latency', WRITE, { params: { ms: 200 }, times: 5 });
	const answers = await Promise.all(
		[client, otherClient, client, otherClient, client].map((one) =>
			one.call('Send_Dollars', dollars('5')),
		),
	);
	const hashes = answers.map(({ items }) => items[0]?.hash);
	expect(new Set(hashes).size).toBe(5);
	expect(await sent()).toBe(before + 5);
	expect(await faults.mostInFlight()).toBe(1);
});

describe('the spending limits of the credential', () => {
	test('counts the coin of an execution anew with each request', async () => {
		const limited = await servers.connect('limited');
		const before = await sent();
		const first = await limited.call('Pay_Coin', { wei: '2000000000' });
		const second = await limited.call('Pay_Coin', { wei: '2000000000' });
		expect([first.items, second.items]).toMatchObject([
			[{ submitted: true }],
			[{ submitted: true }],
		]);
		expect(first.items[0]?.hash).not.toBe(second.items[0]?.hash);
		expect(await sent()).toBe(before + 2);
	});

	test('counts the coin of the calls of one request together', async () => {
		const before = await sent();
		const calls = [{ wei: '2000000001' }, { wei: '1000000000' }];
		const answers = await servers.callTogether('limited', 'Pay_Coin', calls);
		expect(answers).toContain('Max Native Coin per Execution');
		expect(answers).toContain('submitted');
		expect(await sent()).toBe(before + 1);
	});

	// The same payment as above, made by another server: its answer must not be reused here.
	test.each([
		['Max Native Coin per Execution', 'limited', 'Pay_Coin', () => ({ wei: '3000000001' })],
		['Allowed Contracts', 'limited', 'Send_Dollars', () => dollars('1')],
		['Allow Writes', 'readOnly', 'Send_Dollars', () => dollars('1')],
	])('refuses by its rule %s', async (rule, server, tool, given) => {
		const session = await servers.connect(server);
		const before = await sent();
		const refused = await session.call(tool, given());
		expect(refused.failed).toBe(true);
		expect(refused.text).toContain(`rule "${rule}"`);
		expect(await sent()).toBe(before);
		expect(await faults.requestsFor(WRITE)).toBe(0);
	});
});

test('the log of n8n has one line for a write, which finds it again and gives no secret away', async () => {
	const { items } = await client.call('Send_Dollars', dollars('7'));
	const hash = String(items[0]?.hash);
	expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
	const log = async () => await readFile(servers.logFile, 'utf8');
	await until(async () => (await log()).includes(hash));
	const lines = (await log()).split('\n').filter((line) => line.includes(hash));
	expect(lines).toEqual([expect.stringMatching(/Send Dollars/)]);
	expect(lines).toEqual([expect.stringMatching(/\bitem 0\b/)]);
	for (const { accessToken } of workspace.service.ready.users) {
		expect(await log()).not.toContain(accessToken);
	}
}, 20_000);
