/**
 * The example that keeps a row for every payment: confirmed payments are marked, and missing ones are reported, whatever failed.
 */
import type { Chain } from '../../../tools/sandbox/chain.mts';
import type { JsonObject } from '../../../tools/files/json.mts';
import { importWorkflows } from '../../../tools/n8n/cli.mts';
import { signInAsOwner, type N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { startN8n, type N8nServer } from '../../../tools/n8n/server.mts';
import { useResources } from '../../support/resources.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import { ExampleRuns } from '../../support/n8n/example-runs.mts';
import { publish } from '../../support/n8n/published.mts';
import { WRITE, type Faults } from '../../support/sandbox/faults.mts';
import { pollingExample } from '../../support/n8n/trigger-workflow.mts';
import { until } from '../../support/until.mts';
import type { Service } from '../../support/sandbox/service.mts';

const EXAMPLE = 'walletReconcile1';
const TABLE = 'Payments to reconcile';
const PERSON = 'For a Person to Check';

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let faults: Faults;
let n8n: N8nServer;
let client: N8nRestClient;
let runs: ExampleRuns;

const user: Service['user'] = (name) => workspace.service.user(name);

async function start(): Promise<void> {
	n8n = await resources.use(startN8n(workspace.userFolder));
	client = await signInAsOwner(n8n.url);
}

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	({ chain, faults } = workspace.service);
	await importWorkflows(workspace.userFolder, [await pollingExample('reconcile-payments')]);
	await start();
	runs = await ExampleRuns.prepare(n8n.url, client);
}, PREPARATION_TIME);
afterEach(async () => await faults.reset());

const rows = async () => await client.dataTableRows(TABLE);
const last = async (): Promise<JsonObject> => (await rows()).at(-1) ?? {};
const state = async (id: unknown) => (await rows()).find((row) => row.id === id)?.state;
const sent = async () => await chain.getTransactionCount(user('Nelly').address);

/** Makes a row this many minutes old. */
async function age(row: JsonObject, minutes: number): Promise<void> {
	const submittedAt = new Date(Date.now() - minutes * 60_000).toISOString();
	await client.changeDataTableRow(TABLE, Number(row.id), { submittedAt });
}

/** The report of the hourly sweep, if any. */
async function listed(): Promise<JsonObject[]> {
	const run = await runs.run(EXAMPLE, 'Every Hour');
	return run.hasRun(PERSON) ? run.items(PERSON) : [];
}

/** Pays once; returns the row. */
async function pay(): Promise<JsonObject> {
	await runs.run(EXAMPLE);
	return await last();
}

test('a sweep before there is anything finds nothing', async () => {
	expect(await listed()).toEqual([]);
	expect(await rows()).toEqual([]);
});

test('a payment that the trigger did not see is found by the sweep, once it is older than 30 minutes', async () => {
	const row = await pay();
	const [made] = await chain.history(user('Nelly').address);
	expect(row).toMatchObject({
		...{ recipient: user('Rahul Sen').id, amount: '1.5', state: 'submitted', hash: made?.hash },
		explorerUrl: expect.stringContaining(String(made?.hash)),
	});
	await age(row, 29);
	expect(await listed()).toEqual([]);
	expect(await state(row.id)).toBe('submitted');
	await age(row, 31);
	expect(await listed()).toEqual([]);
	expect(await state(row.id)).toBe('seen');
});

test('a payment that is seen by the trigger is marked, and no other row is', async () => {
	await publish(client, EXAMPLE);
	await faults.hit('drop-transaction', WRITE);
	const dropped = await pay();
	const row = await pay();
	await until(async () => (await state(row.id)) === 'seen');
	expect(await state(dropped.id)).toBe('submitted');

	await age(row, 31);
	await age(dropped, 31);
	expect(await listed()).toMatchObject([
		{
			...{ row: String(dropped.id), payment: `1.5 to ${user('Rahul Sen').id}`, state: 'submitted' },
			...{ hash: dropped.hash, explorerUrl: dropped.explorerUrl, error: '' },
			whatToDo: expect.stringMatching(/^The service does not list it\..*before anything is sent/),
		},
	]);
	await client.changeDataTableRow(TABLE, Number(dropped.id), { state: 'closed' });
	expect(await listed()).toEqual([]);
});

test('what cannot be looked for comes up with the reason', async () => {
	await client.addDataTableRows(TABLE, [
		{ recipient: user('Rahul Sen').id, amount: '2', state: 'submitted', hash: 'lost' },
	]);
	const row = await last();
	await age(row, 31);
	expect(await listed()).toMatchObject([
		{
			...{ row: String(row.id), hash: 'lost', error: expect.stringContaining('"lost"') },
			whatToDo: expect.stringContaining('could not be checked'),
		},
	]);
	await client.changeDataTableRow(TABLE, Number(row.id), { state: 'closed' });
});

test(
	'a crash between row and payment leaves a row that comes up, and nothing that was sent',
	async () => {
		const before = await sent();
		await faults.hit('hang', WRITE);
		await client.runWorkflow(EXAMPLE, 'Run It Now');
		await until(async () => (await faults.requestsFor(WRITE)) === 1);
		process.kill(n8n.pid, 'SIGKILL');
		await n8n.ended;
		await start();
		runs = await ExampleRuns.prepare(n8n.url, client);
		const row = await last();
		expect(row).toMatchObject({ state: 'sending', hash: null });
		await age(row, 31);
		expect(await listed()).toMatchObject([
			{
				row: String(row.id),
				payment: `1.5 to ${user('Rahul Sen').id}`,
				state: 'sending',
				hash: '',
			},
		]);
		expect(await sent()).toBe(before);
		expect(await faults.requestsFor(WRITE)).toBe(1);
		await client.changeDataTableRow(TABLE, Number(row.id), { state: 'closed' });
	},
	PREPARATION_TIME,
);

// The last one: the payment of unknown outcome is blocked after it.
test('a refused payment is closed by that, one of unknown outcome comes up', async () => {
	await faults.hit('failed', WRITE);
	const refused = await pay();
	expect(refused).toMatchObject({ state: 'refused', hash: '' });
	expect(refused.note).toMatch(/\w/);
	await faults.hit('drop-after', WRITE);
	const unknown = await pay();
	expect(unknown).toMatchObject({ state: 'unknown', hash: '' });
	expect(unknown.note).toMatch(/MAY have been sent/);
	await age(refused, 31);
	await age(unknown, 31);
	expect(await listed()).toMatchObject([
		{
			...{ row: String(unknown.id), state: 'unknown', hash: '' },
			whatToDo: expect.stringMatching(
				/^It is unknown whether it was sent\..*before anything is sent/,
			),
		},
	]);
	await client.changeDataTableRow(TABLE, Number(unknown.id), { state: 'closed' });
});
