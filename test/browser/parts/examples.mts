/**
 * The examples as a person encounters them: they are readable in the editor, and do what their notes say when the biggest button
 * is clicked.
 */
import type { Page } from '../../../tools/editor/browser.mts';
import { fillPaymentsTable, PAYMENTS_TABLE } from '../../../tools/start/payments-table.mts';
import { Service } from '../../support/sandbox/service.mts';
import { until } from '../../support/until.mts';
import { dollars, editor, n8n, useService } from '../support/shared-editor.mts';

/** Size of the window in which examples must be readable, and the smallest readable font size, in CSS pixels. */
const WINDOW = { width: 1440, height: 900 };
const SMALLEST = 12;

beforeAll(async () => await fillPaymentsTable(n8n.client, n8n.service.ready));

const button = () => editor.part('execute-workflow-button');

/** Connections that run behind a node or a note. Each line ends beside its own two nodes. */
async function hiddenConnections(): Promise<string[]> {
	return await editor.page
		.locator('.vue-flow__edge-path')
		.evaluateAll((lines: SVGPathElement[]) => {
			const selector = '[data-test-id="canvas-node"], [data-test-id="sticky"]';
			const boxes = [...document.querySelectorAll(selector)].map((box) => ({
				name: box.getAttribute('data-node-name') ?? 'a note',
				box: box.getBoundingClientRect(),
			}));
			return lines.flatMap((line) => {
				const source = line
					.closest('[data-source-node-name]')
					?.getAttribute('data-source-node-name');
				const points = Array.from({ length: Math.ceil(line.getTotalLength()) }, (_, length) =>
					line.getPointAtLength(length).matrixTransform(line.getScreenCTM() ?? undefined),
				);
				return boxes
					.filter(({ box: { left, right, top, bottom } }) =>
						points.some(({ x, y }) => x > left && x < right && y > top && y < bottom),
					)
					.map(({ name }) => `a line from ${source} is behind ${name}`);
			});
		});
}

/** Problems with the canvas as opened: notes that are too small or cut off, nodes below the button, and hidden connections. */
async function faultsOfCanvas(): Promise<string[]> {
	const execute = await button().boundingBox();
	const covered = await editor.part('canvas-node').evaluateAll(
		(nodes, box) =>
			nodes
				.filter((node) =>
					[node, ...node.querySelectorAll('*')].some((part) => {
						const { left, right, top, bottom } = part.getBoundingClientRect();
						const isBeside = left >= box.x + box.width || right <= box.x;
						return right > left && !isBeside && top < box.y + box.height && bottom > box.y;
					}),
				)
				.map((node) => `${node.getAttribute('data-node-name')} is below the button`),
		execute ?? { x: 0, y: 0, width: 0, height: 0 },
	);
	const notes = await editor.part('sticky').evaluateAll(
		(all, smallest) =>
			all.flatMap((note) => {
				const { bottom, height } = note.getBoundingClientRect();
				const parts = [...note.querySelectorAll('p, li, td')];
				const title = note.querySelector('h2, h3')?.textContent;
				// The canvas is scaled as a whole, which the computed font size does not reflect.
				const zoom = height / note.clientHeight;
				const size = Math.min(...parts.map((part) => parseFloat(getComputedStyle(part).fontSize)));
				const end = Math.max(...parts.map((part) => part.getBoundingClientRect().bottom));
				return [
					...(size * zoom < smallest ? [`${title}: ${(size * zoom).toFixed(1)} px`] : []),
					...(end > bottom ? [`${title}: cut off`] : []),
				];
			}),
		SMALLEST,
	);
	return [...covered, ...notes, ...(await hiddenConnections())];
}

/** Opens an example, and checks its canvas. */
async function open(id: string): Promise<void> {
	await editor.page.setViewportSize(WINDOW);
	await editor.openWorkflow(id);
	await button().waitFor();
	expect(await faultsOfCanvas()).toEqual([]);
}

/** The output of a node that has run, by column. */
async function outputOf(name: string): Promise<Record<string, string>[]> {
	await editor.ranSuccessfully(name);
	await editor.openNode(name);
	const [columns = [], ...rows] = await editor.outputTable();
	await editor.closeNode();
	return rows.map((cells) =>
		Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
	);
}

/** Executes an example with its button, and returns the output of its last node. */
async function result(id: string, lastNode: string): Promise<Record<string, string>[]> {
	await open(id);
	await button().click();
	return await outputOf(lastNode);
}

/** Executes an example with its button, and checks that the output of its last node contains the text. */
async function shows(id: string, lastNode: string, text: string | RegExp): Promise<void> {
	await open(id);
	await button().click();
	await editor.ranSuccessfully(lastNode);
	await editor.openNode(lastNode);
	await editor.part('output-panel').getByText(text).first().waitFor();
}

test('Send and confirm starts, and waits', async () => {
	// The last test of this file checks the outcome.
	const before = await n8n.sent();
	await open('walletWriteWait1');
	await button().click();
	await editor.ranSuccessfully('Send 1.5 SUSD to Rahul');
	expect(await n8n.sent()).toBe(before + 1);
});

test('Start here outputs one item for each user', async () => {
	const amounts = (await result('walletStart00001', 'Dollar Balances')).map(({ amount }) => amount);
	const names = ['Nelly', 'Rahul Sen', 'mika_dev', 'newcomer'] as const;
	expect(amounts).toEqual(await Promise.all(names.map(dollars)));
});

test('Send a token sends, and states the recipient', async () => {
	const [sent] = await result('walletSend000001', 'Send 1.5 SUSD to Rahul');
	expect(sent?.summary).toContain('1.5 SUSD');
	const { transfers } = await n8n.chain.transaction(sent?.hash ?? '');
	expect(transfers).toMatchObject([{ to: n8n.user('Rahul Sen').address, value: '1500000' }]);
});

// Its NFT has been sent by a task.
test('Send an NFT is readable', async () => await open('walletSendNft001'));

test('Scheduled balance check outputs an alert for each low balance', async () => {
	const alerts = (await result('walletBalances01', 'Alert')).map(({ alert }) => alert);
	expect(alerts).toContain(`${n8n.user('mika_dev').id} has only 0 SUSD, 165.75 below the minimum`);
});

test('Transfer history as a table outputs a row for each transfer', async () => {
	const rows = await result('walletHistory001', 'One Row per Transfer');
	const columns = ['When', 'Direction', 'To', 'Amount', 'Asset', 'Transaction'];
	expect(Object.keys(rows[0] ?? {})).toEqual(columns);
	const transfers = await n8n.chain.transfers(n8n.user('Nelly').address);
	const { explorerUrl } = n8n.service.ready;
	expect(rows.map(({ Transaction }) => Transaction)).toEqual(
		transfers.map(({ hash }) => `${explorerUrl}/tx/${hash}`),
	);
});

/**
 * Executes the open example, and returns the form that it waits with. The window that n8n opens for it stays empty if it asks
 * for the form before n8n has saved that the execution waits (`waiting-forms.js` of n8n 2.41).
 */
async function executeUntilForm(id: string): Promise<Page> {
	const context = editor.page.context();
	const asked = context.waitForEvent('request', (request) =>
		request.url().includes('/form-waiting/'),
	);
	await button().click();
	const url = (await asked).url();
	const [execution = ''] = await n8n.executions.underWay(id);
	await until(async () => (await n8n.executions.read(execution)).status === 'waiting');
	const form = await context.newPage();
	await form.goto(url);
	return form;
}

test('Pay a list from a table shows a form with wallets and names, and pays after approval', async () => {
	const kept = await n8n.resources.use(Service.start({ SANDBOX_WRITE_KEYS: '1' }));
	await useService(kept);
	await open('walletPayList001');
	const form = await executeUntilForm('walletPayList001');
	const { address, id } = kept.user('Rahul Sen');
	await form.getByText(`1.5 SUSD to ${address} Rahul Sen (${id})`).waitFor();
	await form.getByText('Total: 3.750001 SUSD').waitFor();
	await form.locator('select').selectOption({ label: 'Yes, pay' });
	await form.getByRole('button', { name: 'Submit' }).click();
	await editor.ranSuccessfully('Mark as Submitted');
	const rows = async () => await n8n.client.dataTableRows(PAYMENTS_TABLE);
	await until(async () => (await rows()).every(({ state }) => state === 'submitted'));
	for (const page of form.context().pages()) if (page !== editor.page) await page.close();
	await useService(n8n.service);
});

test('Reconcile payments pays when started with the arrow on its button, and then sees the transfer', async () => {
	await open('walletReconcile1');
	const rows = async () => await n8n.client.dataTableRows('Payments to reconcile');
	const choose = async (trigger: string) => {
		await editor.page.getByLabel('Select trigger node').click();
		await editor.part(`action-${trigger}`).click();
		await button().click();
	};
	await choose('Run It Now');
	await editor.ranSuccessfully('Mark as Submitted');
	expect(await rows()).toMatchObject([{ state: 'submitted', amount: '1.5' }]);
	await choose('Outgoing Transfer');
	await editor.ranSuccessfully('Mark as Seen');
	expect(await rows()).toMatchObject([{ state: 'seen' }]);
});

test('Alert when a wallet runs low shows what an alert looks like', async () => {
	await shows('walletLowAlert01', 'Alert', / has only [\d.]+ SUSD left$/);
});

test('Thank-you message thanks for the latest transfer', async () => {
	const [latest] = await n8n.chain.history(n8n.user('Rahul Sen').address);
	const link = `${n8n.service.ready.explorerUrl}/tx/${latest?.hash}`;
	const thanks = `Thank you for 1.5 SUSD! You can see the transfer at ${link}`;
	await shows('walletThanks0001', 'Send the Message', thanks);
});

test('Contract read outputs three values', async () => {
	const [supply] = await result('walletRead000001', 'Total Supply');
	const signature = 'function totalSupply() view returns (uint256)';
	const [total] = await n8n.chain.read(n8n.contracts.usd, signature);
	expect(supply?.value).toBe(String(total));
	await editor.ranSuccessfully('Token Balance');
	await editor.ranSuccessfully('Several Values');
});

test('Monthly statement as a file creates a file', async () => {
	// Must follow all tests that check an output: from here on, n8n keeps showing files.
	await open('walletStatement1');
	await button().click();
	await editor.ranSuccessfully('Statement as CSV');
	await editor.openNode('Statement as CSV');
	const month = new Date().toISOString().slice(0, 7);
	await editor.part('output-panel').getByText(`statement-${month}.csv`).first().waitFor();
});

// `tasks.mts` runs *Incoming transfers into a table*; the other examples need an account, a caller, a model or a mail server.
test.each([
	...['walletIncoming01', 'walletAccount001', 'walletWebhook001'],
	...['walletAgent00001', 'walletAgentPay01', 'walletRefund0001'],
])('%s is readable', async (id) => await open(id));

test('Send and confirm has reported the arrival, with one transfer', async () => {
	const ended = async () => await n8n.executions.ended('walletWriteWait1');
	await until(async () => (await ended()).length > 0);
	expect(await ended()).toMatchObject([{ status: 'success' }]);
	expect(await n8n.executions.underWay('walletWriteWait1')).toEqual([]);
});
