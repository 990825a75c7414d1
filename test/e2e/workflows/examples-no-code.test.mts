/**
 * The examples for people who do not write code, run in n8n as its editor runs them: their output, and the transactions they
 * send.
 */
import type { Chain } from '../../../tools/sandbox/chain.mts';
import { type ListedTransfer } from '../../../tools/sandbox/chain.mts';
import { readObject, readText } from '../../../tools/files/json.mts';
import { signInAsOwner, type N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../tools/n8n/server.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { fillPaymentsTable, PAYMENTS_TABLE } from '../../../tools/start/payments-table.mts';
import { sandboxTokens } from '../../../tools/sandbox/tokens.mts';
import { useResources } from '../../support/resources.mts';
import { ExampleRuns } from '../../support/n8n/example-runs.mts';
import { startCollector } from '../../support/n8n/collector.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { postingExample } from '../../support/n8n/trigger-workflow.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';
import type { Service } from '../../support/sandbox/service.mts';
import { WRITE } from '../../support/sandbox/faults.mts';

const resources = useResources();
let workspace: Workspace;
let chain: Chain;
let client: N8nRestClient;
let runs: ExampleRuns;

const user: Service['user'] = (name) => workspace.service.user(name);

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	({ chain } = workspace.service);
	const n8n = await resources.use(startN8n(workspace.userFolder));
	client = await signInAsOwner(n8n.url);
	runs = await ExampleRuns.prepare(n8n.url, client);
}, PREPARATION_TIME);

const historyOfNelly = async (): Promise<ListedTransfer[]> =>
	await chain.history(user('Nelly').address);

test('the editor chooses a credential that works for a new node', async () => {
	const offered = (await client.credentials()).filter(({ type }) =>
		['walletServiceApi', 'walletServiceOAuth2Api'].includes(String(type)),
	);
	// Like the editor: the most recently updated of those that the node can use.
	const times = offered.map(({ updatedAt }) => Date.parse(readText(updatedAt, 'the time')));
	const newest = offered.filter((_one, index) => times[index] === Math.max(...times));
	expect(newest).toMatchObject([{ id: 'sandboxUser0001', type: 'walletServiceApi' }]);
});

test('the notes of Start here list the users and the tokens as they are', async () => {
	const { nodes } = await readExample('start-here');
	const rowsOf = (name: string) => {
		const note = readObject(nodes.find((node) => node.name === name)?.parameters, name).content;
		const lines = readText(note, 'the note').split('\n');
		return lines.filter((line) => /^\| (?!Name|Symbol)/.test(line));
	};
	const tokens = sandboxTokens(workspace.service.ready);
	const row = (cells: string[]) => `| ${cells.filter((cell) => cell !== '').join(' | ')} |`;
	expect(rowsOf('Users')).toEqual(
		workspace.service.ready.users.map(({ username, id }) => row([username, id])),
	);
	expect(rowsOf('Tokens').map((line) => line.replace('| | ', '| '))).toEqual(
		tokens.map(({ symbol, name, address }) => row([symbol, name, address])),
	);
	for (const { symbol, name, address } of tokens.slice(0, 2)) {
		const read = async (what: string) =>
			await chain.read(address, `function ${what}() view returns (string)`);
		expect([await read('symbol'), await read('name')]).toEqual([[symbol], [name]]);
	}
});

describe('Monthly statement as a file', () => {
	const SCHEDULE = 'First of the Month';
	const HEADER = 'Date,Transfer,Amount,Token,To,Transaction';

	/** The lines of the file that an execution created, without the dates. */
	async function statement(execution: string) {
		const { name, text } = await runs.file(execution, 'Statement as CSV');
		const [header, ...lines] = text
			.replace(/^\uFEFF/, '')
			.trimEnd()
			.split(/\r?\n/);
		return { name, header, lines: lines.map((line) => line.replace(/^[^,]*,/, '')) };
	}

	/** The expected lines for transfers. */
	function linesOf(transfers: ListedTransfer[]): string[] {
		const { ready } = workspace.service;
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

	test('run by hand, it holds all transfers of this month, with names', async () => {
		const execution = await runs.start('walletStatement1', SCHEDULE);
		const made = await statement(execution);
		expect(made).toEqual({
			name: `statement-${new Date().toISOString().slice(0, 7)}.csv`,
			header: HEADER,
			lines: linesOf(await historyOfNelly()),
		});
		expect(made.lines.join()).toContain('SUSD to Rahul Sen,');
	});

	test('on its schedule, a month later, it holds those of last month, and none after it', async () => {
		const lastMonth = await historyOfNelly();
		await workspace.service.faults.add({
			kind: 'mine',
			params: { seconds: 40 * 86_400 },
			times: 1,
		});
		const { as, contracts } = workspace.service;
		const args = [user('Nelly').address, '1'];
		await as('Nelly').post(WRITE, { address: contracts.usd, abi: 'mint(address,uint256)', args });
		expect((await historyOfNelly()).length).toBe(lastMonth.length + 1);
		const collector = await resources.use(startCollector());
		const posting = await postingExample(
			'monthly-statement-file',
			'Statement Lines',
			`${collector.url}/lines`,
		);
		// Every minute, starting in a few seconds.
		const second = new Date(Date.now() + 5_000).getSeconds();
		const rule = { interval: [{ field: 'cronExpression', expression: `${second} * * * * *` }] };
		const later = JSON.stringify(posting, (key, value: unknown) => (key === 'rule' ? rule : value))
			.replaceAll('$now', '$now.plus({ months: 1 })')
			.replace('walletStatement1', 'statementLater');
		await client.activateWorkflow(await client.createWorkflow(JSON.parse(later)));
		await collector.until('/lines', lastMonth.length);
		const lines = collector
			.at('/lines')
			.map(({ Transfer, Amount, Token, To, Transaction }) =>
				[Transfer, Amount, Token, To, Transaction].join(','),
			);
		expect(lines).toEqual(linesOf(lastMonth));
	});
});

describe('Pay a list from a table', () => {
	const EXAMPLE = 'walletPayList001';
	/** The users of the rows. */
	const PAID = ['Rahul Sen', 'mika_dev', 'StormRider', 'anna-k', 'newcomer'] as const;

	const rows = async () => await client.dataTableRows(PAYMENTS_TABLE);
	const states = async () => (await rows()).map(({ state }) => state);
	const sentByNelly = async () => await chain.getTransactionCount(user('Nelly').address);

	test('nobody is paid twice, whatever became of a payment, and nobody without approval', async () => {
		await fillPaymentsTable(client, workspace.service.ready);
		const before = await sentByNelly();
		const page = await runs.answer(await runs.start(EXAMPLE), 'No');
		for (const [index, amount] of ['1.5', '2.25', '0.000001'].entries()) {
			expect(page).toContain(`${amount} SUSD to ${PAID[index]} (${user(PAID[index]).id})`);
		}
		expect(page).toContain('Total: 3.750001 SUSD');
		expect(await sentByNelly()).toBe(before);
		expect(await states()).toEqual(['to pay', 'to pay', 'to pay']);

		// Two people have the form open at the same time, and both approve.
		const [first, second] = [await runs.start(EXAMPLE), await runs.start(EXAMPLE)];
		// The second payment is made, but its answer is lost.
		await workspace.service.faults.hit('status-text', WRITE, {
			params: { afterWork: true },
			skip: 1,
		});
		await runs.answer(first, 'Yes, pay');
		expect(await sentByNelly()).toBe(before + 3);
		expect(await states()).toEqual(['submitted', 'unknown', 'submitted']);
		const paid = await rows();
		await runs.answer(second, 'Yes, pay');
		await runs.run(EXAMPLE);
		expect(await sentByNelly()).toBe(before + 3);
		expect((await rows()).map(({ state, hash }) => [state, hash])).toEqual(
			paid.map(({ state, hash }) => [state, hash]),
		);
		const made = (await historyOfNelly()).slice(0, 3).reverse();
		expect(made.map(({ amount, toAddress }) => [amount, toAddress])).toEqual([
			['1.5', user('Rahul Sen').address],
			['2.25', user('mika_dev').address],
			['0.000001', user('StormRider').address],
		]);
		expect([paid[0]?.hash, paid[2]?.hash]).toEqual([made[0]?.hash, made[2]?.hash]);
	});

	/** A row for each amount. */
	const addRows = async (...amounts: string[]) =>
		await client.addDataTableRows(
			PAYMENTS_TABLE,
			amounts.map((amount, index) => ({
				recipient: user(PAID[index]).id,
				amount,
				state: 'to pay',
			})),
		);

	test('a refused row says why, and one that was changed after the form was shown is left out', async () => {
		await addRows('2', '1', '0.5');
		const before = await sentByNelly();
		await workspace.service.faults.hit('failed', WRITE, { skip: 1 });
		const execution = await runs.start(EXAMPLE);
		const last = (await rows()).at(-1);
		await client.changeDataTableRow(PAYMENTS_TABLE, Number(last?.id), { amount: '300' });
		await runs.answer(execution, 'Yes, pay');
		const after = (await rows()).slice(-3);
		expect(after.map(({ state, amount }) => [state, amount])).toEqual([
			['submitted', '2'],
			['refused', '1'],
			['to pay', '300'],
		]);
		expect(after[1]?.note).not.toBe('');
		expect(await sentByNelly()).toBe(before + 1);
	});

	test.each([
		['a list that the wallet does not hold', ['1300', '1300'], /SUSD: 2900 needed/],
		['one row that is not right', ['12,5'], /12,5/],
	])('%s stops the whole list before anybody is asked', async (_name, amounts, message) => {
		const before = await sentByNelly();
		const known = (await rows()).length;
		await addRows(...amounts);
		const execution = await runs.read(await runs.start(EXAMPLE));
		expect(execution.status).toBe('error');
		expect(readWorkflowRun(execution).error).toMatch(message);
		expect(await sentByNelly()).toBe(before);
		for (const { id } of (await rows()).slice(known)) {
			await client.changeDataTableRow(PAYMENTS_TABLE, Number(id), { state: 'not to pay' });
		}
	});
});
