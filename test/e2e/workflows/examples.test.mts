/** The examples, run as by `npm start -- --once`, and their other promises. */
import { readdir } from 'node:fs/promises';
import axios from 'axios';
import { readList, readObject, type JsonObject } from '../../../tools/files/json.mts';
import { signInAsOwner } from '../../../tools/n8n/rest-client.mts';
import { startN8n, type N8nServer } from '../../../tools/n8n/server.mts';
import {
	compareExamples,
	transferWebhook,
	WEBHOOK_EXAMPLE,
} from '../../../tools/compare/compare-examples.mts';
import type { Comparison } from '../../../tools/compare/comparison.mts';
import { examplesDirectory } from '../../../tools/files/paths.mts';
import { sandboxCredentials, WEBHOOK_KEY } from '../../../tools/sandbox/credentials.mts';
import { useResources } from '../../support/resources.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';

const resources = useResources();
let workspace: Workspace;
let n8n: N8nServer;
let comparisons: Comparison[];
/** Names of the workflows as the editor lists them before any use. */
let listed: string[];

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	// One execution at a time: only then does the webhook pay an order once if it arrives twice at the same moment.
	const oneAtATime = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };
	n8n = await resources.use(startN8n(workspace.userFolder, 0, oneAtATime));
	const client = await signInAsOwner(n8n.url);
	await client.activateWorkflow(WEBHOOK_EXAMPLE);
	listed = await client.workflowNames();
	comparisons = await compareExamples(workspace.userFolder, n8n.url, workspace.service.ready);
}, PREPARATION_TIME);

test.each([
	'user get',
	'balance native',
	'balance token',
	'history list',
	'token send',
	'contract read',
	'contract write',
])('%s gives in the examples what the chain says', (operation) => {
	const comparison = comparisons.find((one) => one.operation === operation);
	expect(comparison?.fromNode).toBeDefined();
	expect(comparison?.fromNode).toEqual(comparison?.fromChain);
});

test('one base unit too little is an alert', () => {
	const balances = comparisons.find(({ operation }) => operation === 'balance token');
	const { alerts } = readObject(balances?.fromNode, 'the low balances');
	expect(readList(alerts, 'the alerts')[0]).toBe(
		'GOOGLE-115842093764510827364 has only 165.749999 SUSD, 0.000001 below the minimum',
	);
});

test('the webhook turns callers without the key away', async () => {
	const { status } = await axios.post(transferWebhook(n8n.url), {}, { validateStatus: () => true });
	expect(status).toBe(403);
});

/** Sends the webhook an order of the user Rahul Sen. */
const post = async (order: unknown, amount: unknown = '1') => {
	const { data, status } = await axios.post(
		transferWebhook(n8n.url),
		{ order, to: workspace.service.user('Rahul Sen').address, amount },
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
])('the webhook answers a transfer of %s with the reason', async (_what, order, amount, reason) => {
	expect(await post(order, amount)).toMatchObject({
		status: 422,
		error: expect.stringMatching(reason),
	});
});

test.each<[string, (count: number) => Promise<JsonObject[]>]>([
	[
		'one after the other',
		async (count) => {
			const answers = [];
			while (answers.length < count) answers.push(await post(1001));
			return answers;
		},
	],
	[
		'at once, one execution at a time',
		async (count) => await Promise.all(Array.from({ length: count }, () => post('A-1002'))),
	],
])('an order that comes ten times %s is paid once', async (_how, send) => {
	const { chain } = workspace.service;
	const wallet = workspace.service.user('Nelly').address;
	const before = await chain.getTransactionCount(wallet);
	const answers = await send(10);
	expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
	const refused = answers.filter(({ status }) => status === 409);
	for (const { error } of refused) expect(error).toBe('This order was already received');
	expect(await chain.getTransactionCount(wallet)).toBe(before + 1);
});

test('an order that was refused is not paid either when it comes again', async () => {
	expect(await post('A-1003', '1000000')).toMatchObject({ status: 422 });
	expect(await post('A-1003')).toMatchObject({ status: 409 });
});

test('n8n lists the package as an installed community package', async () => {
	const client = await signInAsOwner(n8n.url);
	expect(await client.communityPackages()).toEqual(['n8n-nodes-wallet-service']);
});

test('the editor lists the examples in their order', async () => {
	const { nodes } = await readExample('start-here');
	const note = nodes.find(({ name }) => name === 'Order of the Examples');
	const { content } = readObject(note?.parameters, 'the note');
	const ordered = [...String(content).matchAll(/^\d+\. \*\*(.*?)\*\*/gm)].map(([, name]) => name);
	expect(listed).toEqual(['Start here', ...ordered]);
});

describe('every example', () => {
	const all = [
		'ai-agent-payment',
		'ai-agent-read-only',
		'contract-read',
		'incoming-transfers-table',
		'low-balance-alert',
		'monthly-statement-file',
		'oauth2-daily-report',
		'pay-a-list',
		'reconcile-payments',
		'scheduled-balance-check',
		'send-a-token',
		'send-and-confirm',
		'start-here',
		'thank-you-message',
		'transfer-history-table',
		'webhook-contract-write',
	];

	const nodesOf = async (name: string) => (await readExample(name)).nodes;

	test('is known here', async () => {
		expect((await readdir(examplesDirectory)).sort()).toEqual(all.map((name) => `${name}.json`));
	});

	test.each(all)('%s is explained by a sticky note', async (name) => {
		const types = (await nodesOf(name)).map(({ type }) => type);
		expect(types).toContain('n8n-nodes-base.stickyNote');
	});

	test.each(all)('%s uses contracts and credentials of the sandbox', async (name) => {
		const sandbox = workspace.service.ready;
		const ids = sandboxCredentials(sandbox).map(({ id }) => id);
		for (const { parameters, credentials = {} } of await nodesOf(name)) {
			const { contractAddress, token } = readObject(parameters, 'the parameters');
			for (const given of [contractAddress, token]) {
				if (given === undefined) continue;
				const contract = typeof given === 'string' ? given : readObject(given, 'a token').value;
				if (!String(contract).startsWith('=')) {
					expect(Object.values(sandbox.contracts)).toContain(contract);
				}
			}
			for (const credential of Object.values(readObject(credentials, 'the credentials'))) {
				expect(ids).toContain(readObject(credential, 'a credential').id);
			}
		}
	});
});
