/** The examples, run as `npm start -- --once` runs them, and the other claims in their notes. */
import { readdirSync } from 'node:fs';
import axios from 'axios';
import {
	compareExamples,
	transferWebhook,
	WEBHOOK_EXAMPLE,
} from '../../../tools/compare/compare-examples.mts';
import type { Comparison } from '../../../tools/compare/comparison.mts';
import { readList, readObject, readText, type JsonObject } from '../../../tools/files/json.mts';
import { examplesDirectory } from '../../../tools/files/paths.mts';
import { sandboxCredentials, WEBHOOK_KEY } from '../../../tools/sandbox/credentials.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { useN8n } from '../../support/n8n/use-n8n.mts';
import { until } from '../../support/until.mts';

const n8n = useN8n({ env: { SANDBOX_WRITE_KEYS: '1' } });
let comparisons: Comparison[];
/** Names of the workflows in the editor's order, before any use. */
let listed: unknown[];

beforeAll(async () => {
	await n8n.client.activateWorkflow(WEBHOOK_EXAMPLE);
	const workflows = await n8n.client.list('/rest/workflows', { sortBy: 'updatedAt:desc' });
	listed = workflows.map(({ name }) => name);
	comparisons = await compareExamples(n8n.url, n8n.client, n8n.service.ready);
});

test.each([
	...['user get', 'balance native', 'balance token', 'history list', 'token send'],
	...['contract read', 'contract write'],
])('%s in the examples matches the chain', (operation) => {
	const comparison = comparisons.find((one) => one.operation === operation);
	expect(comparison?.fromNode).toBeDefined();
	expect(comparison?.fromNode).toEqual(comparison?.fromChain);
});

test('one base unit below the minimum is an alert', () => {
	const balances = comparisons.find(({ operation }) => operation === 'balance token');
	const { alerts } = readObject(balances?.fromNode, 'the low balances');
	expect(readList(alerts, 'the alerts')[0]).toBe(
		'GOOGLE-115842093764510827364 has only 165.749999 SUSD, 0.000001 below the minimum',
	);
});

test('the webhook refuses callers without the key', async () => {
	const { status } = await axios.post(transferWebhook(n8n.url), {}, { validateStatus: () => true });
	expect(status).toBe(403);
});

/** Posts an order to the webhook, to be paid to the user Rahul Sen. */
const post = async (order: unknown, amount: unknown = '1') => {
	const { data, status } = await axios.post(
		transferWebhook(n8n.url),
		{ order, to: n8n.user('Rahul Sen').address, amount },
		{ headers: { [WEBHOOK_KEY.name]: WEBHOOK_KEY.value }, validateStatus: () => true },
	);
	return { status, ...readObject(data, 'the answer') } as JsonObject;
};

test.each([
	['more than the wallet holds', 'A-1', '1000000', /does not have 1000000 SUSD/],
	['no amount', 'A-2', '12,5', /"12,5/],
	['nothing', 'A-3', null, /amount/],
	['no order', undefined, '1', /no "order"/],
	['an empty order', '', '1', /no "order"/],
])('the webhook refuses a transfer of %s with the reason', async (_what, order, amount, reason) => {
	expect(await post(order, amount)).toMatchObject({
		status: 422,
		error: expect.stringMatching(reason),
	});
	// The caller has its answer, and the list of executions has the reason.
	const listedError = async () => await n8n.executions.lastError(WEBHOOK_EXAMPLE);
	await until(async () => reason.test(String((await listedError()).message)));
});

test.each([
	['one after the other', 1001, 1],
	['at once', 'A-1002', 10],
])('an order that arrives ten times %s is paid once', async (_how, order, together) => {
	const before = await n8n.sent();
	const answers: JsonObject[] = [];
	while (answers.length < 10) {
		const calls = Array.from({ length: together }, async () => await post(order));
		answers.push(...(await Promise.all(calls)));
	}
	const [first] = answers;
	expect(first).toMatchObject({ status: 200, hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
	expect(answers).toEqual(Array(10).fill(first));
	expect(await n8n.sent()).toBe(before + 1);
});

test('30 orders that arrive three times each, all at once, are 30 payments', async () => {
	const before = await n8n.sent();
	const orders = Array.from({ length: 30 }, (_, index) => `B-${index}`);
	const asked = [...orders, ...orders, ...orders];
	const answers = await Promise.all(asked.map(async (order) => await post(order, '0.01')));
	expect(answers.map(({ status }) => status)).toEqual(asked.map(() => 200));
	const hashes = answers.map(({ hash }) => hash);
	for (const at of [0, orders.length, 2 * orders.length]) {
		expect(hashes.slice(at, at + orders.length)).toEqual(hashes.slice(0, orders.length));
	}
	expect(new Set(hashes).size).toBe(orders.length);
	expect(await n8n.sent()).toBe(before + orders.length);
});

test('an order that was paid is refused with another amount', async () => {
	const before = await n8n.sent();
	expect(await post('A-1003')).toMatchObject({ status: 200 });
	expect(await post('A-1003', '2')).toMatchObject({
		status: 422,
		error: expect.stringMatching(/^Order "A-1003" was paid with other values on /),
	});
	expect(await n8n.sent()).toBe(before + 1);
});

test('a refused order is paid when it arrives again', async () => {
	const before = await n8n.sent();
	expect(await post('A-1004', '1000000')).toMatchObject({ status: 422 });
	expect(await post('A-1004')).toMatchObject({ status: 200 });
	expect(await n8n.sent()).toBe(before + 1);
});

test('n8n lists the package as an installed community package', async () => {
	const packages = await n8n.client.list('/rest/community-packages');
	expect(packages).toMatchObject([{ packageName: 'n8n-nodes-wallet-service' }]);
});

test('the editor chooses a working credential for a new node', async () => {
	const offered = (await n8n.client.list('/rest/credentials')).filter(({ type }) =>
		['walletServiceApi', 'walletServiceOAuth2Api'].includes(String(type)),
	);
	// Like the editor, takes the most recently updated credential that the node can use.
	const times = offered.map(({ updatedAt }) => Date.parse(readText(updatedAt, 'the time')));
	const newest = offered.filter((_one, index) => times[index] === Math.max(...times));
	expect(newest).toMatchObject([{ id: 'sandboxUser0001', type: 'walletServiceApi' }]);
});

test('the editor lists the examples in their order', async () => {
	const { nodes } = await readExample('start-here');
	const note = nodes.find(({ name }) => name === 'Order of the Examples');
	const { content } = readObject(note?.parameters, 'the note');
	const ordered = [...String(content).matchAll(/^\d+\. \*\*(.*?)\*\*/gm)].map(([, name]) => name);
	expect(listed).toEqual(['Start here', ...ordered]);
});

const examples = readdirSync(examplesDirectory).map((file) => file.replace(/\.json$/, ''));

test.each(examples)(
	'%s has a note, and uses contracts and credentials of the sandbox',
	async (name) => {
		const sandbox = n8n.service.ready;
		const ids = sandboxCredentials(sandbox).map(({ id }) => id);
		const { nodes } = await readExample(name);
		expect(nodes.map(({ type }) => type)).toContain('n8n-nodes-base.stickyNote');
		for (const { parameters, credentials = {} } of nodes) {
			const { contractAddress = '=', token = '=' } = readObject(parameters, 'the parameters');
			const addresses = [contractAddress, token].map((given) => Object(given).value ?? given);
			// The trigger has an entry for all tokens.
			const chosen = addresses.filter((address) => address !== 'all');
			const fixed = chosen.filter((address) => !String(address).startsWith('='));
			expect(Object.values(sandbox.contracts)).toEqual(expect.arrayContaining(fixed));
			for (const credential of Object.values(readObject(credentials, 'the credentials'))) {
				expect(ids).toContain(readObject(credential, 'a credential').id);
			}
		}
	},
);
