/** What an agent cannot do, and what its model receives instead: errors, spending policies, writes that are never sent twice. */
import type { Chain } from '../../../tools/sandbox/chain.mts';
import type { ToolCall } from '../../../tools/model/chat-model.mts';
import { READ_ONLY_CREDENTIAL } from '../../../tools/sandbox/credentials.mts';
import { OAuthClient } from '../../support/sandbox/oauth-client.mts';
import { agentTools } from './support/agent-tools.mts';
import { startAgents, type RunningAgents } from './support/running-agents.mts';
import { useResources } from '../../support/resources.mts';
import { limitedCredential } from '../../support/n8n/limited-credential.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import type { Faults } from '../../support/sandbox/faults.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { until } from '../../support/until.mts';

const OWNER = 'sandboxUser0001';
/** n8n's own message for a broken connection: the worst advice after a payment. */
const RETRY_AT_ONCE = 'You can retry the request';
const LIMITED = 'limitedCredential';
const EXPIRED = 'expiredCredential';

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let faults: Faults;
let agents: RunningAgents;

beforeAll(async () => {
	workspace = await createWorkspace(resources, { SANDBOX_TOKEN_SECONDS: '1' }, async (service) => {
		const owner = service.user('Nelly').id;
		const { access_token: expiring } = await new OAuthClient(service.ready).signIn(owner);
		return [
			limitedCredential(service, LIMITED, { maxValuePerExecution: '3 gwei' }),
			limitedCredential(service, EXPIRED, {}, expiring),
		];
	});
	({ chain, faults } = workspace.service);
	const tools = agentTools(workspace.service.contracts);
	const retryOnFail = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
	const goOn = {
		tools,
		credential: OWNER,
		toolSettings: { onError: 'continueRegularOutput' },
		batchSize: 2,
	};
	agents = await startAgents(resources, workspace, {
		plain: { tools, credential: OWNER },
		readOnly: { tools, credential: READ_ONLY_CREDENTIAL },
		limited: { tools, credential: LIMITED },
		expired: { tools, credential: EXPIRED },
		retrying: { tools, credential: OWNER, toolSettings: retryOnFail },
		telling: goOn,
		olderRetrying: { tools, credential: OWNER, toolSettings: retryOnFail, agentVersion: 2.2 },
		older: { ...goOn, agentVersion: 2.2 },
	});
}, PREPARATION_TIME);
afterEach(async () => await faults.reset());

const wallet = (index: number) => workspace.service.ready.users[index]?.address ?? '';
const sent = async () => await chain.getTransactionCount(wallet(0));

const find = (userId = workspace.service.ready.users[0]?.id ?? ''): ToolCall => ({
	name: 'Find_User',
	arguments: { user_id: userId },
});
const send = (amount: string | number = '1'): ToolCall => ({
	name: 'Send_Dollars',
	arguments: { recipient: wallet(1), amount },
});
const sendToken = (amount: string, token: string, recipient: string): ToolCall => ({
	name: 'Send_Token',
	arguments: { token, recipient, amount },
});
const pay = (wei: string): ToolCall => ({ name: 'Pay_Coin', arguments: { wei } });

describe('an error reaches the model as text, and the agent goes on', () => {
	const token = (address: string): ToolCall => ({
		name: 'Token_Balance',
		arguments: { user_id: 'DISCORD-80351110224678912', token: address },
	});

	test.each([
		['a bad address', 'plain', () => token('0x12'), 'has 2 hexadecimal digits instead of 40'],
		['an unknown user', 'plain', () => find('DISCORD-1'), 'There is no user DISCORD-1'],
		['a bad user ID', 'plain', () => find('somebody'), 'User ID: '],
		['an amount that has lost digits', 'plain', () => send(2 ** 60), '1152921504606847000'],
		['an expired token', 'expired', () => find(), 'access token was rejected'],
	])('%s', async (_case, workflow, wrong, text) => {
		const [failed, after] = await agents.ask(workflow, [wrong()], [wrong()]);
		expect(failed).toEqual([{ error: expect.stringContaining(text) }]);
		expect(after).toEqual(failed);
	});

	test('what the service could not do, after which the next call succeeds', async () => {
		await faults.hit('failed', WRITE, {
			params: { error: 'Unable to transfer: try again in a few minutes' },
		});
		const before = await sent();
		const [failed, done] = await agents.ask('plain', [send()], [send()]);
		expect(failed).toEqual([{ error: expect.stringContaining('try again in a few minutes') }]);
		expect(done).toMatchObject([{ submitted: true }]);
		expect(await sent()).toBe(before + 1);
	});

	test('the executions end well', async () => {
		const statuses = async () => [
			...(await agents.client.executionStatuses('plain')),
			...(await agents.client.executionStatuses('expired')),
		];
		// n8n answers before it has recorded that an execution has ended.
		await until(async () => !(await statuses()).includes('running'));
		expect(await statuses()).toEqual(Array.from({ length: 6 }, () => 'success'));
	});
});

describe('the spending limits of the credential', () => {
	test('a read-only credential refuses the write with its rule, and nothing is on the chain', async () => {
		const before = await sent();
		const [refused, found] = await agents.ask('readOnly', [send()], [find()]);
		expect(refused).toEqual([
			{ error: expect.stringContaining('rule "Allow Writes": writes are switched off') },
		]);
		expect(found).toMatchObject([{ address: wallet(0) }]);
		expect(await sent()).toBe(before);
	});

	test('a limit per execution holds over all calls of one conversation', async () => {
		const before = await sent();
		const [first, second, third] = await agents.ask(
			'limited',
			[pay('2000000000')],
			[pay('2000000000')],
			[pay('1000000000')],
		);
		expect(first).toMatchObject([{ submitted: true }]);
		expect(second).toEqual([{ error: expect.stringContaining('Max Native Coin per Execution') }]);
		expect(third).toMatchObject([{ submitted: true }]);
		expect(await sent()).toBe(before + 2);
	});
});

test('each call of the model is one transaction, also of two calls at once', async () => {
	const before = await sent();
	const done = await agents.ask('plain', [send(), send()], [send()]);
	const hashes = done.map(([item]) => item?.hash);
	expect(new Set(hashes).size).toBe(3);
	expect(await sent()).toBe(before + 3);
});

test('an older agent reads errors too, and sends a write once', async () => {
	const before = await sent();
	const [unknown, write] = await agents.ask('older', [find('DISCORD-1')], [send()]);
	expect(unknown).toMatchObject([{ error: expect.stringContaining('There is no user DISCORD-1') }]);
	expect(write).toMatchObject([{ submitted: true }]);
	expect(await sent()).toBe(before + 1);
});

describe('a write whose answer is lost', () => {
	const refused = [{ error: expect.stringContaining('Not sent again') }];

	test.each([
		['the tool is set to retry', 'retrying', '7', 1, refused],
		// An older agent keeps errors from its model.
		['the tool of an older agent is set to retry', 'olderRetrying', '8', 1, []],
		['the model calls the tool again', 'plain', '9', 2, refused],
	])('is not sent again although %s', async (_case, workflow, amount, calls, expected) => {
		const before = await sent();
		await faults.hit('drop-after', WRITE);
		const told = await agents.ask(workflow, ...Array.from({ length: calls }, () => [send(amount)]));
		expect(told.at(-1)).toEqual(expected);
		expect(JSON.stringify(told)).not.toContain(RETRY_AT_ONCE);
		expect(await sent()).toBe(before + 1);
	});

	test('is told with what to do, when the tool is set to go on after errors', async () => {
		const before = await sent();
		await faults.hit('drop-after', WRITE);
		const [lost] = await agents.ask('telling', [send()]);
		expect(lost).toMatchObject([
			{ details: { hint: expect.stringContaining('The transaction MAY have been sent') } },
		]);
		expect(await sent()).toBe(before + 1);
	});
});

describe.each([
	['3.1', 'telling', 'retrying', '31'],
	['2.2', 'older', 'olderRetrying', '22'],
])('AI Agent %s', (_version, agent, retryingAgent, amount) => {
	const storeTime = { name: 'Store_Time', arguments: {} };

	test('does not send again what may have been sent, in whatever case the addresses are', async () => {
		const { usd } = workspace.service.contracts;
		const written = sendToken(amount, usd, wallet(1));
		const rewritten = sendToken(amount, usd.toLowerCase(), wallet(1).toLowerCase());
		const before = await sent();
		await faults.hit('drop-after', WRITE);
		const [lost, repeated] = await agents.ask(agent, [written], [rewritten]);
		expect(JSON.stringify(lost)).toMatch(/may have been sent|unknown/i);
		expect(JSON.stringify(lost)).not.toContain(RETRY_AT_ONCE);
		expect(JSON.stringify(repeated)).toMatch(/Not sent again.*Resend When Unknown/s);
		const [later] = await agents.ask(agent, [rewritten]);
		expect(JSON.stringify(later)).toMatch(/Not sent again.*Resend When Unknown/s);
		expect(await sent()).toBe(before + 1);
	});

	test('pays once for each item of a batch, also the same amount to the same wallet', async () => {
		const before = await sent();
		const done = await agents.askForItems(agent, [[[send('2')]], [[send('2')]]]);
		const items = done.flat(2);
		expect(items).toMatchObject([{ submitted: true }, { submitted: true }]);
		expect(new Set(items.map(({ hash }) => hash)).size).toBe(2);
		expect(await sent()).toBe(before + 2);
	});

	test('sends the calls of one answer of the model one at a time', async () => {
		const before = await sent();
		await faults.hit('latency', WRITE, { params: { ms: 300 }, times: 3 });
		const items = (await agents.ask(agent, [send('3'), send('3'), pay('3')])).flat();
		expect(new Set(items.map(({ hash }) => hash)).size).toBe(3);
		expect(await sent()).toBe(before + 3);
		expect(await faults.mostInFlight()).toBe(1);
	});

	test('sends a call once although each of its tries has another argument', async () => {
		const before = await sent();
		await faults.hit('drop-after', WRITE);
		await agents.ask(retryingAgent, [storeTime]);
		expect(await sent()).toBe(before + 1);
		expect(await faults.requestsFor(WRITE)).toBe(1);
	});

	test('tries again what was refused', async () => {
		const before = await sent();
		await faults.hit('failed', WRITE);
		const [done] = await agents.ask(retryingAgent, [storeTime]);
		expect(done).toMatchObject([{ submitted: true }]);
		expect(await sent()).toBe(before + 1);
		expect(await faults.requestsFor(WRITE)).toBe(2);
	});
});
