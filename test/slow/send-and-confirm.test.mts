/** The example that sends, waits, and reports the outcome: despite all faults, it sends once and reports once. */
import { startCollector, type Collector } from '../support/n8n/collector.mts';
import { postingExample } from '../support/n8n/trigger-workflow.mts';
import { useN8n } from '../support/n8n/use-n8n.mts';
import { WRITE } from '../support/sandbox/faults.mts';
import { until } from '../support/until.mts';

/** A copy of the example with all its waits. */
const EXAMPLE = 'asItIs';
/** A copy of the example with one-second waits, which n8n keeps in memory. */
const QUICK = 'quickly';
/** The quick copy, started with two items. */
const SEVERAL = 'several';
const PINNED = '"pinData":{"Run It Now":[{"json":{}},{"json":{}}]}';

let collector: Collector;
const n8n = useN8n();

beforeAll(async () => {
	collector = await n8n.resources.use(startCollector());
	const create = async (id: string, change: (text: string) => string = String) => {
		const [file, lastNode] = ['send-and-confirm', 'Notify Somebody'];
		const text = JSON.stringify(await postingExample(file, id, lastNode, collector.url));
		await n8n.client.createWorkflow(JSON.parse(change(text)));
	};
	const quicker = (text: string) => text.replace('"amount":70', '"amount":1');
	await create(EXAMPLE);
	await create(QUICK, quicker);
	await create(SEVERAL, (text) => quicker(text).replace('"pinData":{}', PINNED));
});

const told = (path: string) => collector.at(`/${path}`).map(({ message }) => message);

/** Runs the quick copy to its end; returns the reports, the number of checks, and how the execution ended. */
async function run() {
	const before = told(QUICK).length;
	const { status } = await n8n.executions.read(await n8n.executions.start(QUICK));
	const checks = await n8n.faults.requestsFor(`/v1/users/${n8n.user('Nelly').id}/history`);
	expect(await n8n.faults.requestsFor(WRITE)).toBe(1);
	return { messages: told(QUICK).slice(before), checks, status };
}

test('a late transfer is confirmed once, by the check that sees it, even if an earlier check failed', async () => {
	const before = await n8n.sent();
	await n8n.faults.hit('status-text', '.*/history', { params: { status: 403 } });
	await n8n.faults.hit('history-lag', '.*/history', { params: { blocks: 1 }, times: 2 });
	const { messages, checks, status } = await run();
	expect(status).toBe('success');
	const [latest] = await n8n.history();
	const page = `${n8n.service.ready.explorerUrl}/tx/${latest?.hash}`;
	expect(messages).toEqual([
		expect.stringMatching(new RegExp(`^Arrived: 1\\.5 SUSD to Rahul Sen \\(.*\\)\\. See ${page}$`)),
	]);
	expect(checks).toBe(3);
	expect(await n8n.sent()).toBe(before + 1);
});

test('a dropped transfer is not seen in ten checks; this is reported once, and never as a failure', async () => {
	const [before, transfers] = [await n8n.sent(), await n8n.history()];
	await n8n.faults.hit('drop-transaction', WRITE);
	const { messages, checks } = await run();
	expect(messages).toEqual([
		expect.stringMatching(
			/^Not seen yet: transaction (0x[0-9a-f]{64}), submitted at 20\S+Z\. .*Do not send again because of this\. See \S+\1$/,
		),
	]);
	expect(messages.join()).not.toMatch(/fail|undefined/i);
	expect(checks).toBe(10);
	expect(await n8n.sent()).toBe(before);
	expect(await n8n.history()).toEqual(transfers);
});

test('of two payments, each is reported with its outcome', async () => {
	const before = await n8n.sent();
	await n8n.faults.hit('drop-transaction', WRITE);
	await n8n.client.execute(SEVERAL);
	const [latest] = await n8n.history();
	expect(told(SEVERAL)).toEqual([
		expect.stringMatching(new RegExp(`^Arrived: .*/${latest?.hash}$`)),
		expect.stringMatching(/^Not seen yet: transaction (0x[0-9a-f]{64}), .*\/\1$/),
	]);
	expect(await n8n.faults.requestsFor(WRITE)).toBe(2);
	expect(await n8n.sent()).toBe(before + 1);
});

test('two payments are reported in the end even if one of them cannot be searched for', async () => {
	const before = told(SEVERAL).length;
	await n8n.faults.hit('drop-transaction', WRITE);
	// The found payment leaves by the error output of Find Transfer, the dropped one by the false output of Seen?: n8n counts
	// each as a run.
	await n8n.faults.hit('status-text', `/v1/users/${n8n.user('Nelly').id}`, {
		params: { status: 403 },
		times: 1000,
	});
	await n8n.client.execute(SEVERAL);
	const notSeen = expect.stringMatching(/^Not seen yet: transaction 0x/);
	expect(told(SEVERAL).slice(before)).toEqual([notSeen, notSeen]);
});

test('if n8n is killed during the wait, it confirms once after its next start, and sends nothing again', async () => {
	const before = await n8n.sent();
	const execution = await n8n.executions.start(EXAMPLE);
	expect((await n8n.executions.read(execution)).status).toBe('waiting');
	expect(await n8n.sent()).toBe(before + 1);
	await n8n.kill();
	expect(told(EXAMPLE)).toEqual([]);
	await n8n.start();
	await until(async () => (await n8n.executions.ended(EXAMPLE)).length > 0);
	expect(await n8n.executions.ended(EXAMPLE)).toMatchObject([{ status: 'success' }]);
	expect(await n8n.executions.underWay(EXAMPLE)).toEqual([]);
	expect(told(EXAMPLE)).toEqual([
		expect.stringMatching(/^Arrived: 1\.5 SUSD to Rahul Sen \(.*\)\. See /),
	]);
	expect(await n8n.sent()).toBe(before + 1);
	expect(await n8n.faults.requestsFor(WRITE)).toBe(1);
});

test.each([
	['that is refused', 'failed', /^Not sent: /, 0],
	// The last test, because its payment remains blocked.
	['without an answer', 'drop-after', /^It may have been sent: /, 1],
] as const)('a write %s is reported as such, and not searched for', async (...row) => {
	const [, kind, message, sent] = row;
	const before = await n8n.sent();
	await n8n.faults.hit(kind, WRITE);
	const messages = [expect.stringMatching(message)];
	expect(await run()).toEqual({ messages, checks: 0, status: 'error' });
	expect(await n8n.executions.lastError(QUICK)).toMatchObject({ message: messages[0] });
	expect(await n8n.sent()).toBe(before + sent);
});
