/** The examples that confirm payments, over a service that reports what became of a transaction: a revert is no wait. */
import { startCollector, type Collector } from '../support/n8n/collector.mts';
import { pollingExample, postingExample } from '../support/n8n/trigger-workflow.mts';
import { useN8n } from '../support/n8n/use-n8n.mts';

const CONFIRMING = 'confirming';
const RECONCILING = 'reconciling';
const REVERTED =
	'Reverted: [\\d.]+ SUSD to Rahul Sen \\(0x\\w{4}…\\w{4}\\)\\. The transaction ran out of gas';
const TABLE = 'Payments to reconcile';

let collector: Collector;
const n8n = useN8n({ env: { SANDBOX_WRITE_KEYS: '1' } });

beforeAll(async () => {
	collector = await n8n.resources.use(startCollector());
	const files = ['send-and-confirm', CONFIRMING, 'Notify Somebody', collector.url] as const;
	const text = JSON.stringify(await postingExample(...files));
	await n8n.client.createWorkflow(JSON.parse(text.replace('"amount":70', '"amount":1')));
	await n8n.client.createWorkflow(await pollingExample('reconcile-payments', RECONCILING));
});

beforeEach(async () => await n8n.faults.add({ kind: 'revert-transaction', times: 1 }));

test('Send and confirm notifies at the first check that it has not arrived, and why, and ends as an error', async () => {
	const { status } = await n8n.executions.read(await n8n.executions.start(CONFIRMING));
	expect(collector.at(`/${CONFIRMING}`)).toEqual([
		{ message: expect.stringMatching(`^Not arrived: ${REVERTED}\\. It moved nothing.* See `) },
	]);
	expect(status).toBe('error');
	expect(await n8n.faults.requestsFor(`/v1/users/${n8n.user('Nelly').id}/history`)).toBe(1);
});

test('Reconcile payments tells the person the reason', async () => {
	await n8n.executions.read(await n8n.executions.start(RECONCILING));
	const [row] = await n8n.client.dataTableRows(TABLE);
	const submittedAt = new Date(Date.now() - 31 * 60_000).toISOString();
	await n8n.client.changeDataTableRow(TABLE, Number(row?.id), { submittedAt });
	const run = await n8n.client.execute(RECONCILING, 'Every Hour');
	expect(run.items('For a Person to Check')).toMatchObject([
		{ whatToDo: expect.stringMatching(`^${REVERTED}\\. It moved nothing`), error: '' },
	]);
});
