/**
 * The examples for people who do not write code, run in n8n as its editor runs them: their output, and the transactions they
 * send.
 */
import { readObject, readText } from '../../../tools/files/json.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import type { ListedTransfer } from '../../../tools/sandbox/chain.mts';
import { sandboxTokens } from '../../../tools/sandbox/tokens.mts';
import { fillPaymentsTable, PAYMENTS_TABLE } from '../../../tools/start/payments-table.mts';
import { nodesOf, parseMarkdown, textOf } from '../../support/docs/markdown.mts';
import { startCollector } from '../../support/n8n/collector.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { postingExample } from '../../support/n8n/trigger-workflow.mts';
import { WRITE } from '../../support/sandbox/faults.mts';
import { n8n } from '../support/shared-n8n.mts';

test('the notes of Start here list the actual users and tokens', async () => {
	const { nodes } = await readExample('start-here');
	const rowsOf = (name: string) => {
		const note = readObject(nodes.find((node) => node.name === name)?.parameters, name).content;
		const [, ...rows] = nodesOf(parseMarkdown(readText(note, 'the note')), 'tableRow');
		return rows.map(({ children }) => children.map(textOf));
	};
	const { users } = n8n.service.ready;
	const tokens = sandboxTokens(n8n.service.ready);
	expect(rowsOf('Users')).toEqual(users.map(({ username, id }) => [username, id]));
	expect(rowsOf('Tokens')).toEqual(
		tokens.map(({ symbol, name, address }) => [symbol, name, address]),
	);
	for (const { symbol, name, address } of tokens.slice(0, 2)) {
		const read = async (what: string) =>
			await n8n.chain.read(address, `function ${what}() view returns (string)`);
		expect([await read('symbol'), await read('name')]).toEqual([[symbol], [name]]);
	}
});

describe('Monthly statement as a file', () => {
	const SCHEDULE = 'First of the Month';
	const HEADER = 'Date,Transfer,Amount,Token,To,Transaction';

	/** The lines of the file that an execution created, without the dates. */
	async function statement(execution: string) {
		const { name, text } = await n8n.executions.file(execution, 'Statement as CSV');
		const [header, ...lines] = text
			.replace(/^\uFEFF/, '')
			.trimEnd()
			.split(/\r?\n/);
		return { name, header, lines: lines.map((line) => line.replace(/^[^,]*,/, '')) };
	}

	/** The expected lines for transfers. */
	function linesOf(transfers: ListedTransfer[]): string[] {
		const { ready } = n8n.service;
		const symbols = new Map(
			sandboxTokens(ready).map((one) => [one.address.toLowerCase(), one.symbol]),
		);
		const names = new Map(ready.users.map(({ address, username }) => [address, username]));
		return transfers.map(({ direction, amount, tokenAddress, toAddress, hash }) => {
			const what = `${direction} ${amount} ${symbols.get(tokenAddress) || 'pieces'}`;
			const who = direction === 'sent' ? ` to ${names.get(toAddress)}` : '';
			return [`${what}${who}`, amount, tokenAddress, toAddress, hash].join(',');
		});
	}

	test('run by hand, it lists all transfers of this month, with names', async () => {
		const execution = await n8n.executions.start('walletStatement1', SCHEDULE);
		const made = await statement(execution);
		expect(made).toEqual({
			name: `statement-${new Date().toISOString().slice(0, 7)}.csv`,
			header: HEADER,
			lines: linesOf(await n8n.history()),
		});
		expect(made.lines.join()).toContain('SUSD to Rahul Sen,');
	});

	test('on its schedule, a month later, it lists those of last month, and no later ones', async () => {
		const lastMonth = await n8n.history();
		await n8n.faults.hit('mine', '.*', { params: { seconds: 40 * 86_400 } });
		const args = [n8n.user('Nelly').address, '1'];
		await n8n.service.submit('Nelly', 'usd', 'mint(address,uint256)', args);
		expect((await n8n.history()).length).toBe(lastMonth.length + 1);
		const collector = await n8n.resources.use(startCollector());
		const [file, lastNode] = ['monthly-statement-file', 'Statement Lines'];
		const posting = await postingExample(file, 'later', lastNode, collector.url);
		// Every minute, starting in a few seconds.
		const second = new Date(Date.now() + 5_000).getSeconds();
		const rule = { interval: [{ field: 'cronExpression', expression: `${second} * * * * *` }] };
		const later = JSON.stringify(posting, (key, value: unknown) => (key === 'rule' ? rule : value));
		const text = later.replaceAll('$now', '$now.plus({ months: 1 })');
		await n8n.client.activateWorkflow(await n8n.client.createWorkflow(JSON.parse(text)));
		await collector.until('/later', lastMonth.length);
		const lines = collector
			.at('/later')
			.map(({ Transfer, Amount, Token, To, Transaction }) =>
				[Transfer, Amount, Token, To, Transaction].join(','),
			);
		// n8n posts all lines at once.
		expect(lines.sort()).toEqual(linesOf(lastMonth).sort());
	});
});

describe('Pay a list from a table', () => {
	const EXAMPLE = 'walletPayList001';
	/** Recipients of the rows, in order. */
	const PAID = ['Rahul Sen', 'mika_dev', 'StormRider', 'anna-k', 'newcomer'] as const;

	const rows = async () => await n8n.client.dataTableRows(PAYMENTS_TABLE);
	const states = async () => (await rows()).map(({ state }) => state);

	test('nobody is paid twice, whatever the outcome of a payment, and nobody without approval', async () => {
		await fillPaymentsTable(n8n.client, n8n.service.ready);
		const before = await n8n.sent();
		const page = await n8n.executions.answer(await n8n.executions.start(EXAMPLE), 'No');
		for (const [index, amount] of ['1.5', '2.25', '0.000001'].entries()) {
			const { id, address, username } = n8n.user(PAID[index]);
			const row = `${amount} SUSD to ${address} ${username} (${id})`;
			expect(page.replace(/\s+/g, ' ')).toContain(row);
		}
		expect(page).toContain('Total: 3.750001 SUSD');
		expect(await n8n.sent()).toBe(before);
		expect(await states()).toEqual(['to pay', 'to pay', 'to pay']);

		// Two people have the form open at the same time, and both approve.
		const first = await n8n.executions.start(EXAMPLE);
		const second = await n8n.executions.start(EXAMPLE);
		// The second payment is made, but its answer is lost.
		await n8n.faults.hit('status-text', WRITE, { params: { afterWork: true }, skip: 1 });
		await n8n.executions.answer(first, 'Yes, pay');
		expect(await n8n.sent()).toBe(before + 3);
		expect(await states()).toEqual(['submitted', 'unknown', 'submitted']);
		expect(await n8n.executions.lastError(EXAMPLE)).toMatchObject({
			message: `Not submitted: 2.25 to ${n8n.user(PAID[1]).id} (unknown). The column note has the reason`,
		});
		const paid = await rows();
		await n8n.executions.answer(second, 'Yes, pay');
		await n8n.client.execute(EXAMPLE);
		expect(await n8n.sent()).toBe(before + 3);
		expect((await rows()).map(({ state, hash }) => [state, hash])).toEqual(
			paid.map(({ state, hash }) => [state, hash]),
		);
		const made = (await n8n.history()).slice(0, 3).reverse();
		expect(made.map(({ amount, toAddress }) => [amount, toAddress])).toEqual([
			['1.5', n8n.user('Rahul Sen').address],
			['2.25', n8n.user('mika_dev').address],
			['0.000001', n8n.user('StormRider').address],
		]);
		expect([paid[0]?.hash, paid[2]?.hash]).toEqual([made[0]?.hash, made[2]?.hash]);
	});

	/** Adds a row for each amount. */
	const addRows = async (...amounts: string[]) =>
		await n8n.client.addDataTableRows(
			PAYMENTS_TABLE,
			amounts.map((amount, index) => ({
				recipient: n8n.user(PAID[index]).id,
				amount,
				state: 'to pay',
			})),
		);

	test('a refused row states the reason, and a row changed after the form was shown is left out', async () => {
		await addRows('2', '1', '0.5');
		const before = await n8n.sent();
		await n8n.faults.hit('failed', WRITE, { skip: 1 });
		const execution = await n8n.executions.start(EXAMPLE);
		const last = (await rows()).at(-1);
		await n8n.client.changeDataTableRow(PAYMENTS_TABLE, Number(last?.id), { amount: '300' });
		await n8n.executions.answer(execution, 'Yes, pay');
		const after = (await rows()).slice(-3);
		expect(after.map(({ state, amount }) => [state, amount])).toEqual([
			['submitted', '2'],
			['refused', '1'],
			['to pay', '300'],
		]);
		expect(after[1]?.note).not.toBe('');
		expect(await n8n.executions.lastError(EXAMPLE)).toMatchObject({
			message: `Not submitted: 1 to ${n8n.user(PAID[1]).id} (refused). The column note has the reason`,
		});
		expect(await n8n.sent()).toBe(before + 1);
	});

	test.each([
		['a list that exceeds the balance', ['1300', '1300'], /SUSD: 2900 needed/],
		['an invalid row', ['12,5'], /12,5/],
	])('%s stops the whole list before anybody is asked', async (_name, amounts, message) => {
		const before = await n8n.sent();
		const known = (await rows()).length;
		await addRows(...amounts);
		const execution = await n8n.executions.read(await n8n.executions.start(EXAMPLE));
		expect(execution.status).toBe('error');
		expect(readWorkflowRun(execution).error).toMatch(message);
		expect(await n8n.sent()).toBe(before);
		for (const { id } of (await rows()).slice(known)) {
			await n8n.client.changeDataTableRow(PAYMENTS_TABLE, Number(id), { state: 'not to pay' });
		}
	});
});
