/**
 * What a person is shown before a payment, and after a failure: who gets how much, whatever strangers call themselves, and no
 * element of theirs.
 */
import type { Page } from '../../../tools/editor/browser.mts';
import { propose, PAYMENT_EXAMPLE, proposal } from '../../../tools/model/agent-example.mts';
import { startChatModel } from '../../../tools/model/chat-model.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import { fillPaymentsTable, PAYMENTS_TABLE } from '../../../tools/start/payments-table.mts';
import { listWithoutOrders, readExample } from '../../support/n8n/examples.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { editor, n8n } from '../support/shared-editor.mts';

const PAGE = '<iframe src="https://words.example" height="900">';
const PICTURE = '<img src="https://words.example/picture.png"';

/** Names that n8n's pages would take for HTML or line breaks, or that would fill or cover the page; and what they show of them. */
const NAMES: Record<string, readonly [given: string, shown: string]> = {
	'an unclosed comment': ['Rahul Sen <!--', 'Rahul Sen !--'],
	'an unclosed paragraph': ['Rahul <p ', 'Rahul p'],
	'a page': [PAGE, 'iframe src="https //words.example" height="900"'],
	'a picture': [PICTURE, 'img src="https //words.example/picture.png"'],
	'line breaks': [String.raw`Rahul\n\nTotal: 0 SUSD`, 'Rahul n nTotal 0 SUSD'],
	'escaped HTML': ['&lt;b&gt;Rahul&lt;/b&gt;', 'lt b gt Rahul lt /b gt'],
	'marks above marks': [`Rahul${'\u0301'.repeat(500)}`, 'Rahu'],
	'letters that become sentences': ['\ufdfa'.repeat(100_000), 'صلى الله'],
};

/** User IDs of the same kind; the last is an ordinary one. */
const IDS = ['CHESS-bob<!--', `CHESS-bob${PAGE}`, String.raw`CHESS-bob\n\nYes`, 'CHESS-bob'];

/** Gives a name to a user ID, whose wallet is a seeded user's. */
async function giveName(id: string, username: string): Promise<void> {
	const { address } = n8n.user('Rahul Sen');
	const body = JSON.stringify({ id, provider: 'CHESS', username, address, imageSrc: '' });
	const path = `/v1/users/${encodeURIComponent(id)}`.replace(/[.()]/g, '\\$&');
	await n8n.faults.hit('wrong-shape', path, { params: { body }, times: 9 });
}

async function withPage<T>(use: (page: Page) => Promise<T>): Promise<T> {
	const page = await editor.page.context().newPage();
	try {
		return await use(page);
	} finally {
		await page.close();
	}
}

/** The visible lines of the form that an execution waits with, below its title. */
async function linesOfForm(execution: string): Promise<string[]> {
	const path = await n8n.executions.form(execution);
	return await withPage(async (page) => {
		await page.goto(`${n8n.url}${path}`);
		const header = page.locator('.form-header').first();
		const [text] = await header.allInnerTexts();
		expect(await header.locator('p').locator('*').count()).toBe(0);
		return (text ?? '')
			.split('\n')
			.slice(1)
			.filter((line) => line.trim() !== '');
	});
}

/** A line that begins with a name, of at most 60 characters, and ends with this in brackets. */
const lineOf = (shown: string, end: string): unknown => {
	const [name, inBrackets] = [shown, end].map((text) => text.replace(/[.*?()\\]/g, '\\$&'));
	return expect.stringMatching(new RegExp(`^(?=${name})[^(]{1,60} \\(${inBrackets}\\)$`));
};

describe('an AI agent proposes a payment', () => {
	const [user = ''] = IDS;

	beforeAll(async () => {
		const model = await n8n.resources.use(
			startChatModel((turn) =>
				turn.results.length === 0 ? propose(turn) : [proposal(user, '1.25')],
			),
		);
		await n8n.client.changeCredential(modelCredential(`${model.url}/v1`, 'not needed'));
	});

	test.each(Object.keys(NAMES))('to somebody called %s', async (kind) => {
		const [given = '', shown = ''] = NAMES[kind] ?? [];
		await giveName(user, given);
		const execution = await n8n.executions.start(PAYMENT_EXAMPLE);
		const [sentence, ...others] = (await linesOfForm(execution)).reverse();
		expect(others.reverse()).toEqual([
			'Amount: 1.25 SUSD',
			`Recipient's wallet: ${n8n.user('Rahul Sen').address}`,
			`Token's contract: ${n8n.contracts.usd}`,
			`Paid by: ${n8n.user().id} on sandbox`,
		]);
		expect(sentence).toMatch(/, on sandbox$/);
		const [before = ''] = sentence?.split(', on ') ?? [];
		const [, who] = before.split(`Would send 1.25 SUSD from ${n8n.user().id} to `);
		expect(who).toEqual(lineOf(shown, String.raw`"CHESS-bob\u003c!--", 0x3C44…93BC`));
		await n8n.executions.answer(execution, 'No');
	});
});

test('Pay a list shows the total, what is twice, and the wallet and the amount of each row', async () => {
	await fillPaymentsTable(n8n.client, n8n.service.ready);
	for (const { id } of await n8n.client.dataTableRows(PAYMENTS_TABLE))
		await n8n.client.changeDataTableRow(PAYMENTS_TABLE, Number(id), { state: 'not to pay' });
	const rows = [
		...Object.values(NAMES).map(([given, shown], index) => ({
			id: `CHESS-${index}`,
			given,
			shown,
		})),
		...IDS.map((id) => ({ id, given: 'Bob', shown: 'Bob' })),
	];
	for (const { id, given } of rows) await giveName(id, given);
	await n8n.client.addDataTableRows(
		PAYMENTS_TABLE,
		rows.map(({ id: recipient }) => ({ recipient, amount: '1.25', state: 'to pay' })),
	);
	const list = await n8n.client.createWorkflow(await listWithoutOrders('payListPlain'));
	const execution = await n8n.executions.start(list);
	const payment = `1.25 SUSD to ${n8n.user('Rahul Sen').address}`;
	const [first] = Object.values(NAMES);
	expect(await linesOfForm(execution)).toEqual([
		`Paid by: ${n8n.user().id} on sandbox`,
		`Payments: ${rows.length}`,
		`Total: ${1.25 * rows.length} SUSD`,
		`Token's contract: ${n8n.contracts.usd}`,
		`${rows.length} times in the list: ${payment}`,
		lineOf(first?.[1] ?? '', 'CHESS-0'),
		...rows.flatMap(({ id, shown }) => [payment, lineOf(shown, encodeURIComponent(id))]),
	]);
	await n8n.executions.answer(execution, 'No');
});

test('the mail of Transfer history as a table contains every row, and no foreign element', async () => {
	const transfers = Object.values(NAMES).map(([given]) => ({
		type: 'TRANSFER',
		to: { username: given, platform: 'CHESS', address: n8n.user('Rahul Sen').address },
		amount: {
			valueBn: { type: 'BigNumber', hex: '0x05' },
			formatted: 5,
			decimals: 0,
			symbol: given,
			name: given,
			tokenAddress: n8n.contracts.usd,
			network: 'SANDBOX',
			chainId: 1,
		},
		timestamp: '2026-11-21T12:00:00.000Z',
		hash: `0x${'5'.repeat(64)}`,
		explorerUrl: 'http://127.0.0.1/tx',
	}));
	await n8n.faults.hit('wrong-shape', '/v1/users/[^/]*/history', {
		params: { body: JSON.stringify(transfers) },
	});
	const execution = await n8n.executions.start('walletHistory001');
	const [mail] = readWorkflowRun(await n8n.executions.read(execution)).items('Table for a Mail');
	await withPage(async (page) => {
		await page.setContent(String(mail?.table));
		const cells = page.locator('tbody td');
		expect(await cells.allInnerTexts()).toHaveLength(transfers.length * 6);
		expect(await cells.locator('*').count()).toBe(0);
	});
});

test("the error of a node shows a service's words as text", async () => {
	await n8n.faults.hit('failed', WRITE, { params: { error: `Not possible: ${PICTURE} ${PAGE}` } });
	// The editor does not send again what the workflow of the example has sent just now.
	await n8n.client.createWorkflow({ ...(await readExample('send-a-token')), id: 'refusedSend' });
	await editor.openWorkflow('refusedSend');
	await editor.pressExecute();
	await editor.page.getByText('Not possible').first().waitFor();
	await editor.openNode('Send 1.5 SUSD to Rahul');
	await editor.part('node-error-message').getByText('Not possible').first().waitFor();
	expect(await editor.page.locator('[src*="words.example"]').count()).toBe(0);
	await editor.closeNode();
});
