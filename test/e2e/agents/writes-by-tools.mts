/** Writes by models through every host of tools: no call is sent twice in an execution, and limits hold. */
import { readFile } from 'node:fs/promises';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import axios from 'axios';
import type { ToolCall } from '../../../tools/model/chat-model.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { until } from '../../support/until.mts';
import { n8n } from '../support/shared-n8n.mts';
import { ask, askForItems, HOSTS } from './support/hosts.mts';

/** n8n's own message for a broken connection: the worst advice after a payment. */
const RETRY_AT_ONCE = 'You can retry the request';
const UNKNOWN = /may have been sent|unknown/i;
/** The refusal of a write that may already have been done, with the remedy. */
const REFUSED = /Not sent again.*Send Again/s;

const rahul = () => n8n.user('Rahul Sen');
/** A payment in a token whose contract the model specifies; by default to Rahul. */
const send = (amount: string, changes: Record<string, string> = {}): ToolCall => {
	const payment = { token: n8n.contracts.usd, recipient: rahul().address, amount };
	return { name: 'Send_Token', arguments: { ...payment, ...changes } };
};
const sendDollars = (amount: string | number): ToolCall => ({
	name: 'Send_Dollars',
	arguments: { recipient: rahul().address, amount },
});
const pay = (wei: string): ToolCall => ({ name: 'Pay_Coin', arguments: { wei } });
const storeTime = { name: 'Store_Time', arguments: {} };
const submitted = { error: '', items: [{ submitted: true }] };

/** Each payment has a different amount: an equal one is not sent again, and one of unknown outcome remains blocked. */
let latest = 100;
const newAmount = () => String(latest++);

describe.each(HOSTS)('%s', (host) => {
	test('makes one transaction of several equal payments', async () => {
		const before = await n8n.sent();
		const amount = newAmount();
		const outcomes = await ask(host, 'plain', [send(amount)], [send(amount), send(amount)]);
		expect(outcomes).toMatchObject([submitted, submitted, submitted]);
		const items = outcomes.flatMap((outcome) => outcome.items);
		expect(new Set(items.map(({ hash }) => hash)).size).toBe(1);
		expect(items.map(({ replayed }) => replayed === true)).toEqual([false, true, true]);
		expect(items[1]?.summary).toContain('Not sent again');
		expect(await n8n.sent()).toBe(before + 1);
		const { receipt, transfers } = await n8n.chain.transaction(String(items[0]?.hash));
		expect(receipt).toMatchObject({ status: 1, from: n8n.user().address });
		const tokenAddress = n8n.contracts.usd.toLowerCase();
		expect(transfers).toMatchObject([{ to: rahul().address, tokenAddress, value: amount }]);
	});

	test('sends one at a time, in one conversation and in several', async () => {
		const before = await n8n.sent();
		// Long enough for the writes to overlap.
		await n8n.faults.hit('latency', WRITE, { params: { ms: 300 }, times: 5 });
		const together = [send(newAmount()), send(newAmount()), pay(newAmount())];
		const rounds = [together, [sendDollars(newAmount())], [sendDollars(newAmount())]];
		const outcomes = await Promise.all(
			rounds.map(async (round) => await ask(host, 'plain', round)),
		);
		const items = outcomes.flat().flatMap((outcome) => outcome.items);
		expect(new Set(items.map(({ hash }) => hash)).size).toBe(5);
		expect(await n8n.sent()).toBe(before + 5);
		expect(await n8n.faults.mostInFlight()).toBe(1);
	});

	test('reports refusals to the model, which can continue', async () => {
		const before = await n8n.sent();
		const error = 'Unable to transfer: try again in a few minutes';
		await n8n.faults.hit('failed', WRITE, { params: { error } });
		const amount = newAmount();
		const [failed, done] = await ask(host, 'plain', [send(amount)], [send(amount)]);
		expect(failed?.error).toContain('try again in a few minutes');
		expect(done).toMatchObject(submitted);
		expect(await n8n.sent()).toBe(before + 1);
	});

	test.each<[how: string, changes: () => Record<string, string>]>([
		['word for word', () => ({})],
		[
			'with its addresses in lower case',
			() => ({
				token: n8n.contracts.usd.toLowerCase(),
				recipient: rahul().address.toLowerCase(),
			}),
		],
		['with its recipient by ID', () => ({ recipient: rahul().id })],
	])('does not repeat a payment whose answer is lost: %s', async (_how, changes) => {
		const before = await n8n.sent();
		await n8n.faults.hit('drop-after', WRITE);
		const amount = newAmount();
		const again = send(amount, changes());
		const [lost, repeated] = await ask(host, 'plain', [send(amount)], [again]);
		expect(lost?.error).toMatch(UNKNOWN);
		expect(lost?.error).not.toContain(RETRY_AT_ONCE);
		expect(repeated?.error).toMatch(REFUSED);
		const [later] = await ask(host, 'plain', [again]);
		expect(later?.error).toMatch(REFUSED);
		expect(await n8n.sent()).toBe(before + 1);
	});

	test('sends another payment after one whose answer is lost', async () => {
		const before = await n8n.sent();
		await n8n.faults.hit('drop-after', WRITE);
		const [lost, other] = await ask(host, 'plain', [send(newAmount())], [send(newAmount())]);
		expect(lost?.error).toMatch(UNKNOWN);
		expect(other).toMatchObject(submitted);
		expect(await n8n.sent()).toBe(before + 2);
	});

	test.each([
		['Allow Writes', 'readOnly', () => send('1')],
		['Allowed Contracts', 'limited', () => send('1')],
		['Max Native Coin per Execution', 'limited', () => pay('3000000001')],
	])('is refused by the rule %s, and nothing is sent', async (rule, set, call) => {
		const before = await n8n.sent();
		const [refused] = await ask(host, set, [call()]);
		expect(refused?.error).toContain(`rule "${rule}"`);
		expect(await n8n.sent()).toBe(before);
		expect(await n8n.faults.requestsFor(WRITE)).toBe(0);
	});
});

test.each([
	['AI Agent 3.1', 'a conversation', [true, false, true]],
	['AI Agent 2.2', 'a conversation', [true, false, true]],
	['MCP Server Trigger', 'each call', [true, true, true]],
	['built-in agent', 'each call', [true, true, true]],
] as const)('%s counts the coin of %s as that of an execution', async (host, _what, allowed) => {
	const before = await n8n.sent();
	// The first two exceed the limit of 3 gwei.
	const payments = [pay('2000000000'), pay('1999999999'), pay('1000000000')];
	const outcomes = await ask(host, 'limited', ...payments.map((payment) => [payment]));
	expect(outcomes.map(({ items }) => items[0]?.submitted === true)).toEqual(allowed);
	const rule = 'Max Native Coin per Execution';
	expect(outcomes.map(({ error }) => !error.includes(rule))).toEqual(allowed);
	const hashes = outcomes.flatMap(({ items }) => items.map(({ hash }) => hash));
	const count = allowed.filter((isAllowed) => isAllowed).length;
	expect(new Set(hashes).size).toBe(count);
	expect(await n8n.sent()).toBe(before + count);
});

describe.each([
	['AI Agent 3.1', 'plain31', ['803', '804'], '804'],
	// n8n uses the values of the first item for both.
	[
		'AI Agent 2.2',
		'plain22',
		['805', '806'],
		expect.stringMatching(/confused this call.*Nothing was done/s),
	],
])('%s', (_host, workflow, [one, other], second) => {
	test('pays what each item of a batch asks for, or nothing', async () => {
		const outcomes = (await askForItems(workflow, [[[send(one)]], [[send(other)]]])).flat();
		const paid = outcomes.map(({ error, items }) => items[0]?.baseUnits ?? error);
		expect(paid).toEqual([one, second]);
		const hashes = outcomes.flatMap(({ items }) => items.map(({ hash }) => String(hash)));
		const transactions = await Promise.all(hashes.map((hash) => n8n.chain.transaction(hash)));
		const moved = transactions.flatMap(({ transfers }) => transfers.map(({ value }) => value));
		expect(moved).toEqual(paid.slice(0, hashes.length));
	});

	test('pays an equal amount to the same wallet once for all items of a batch', async () => {
		const before = await n8n.sent();
		const amount = newAmount();
		const outcomes = (await askForItems(workflow, [[[send(amount)]], [[send(amount)]]])).flat();
		expect(outcomes).toMatchObject([submitted, submitted]);
		expect(outcomes[0]?.items[0]?.hash).toBe(outcomes[1]?.items[0]?.hash);
		expect(await n8n.sent()).toBe(before + 1);
	});
});

test('AI Agent 3.1 pays nothing twice for several items, whose results n8n mixes up', async () => {
	const before = await n8n.sent();
	const [one, other, third] = [newAmount(), newAmount(), newAmount()];
	const rounds = [[send(one)], [send(other)], [send(one)]];
	await askForItems('plain31', [rounds, [[send(third)], [send(other)], [send(third)]]]);
	expect(await n8n.sent()).toBe(before + 3);
});

describe.each([
	['AI Agent 3.1', REFUSED],
	// This agent does not pass errors to its model.
	['AI Agent 2.2', /^$/],
	['MCP Server Trigger', REFUSED],
] as const)('%s with Retry on Fail, and a different argument on each try', (host, told) => {
	test('does not send again what may have been sent', async () => {
		const before = await n8n.sent();
		await n8n.faults.hit('drop-after', WRITE);
		const [lost] = await ask(host, 'retrying', [storeTime]);
		expect(lost?.items).toEqual([]);
		expect(lost?.error).toMatch(told);
		expect(await n8n.sent()).toBe(before + 1);
		expect(await n8n.faults.requestsFor(WRITE)).toBe(1);
	});

	test('sends again what was refused, and not what was answered', async () => {
		const before = await n8n.sent();
		await n8n.faults.hit('failed', WRITE);
		expect(await ask(host, 'retrying', [storeTime])).toMatchObject([submitted]);
		expect(await n8n.sent()).toBe(before + 1);
		expect(await n8n.faults.requestsFor(WRITE)).toBe(2);
	});
});

test('AI Agent 3.1 is told that an amount has lost digits', async () => {
	const [refused] = await ask('AI Agent 3.1', 'plain', [sendDollars(2 ** 60)]);
	expect(refused?.error).toContain('1152921504606847000');
});

test('AI Agent 3.1 reads what to do when its tools go on after errors', async () => {
	await n8n.faults.hit('drop-after', WRITE);
	const [lost] = await ask('AI Agent 3.1', 'goingOn', [send(newAmount())]);
	expect(lost?.error).toMatch(/"hint":"[^"]*The transaction MAY have been sent/);
});

/** Calls a tool several times in one request (a JSON-RPC batch), which the public library cannot do. */
async function callTogether(set: string, calls: readonly ToolCall[]): Promise<string> {
	const clientInfo = { name: 'wallet-service-tests', version: '0.1.0' };
	const params = { protocolVersion: LATEST_PROTOCOL_VERSION, capabilities: {}, clientInfo };
	const post = async (body: unknown, session: object = {}) =>
		await axios.post<string>(`${n8n.url}/mcp/${set}Mcp`, body, {
			headers: { Accept: 'application/json, text/event-stream', ...session },
			responseType: 'text',
		});
	const { headers } = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
	const session = { 'Mcp-Session-Id': String(headers['mcp-session-id']) };
	await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
	const request = { jsonrpc: '2.0', method: 'tools/call' };
	const batch = calls.map((params, id) => ({ ...request, id: id + 1, params }));
	return (await post(batch, session)).data;
}

test('MCP Server Trigger counts the coin of the calls of one request together', async () => {
	const before = await n8n.sent();
	const answers = await callTogether('limited', [pay('2000000001'), pay('1000000009')]);
	expect(answers).toContain('Max Native Coin per Execution');
	expect(answers).toContain('submitted');
	expect(await n8n.sent()).toBe(before + 1);
});

test('the log of n8n has one line for a write, which identifies it', async () => {
	const [sent] = await ask('MCP Server Trigger', 'plain', [sendDollars('7')]);
	const hash = String(sent?.items[0]?.hash);
	expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
	const log = async () => await readFile(n8n.server.logFile, 'utf8');
	await until(async () => (await log()).includes(hash));
	const lines = (await log()).split('\n').filter((line) => line.includes(hash));
	expect(lines).toEqual([expect.stringContaining('item 0, node "Send Dollars"')]);
});
