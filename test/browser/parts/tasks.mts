/**
 * Everyday tasks, done in n8n's editor by somebody who knows their work, their users and amounts such as 12.5, but not code,
 * JSON or addresses. Each task has a maximum number of steps; `Person` defines a step.
 */
import { Person } from '../support/person.mts';
import { builder, dollars, editor, n8n } from '../support/shared-editor.mts';

async function inEmptyWorkflow(limit: number): Promise<Person> {
	await editor.openNewWorkflow();
	return new Person(editor, limit);
}

async function atHome(limit: number): Promise<Person> {
	await editor.openHome();
	return new Person(editor, limit);
}

test('first contact: the workflow Start here lists the users, and runs: 3 steps', async () => {
	const newcomer = await atHome(3);
	await newcomer.openWorkflow('Start here');
	for (const { username } of n8n.service.ready.users) {
		await editor.part('canvas').getByText(username).first().waitFor();
	}
	await newcomer.executeWorkflow('Dollar Balances');
	await newcomer.openNode('Dollar Balances');
	const [columns = [], ...rows] = await editor.outputTable();
	const amounts = rows.map((cells) => cells[columns.indexOf('amount')]);
	expect(amounts).toEqual(
		await Promise.all((['Nelly', 'Rahul Sen', 'mika_dev', 'newcomer'] as const).map(dollars)),
	);
});

test('the balance of a token, from an empty workflow: 8 steps', async () => {
	const nelly = await inEmptyWorkflow(8);
	await nelly.addFirst('check balance', 'Get token balance');
	await nelly.chooseToken('SUSD');
	const [row] = await nelly.executeStep();
	expect(row).toMatchObject({
		userId: n8n.user('Nelly').id,
		symbol: 'SUSD',
		amount: await dollars('Nelly'),
	});
});

test('which of 4 wallets is below 100 tokens, checked every day, from an empty workflow: 12 steps', async () => {
	const names = ['Nelly', 'Rahul Sen', 'mika_dev', 'newcomer'] as const;
	const person = await inEmptyWorkflow(12);
	await person.click('Add first step', editor.part('node-creator-plus-button'));
	await person.click('On a schedule', builder.entry('On a schedule'));
	await person.click('Close', editor.part('ndv-close-button'));
	await person.addNext('check balance', 'Get token balance');
	await person.fill('userId', names.map((name) => n8n.user(name).id).join(', '));
	await person.chooseToken('SUSD');
	await person.fill('compareWith', '100');
	const rows = await person.executeStep();
	const below = rows.filter(({ comparison }) => comparison === 'below');
	expect(rows).toHaveLength(4);
	expect(below.map(({ userId }) => userId)).toEqual([
		n8n.user('mika_dev').id,
		n8n.user('newcomer').id,
	]);

	// A few more steps restrict the output to these two wallets.
	const more = new Person(editor, 3);
	await more.select('onlyWhere', 'Below');
	await more.click('Execute step', editor.part('node-execute-button'));
	await editor.part('output-panel').getByText('2 items').waitFor();
});

/** The transfers in a sent transaction, according to the chain. */
async function movedBy(row: Record<string, string> | undefined): Promise<unknown> {
	return (await n8n.chain.transaction(row?.hash ?? '')).transfers;
}

test('12.5 tokens sent to Rahul, from the example: 8 steps', async () => {
	const nelly = await atHome(8);
	await nelly.openWorkflow('Send a token');
	await nelly.openNode('Send 1.5 SUSD to Rahul');
	await nelly.chooseToken('SUSD');
	await nelly.fill('recipient', n8n.user('Rahul Sen').id);
	await nelly.fill('amount', '12.5');
	const [row] = await nelly.executeStep();
	expect(row?.summary).toMatch(/12\.5 SUSD/);
	expect(await movedBy(row)).toMatchObject([
		{ to: n8n.user('Rahul Sen').address, value: '12500000' },
	]);
});

test('12.5 tokens sent to Rahul, from an empty workflow: 10 steps', async () => {
	const nelly = await inEmptyWorkflow(10);
	await nelly.addFirst('send money', 'Send tokens');
	await nelly.chooseToken('SUSD');
	await nelly.fill('recipient', n8n.user('Rahul Sen').id);
	await nelly.fill('amount', '12.5');
	await editor.setHeight(720);
	const { y = 720 } = (await editor.part('parameter-input-preview').boundingBox()) ?? {};
	expect(y).toBeLessThan(720);
	const [row] = await nelly.executeStep();
	expect(row).toMatchObject({ recipientName: 'Rahul Sen' });
	await editor.part('output-panel').getByText('Sent. Pin this output').waitFor();
	expect(await movedBy(row)).toMatchObject([
		{ to: n8n.user('Rahul Sen').address, value: '12500000' },
	]);
});

test('whether it arrived, after sending: 6 steps', async () => {
	const nelly = new Person(editor, 6);
	await nelly.click('Close', editor.part('ndv-close-button'));
	await nelly.addNext('payment arrived', 'Find transfer in history');
	const [row] = await nelly.executeStep();
	expect(row?.summary).toMatch(/^Arrived: 12\.5 SUSD to Rahul Sen/);
	expect(row).toMatchObject({ amount: '12.5', symbol: 'SUSD' });
	expect(Object.values(row ?? {})).toContain('true');
});

test('an invalid amount or recipient is explained: 2 steps each, and nothing is sent', async () => {
	const before = await dollars('Nelly');
	await editor.openWorkflow('walletSend000001');
	await editor.openNode('Send 1.5 SUSD to Rahul');
	const panel = editor.part('output-panel');
	for (const [parameter, wrong, right, message, advice] of [
		['amount', '12,5', '12.5', '"12,5" has a comma', 'Write a decimal point, not a comma: 12.5'],
		[
			'recipient',
			'Rahul',
			n8n.user('Rahul Sen').id,
			'"Rahul" is neither a user ID',
			'A user ID looks',
		],
		['amount', '30000', '12.5', '30000 needed', 'Nothing was sent'],
	] as const) {
		const nelly = new Person(editor, 2);
		await nelly.fill(parameter, wrong);
		await nelly.click('Execute step', editor.part('node-execute-button'));
		await panel.getByText(message).first().waitFor();
		await panel.getByText(advice).first().waitFor();
		await editor.part(`parameter-input-${parameter}`).locator('input').fill(right);
	}
	expect(await dollars('Nelly')).toBe(before);
});

test('an error on the canvas names its field: 2 steps; with a right value the payment is sent', async () => {
	const before = await n8n.sent();
	const nelly = await atHome(2);
	await nelly.openWorkflow('Send a token');
	await editor.openNode('Send 1.5 SUSD to Rahul');
	await editor.fillIn('amount', '12,5');
	await builder.closePanel();
	await nelly.click('Execute workflow', editor.part('execute-workflow-button'));
	await editor.page.getByText('Amount: "12,5" has a comma').first().waitFor();
	// The value of the example: n8n saves what is executed, and `examples.mts` executes this workflow later.
	await editor.openNode('Send 1.5 SUSD to Rahul');
	await editor.fillIn('amount', '1.5');
	await builder.closePanel();
	await editor.execute('Send 1.5 SUSD to Rahul');
	expect(await n8n.sent()).toBe(before + 1);
});

test('a row for each incoming transfer, in a table of n8n: 10 steps', async () => {
	const nelly = await atHome(10);
	await nelly.openWorkflow('Incoming transfers into a table');
	await nelly.executeWorkflow('Insert Rows');
	await nelly.click('Home', editor.part('project-home-menu-item'));
	await nelly.click('Data tables', editor.part('tab-data-tables'));
	await nelly.click('Incoming transfers', editor.part('data-table-card-link').first());
	// The latest transfer to the two users that the example watches was sent by the preceding tests.
	const [latest] = await n8n.chain.history(n8n.user('Rahul Sen').address);
	const table = editor.part('data-table-grid');
	for (const text of [n8n.user('Rahul Sen').id, latest?.hash ?? '', latest?.amount ?? '']) {
		await table.getByText(text, { exact: true }).first().waitFor();
	}
});

test('the latest transfers, with the essentials visible: 6 steps', async () => {
	const nelly = await inEmptyWorkflow(6);
	await nelly.addFirst('transaction history', 'Get many token transfers');
	const rows = await nelly.executeStep();
	const history = await n8n.chain.history(n8n.user('Nelly').address);
	expect(rows.map(({ hash }) => hash)).toEqual(history.map(({ hash }) => hash));
	expect(Object.keys(rows[0] ?? {}).length).toBeLessThanOrEqual(10);
	const panel = await editor.part('output-panel').boundingBox();
	const headers = editor.part('output-panel').locator('table th');
	const inSight = await headers.evaluateAll(
		(cells, edge) =>
			cells
				.filter((cell) => cell.getBoundingClientRect().left < edge)
				.map((cell) => cell.textContent.trim()),
		(panel?.x ?? 0) + (panel?.width ?? 0),
	);
	expect(inSight).toEqual(['timestamp', 'direction', 'amount', 'symbol']);
});

test('a value of a contract, from an empty workflow: 9 steps', async () => {
	const { contracts } = n8n;
	const person = await inEmptyWorkflow(9);
	await person.addFirst('smart contract', 'Read contract value');
	await person.fill('contractAddress', contracts.usd);
	// The function for the balance of an address is preselected.
	await person.select('readFunction', 'Total Supply of a Token');
	const [row] = await person.executeStep();
	const [supply] = await n8n.chain.read(
		contracts.usd,
		'function totalSupply() view returns (uint256)',
	);
	expect(row?.value).toBe(String(supply));
});

test('an NFT sent to Rahul, from the example: 7 steps', async () => {
	const { id, address } = n8n.user('Rahul Sen');
	const nelly = await atHome(7);
	await nelly.openWorkflow('Send an NFT');
	await nelly.openNode('Send SART #1 to Rahul');
	await nelly.chooseToken('SART');
	await nelly.fill('recipient', id);
	await nelly.fill('pieceId', '1');
	const [row] = await nelly.executeStep();
	expect(row).toMatchObject({ symbol: 'SART', tokenId: '1', recipientName: 'Rahul Sen' });
	const ownerOf = 'function ownerOf(uint256 tokenId) view returns (address)';
	expect(await n8n.chain.read(n8n.contracts.art, ownerOf, ['1'])).toEqual([address]);
});

test('the node as a tool of an agent, tried out: 8 steps', async () => {
	const nelly = await atHome(8);
	await nelly.openWorkflow('AI agent with read-only wallet tools');
	const tools = editor.page.locator('[data-handleid="inputs/ai_tool/0"]');
	await nelly.waitForPanel();
	await nelly.click('+ of Tool', tools.locator('[data-test-id="canvas-handle-plus"]'));
	await nelly.type('the search', editor.part('node-creator-search-bar'), 'wallet');
	await nelly.click('Wallet Service Tool', builder.entry('Wallet Service Tool'));
	const userId = editor.part('userId-parameter-input-persistent-options-container');
	await nelly.click(
		'Let the model define this parameter',
		userId.locator('[data-test-id="from-ai-override-button"]'),
	);
	await nelly.click('Execute step', editor.part('node-execute-button'));
	const question = editor.part('fromAiParameters-modal');
	const { id, address } = n8n.user('Rahul Sen');
	await nelly.type('User_ID', question.locator('input'), id);
	await nelly.click('Execute step', question.getByRole('button', { name: 'Execute step' }));
	await editor
		.part('output-panel')
		.getByText((await n8n.chain.getBalance(address)).toString())
		.first()
		.waitFor();
});
