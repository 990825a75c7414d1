/** The example that sends, waits, and reports the outcome: whatever happens meanwhile, it sends once and reports once. */
import type { Chain } from '../../tools/sandbox/chain.mts';
import { importWorkflows } from '../../tools/n8n/cli.mts';
import { signInAsOwner } from '../../tools/n8n/rest-client.mts';
import { startN8n, type N8nServer } from '../../tools/n8n/server.mts';
import { useResources } from '../support/resources.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../support/n8n/workspace.mts';
import { startCollector, type Collector } from '../support/n8n/collector.mts';
import { ExampleRuns } from '../support/n8n/example-runs.mts';
import { WRITE, type Faults } from '../support/sandbox/faults.mts';
import { postingExample } from '../support/n8n/trigger-workflow.mts';
import { until } from '../support/until.mts';
import type { Service } from '../support/sandbox/service.mts';

const EXAMPLE = 'walletWriteWait1';
/** A copy of the example with waits of a second, which n8n keeps in memory. */
const QUICK = 'quickly';
/** The quick copy, started with two items. */
const SEVERAL = 'several';
const PINNED = '"pinData":{"Run It Now":[{"json":{}},{"json":{}}]}';
/** n8n is started again, and the wait is a real one. */
const LONG = 300_000;

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let faults: Faults;
let collector: Collector;
let n8n: N8nServer;
let runs: ExampleRuns;

const user: Service['user'] = (name) => workspace.service.user(name);

async function start(): Promise<void> {
	n8n = await resources.use(startN8n(workspace.userFolder));
}

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	({ chain, faults } = workspace.service);
	collector = await resources.use(startCollector());
	const posting = async (path: string) =>
		JSON.stringify(
			await postingExample('send-and-confirm', 'Notify Somebody', `${collector.url}/${path}`),
		);
	const quick = (await posting(QUICK)).replace(EXAMPLE, QUICK).replace('"amount":70', '"amount":1');
	const several = quick.replaceAll(QUICK, SEVERAL).replace('"pinData":{}', PINNED);
	const texts = [await posting(EXAMPLE), quick, several];
	await importWorkflows(
		workspace.userFolder,
		texts.map((text) => JSON.parse(text)),
	);
	await start();
	runs = await ExampleRuns.prepare(n8n.url, await signInAsOwner(n8n.url));
}, PREPARATION_TIME);
afterEach(async () => await faults.reset());

const sent = async () => await chain.getTransactionCount(user('Nelly').address);
const told = (path: string) => collector.at(`/${path}`).map(({ message }) => message);

/** Runs the quick copy to its end; returns the reports, and the number of checks. */
async function run() {
	const before = told(QUICK).length;
	await runs.run(QUICK);
	const looks = await faults.requestsFor(`/v1/users/${user('Nelly').id}/history`);
	expect(await faults.requestsFor(WRITE)).toBe(1);
	return { messages: told(QUICK).slice(before), looks };
}

test('a transfer that is late is confirmed once, by the look that sees it, also when a look before it failed', async () => {
	const before = await sent();
	await faults.hit('status-text', '.*/history', { params: { status: 403 } });
	await faults.hit('history-lag', '.*/history', { params: { blocks: 1 }, times: 2 });
	const { messages, looks } = await run();
	const [latest] = await chain.history(user('Nelly').address);
	const page = `${workspace.service.ready.explorerUrl}/tx/${latest?.hash}`;
	expect(messages).toEqual([`Arrived: 1.5 SUSD to Rahul Sen. See ${page}`]);
	expect(looks).toBe(3);
	expect(await sent()).toBe(before + 1);
});

test('one that is dropped is not seen in ten looks, of which somebody is told once, and never that it failed', async () => {
	const [before, transfers] = [await sent(), await chain.history(user('Nelly').address)];
	await faults.hit('drop-transaction', WRITE);
	const { messages, looks } = await run();
	expect(messages).toEqual([
		expect.stringMatching(
			/^Not seen yet: transaction (0x[0-9a-f]{64}), submitted at 20\S+Z\. .*Do not send again because of this\. See \S+\1$/,
		),
	]);
	expect(messages.join()).not.toMatch(/fail|undefined/i);
	expect(looks).toBe(10);
	expect(await sent()).toBe(before);
	expect(await chain.history(user('Nelly').address)).toEqual(transfers);
});

test('a write that is refused is told so, and not looked for', async () => {
	const before = await sent();
	await faults.hit('failed', WRITE);
	expect(await run()).toEqual({ messages: [expect.stringMatching(/^Not sent: /)], looks: 0 });
	expect(await sent()).toBe(before);
});

test('of two payments, each is told what became of it', async () => {
	const before = await sent();
	await faults.hit('drop-transaction', WRITE);
	await runs.run(SEVERAL);
	const [latest] = await chain.history(user('Nelly').address);
	expect(told(SEVERAL)).toEqual([
		expect.stringMatching(new RegExp(`^Arrived: .*/${latest?.hash}$`)),
		expect.stringMatching(/^Not seen yet: transaction (0x[0-9a-f]{64}), .*\/\1$/),
	]);
	expect(await faults.requestsFor(WRITE)).toBe(2);
	expect(await sent()).toBe(before + 1);
});

test('two payments are told in the end also when one of them cannot be looked for', async () => {
	const before = told(SEVERAL).length;
	await faults.hit('drop-transaction', WRITE);
	// If found, it leaves by the error output, and the other one by that of *Seen?*: n8n counts each as a run.
	await faults.hit('status-text', `/v1/users/${user('Nelly').id}`, {
		params: { status: 403 },
		times: 1000,
	});
	await runs.run(SEVERAL);
	const notSeen = expect.stringMatching(/^Not seen yet: transaction 0x/);
	expect(told(SEVERAL).slice(before)).toEqual([notSeen, notSeen]);
});

test(
	'n8n that is killed in the wait confirms once after its next start, and sends nothing again',
	async () => {
		const before = await sent();
		const execution = await runs.start(EXAMPLE);
		expect((await runs.read(execution)).status).toBe('waiting');
		expect(await sent()).toBe(before + 1);
		process.kill(n8n.pid, 'SIGKILL');
		await n8n.ended;
		expect(told(EXAMPLE)).toEqual([]);
		await start();
		const client = await signInAsOwner(n8n.url);
		await until(async () => (await client.executionStatuses(EXAMPLE))[0] === 'success');
		expect(await client.executionStatuses(EXAMPLE)).toEqual(['success']);
		expect(told(EXAMPLE)).toEqual([
			expect.stringMatching(/^Arrived: 1\.5 SUSD to Rahul Sen\. See /),
		]);
		expect(await sent()).toBe(before + 1);
		expect(await faults.requestsFor(WRITE)).toBe(1);
	},
	LONG,
);

// The last one: the payment is blocked after it.
test('a write that is answered by nothing is told so, and not looked for', async () => {
	// n8n was started again.
	runs = await ExampleRuns.prepare(n8n.url, await signInAsOwner(n8n.url));
	const before = await sent();
	await faults.hit('drop-after', WRITE);
	expect(await run()).toEqual({
		messages: [expect.stringMatching(/^It may have been sent: /)],
		looks: 0,
	});
	expect(await sent()).toBe(before + 1);
});
