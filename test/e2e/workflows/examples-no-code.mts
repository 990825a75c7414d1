/**
 * The examples for people who do not write code, run in n8n as its editor runs them: their output, and the transactions they
 * send.
 */
import { readObject, readText } from '../../../tools/files/json.mts';
import type { ListedTransfer } from '../../../tools/sandbox/chain.mts';
import { sandboxTokens } from '../../../tools/sandbox/tokens.mts';
import { nodesOf, parseMarkdown, textOf } from '../../support/docs/markdown.mts';
import { startCollector } from '../../support/n8n/collector.mts';
import { readExample } from '../../support/n8n/examples.mts';
import { postingExample } from '../../support/n8n/trigger-workflow.mts';
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

test('Send an NFT gives it to the recipient, and does not send it again within 24 hours', async () => {
	const before = await n8n.sent();
	const runs = [
		await n8n.client.execute('walletSendNft001'),
		await n8n.client.execute('walletSendNft001'),
	];
	const items = runs.flatMap((run) => run.items('Send SART #1 to Rahul'));
	expect(items.map(({ hash }) => hash)).toEqual(Array(2).fill(expect.stringMatching(/^0x\w{64}$/)));
	expect(items.map(({ replayed }) => replayed)).toEqual([undefined, true]);
	expect(items[0]?.summary).toMatch(/^Submitted: SART #1 \(ERC-721\) from Nelly .* to Rahul Sen/);
	const ownerOf = 'function ownerOf(uint256) view returns (address)';
	expect(await n8n.chain.read(n8n.service.contracts.art, ownerOf, ['1'])).toEqual([
		n8n.user('Rahul Sen').address,
	]);
	expect(await n8n.sent()).toBe(before + 1);
});

describe('Monthly statement as a file', () => {
	const SCHEDULE = 'First of the Month';
	const HEADER = 'Date,Direction,Amount,Symbol,From,To,To Address,Token,Transaction,UTC,Note';
	/** Those that the chain alone determines. */
	const FACTS = ['Direction', 'Amount', 'Symbol', 'To', 'To Address', 'Token', 'Transaction'];

	const factsOf = (line: string): string => {
		const cells = line.split(',');
		return FACTS.map((name) => cells[HEADER.split(',').indexOf(name)]).join(',');
	};

	/** The lines of the file that an execution created, each with its facts. */
	async function statement(execution: string) {
		const { name, text } = await n8n.executions.file(execution, 'Statement as CSV');
		const [header, ...lines] = text
			.replace(/^\uFEFF/, '')
			.trimEnd()
			.split(/\r?\n/);
		return { name, header, lines: lines.map(factsOf) };
	}

	/** The expected lines for transfers. */
	function linesOf(transfers: ListedTransfer[]): string[] {
		const { ready } = n8n.service;
		const symbols = new Map(
			sandboxTokens(ready).map((one) => [one.address.toLowerCase(), one.symbol]),
		);
		const names = new Map(ready.users.map(({ address, username }) => [address, username]));
		const own = n8n.user('Nelly').id;
		return transfers.map(({ direction, amount, tokenAddress, toAddress, hash }) => {
			const symbol = symbols.get(tokenAddress) || 'pieces';
			const to = direction === 'sent' ? names.get(toAddress) : own;
			return [direction, amount, symbol, to, toAddress, tokenAddress, hash].join(',');
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
		expect(made.lines.join()).toContain(',Rahul Sen,');
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
		const lines = collector.at('/later').map((line) => FACTS.map((name) => line[name]).join(','));
		// n8n posts all lines at once.
		expect(lines.sort()).toEqual(linesOf(lastMonth).sort());
	});
});
