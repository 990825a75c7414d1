/** Token: Send: its balance check, its preview, and the hints above its output. */
import type { IDataObject } from 'n8n-workflow';
import { Interface } from 'ethers';

import { sendOf } from './support/kinds-of-writes.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const OTHER = `0x${'0d'.repeat(20)}`;
const rows = (...amounts: string[]): IDataObject[] => amounts.map((amount) => ({ amount }));
const TRIED = { preview: true, amount: '={{ $json.amount }}' };

const run = async (changes: IDataObject = {}, settings: RunSettings = {}) =>
	await node.run(sendOf(changes), settings);

/** Sets the balance of the sending wallet, in base units, or the status of its look-up. */
function hasBalance(balance: string | number | undefined): void {
	node.service.facts = { ...node.service.facts, balance };
}

describe('the balance', () => {
	test('too low a balance is said in tokens, and nothing is sent', async () => {
		hasBalance('2374500001');
		const { error } = await run({ amount: '3000' });
		expect(error?.message).toContain('Amount: Not enough SUSD: 3000 needed, 2374.500001 available');
		const details = { outcome: 'refused', code: 'invalid-input' };
		expect(error).toMatchObject({ context: { details } });
		expect(node.service.writes).toEqual([]);
	});

	test.each<[string, string | number | undefined]>([
		['exactly the amount', '12500000'],
		['HTTP 404', 404],
		['HTTP 503', 503],
		['no number', 'plenty'],
		['nothing', undefined],
	])('%s is no reason not to send', async (_name, balance) => {
		hasBalance(balance);
		expect((await run()).error).toBeUndefined();
		expect([node.service.writes.length, node.service.asked('/balance/').length]).toEqual([1, 1]);
	});

	test('without a user in the credential there is none to look up', async () => {
		const credential = node.service.credential({ userId: '' });
		const { items } = await run({}, { credential });
		expect(items[0]?.json.submitted).toBe(true);
		expect(node.service.asked('/balance/')).toEqual([]);
		const shown = await run({ preview: true }, { credential });
		expect(shown.items[0]?.json.summary).toContain('from the wallet of the credential to');
	});

	test('sends of several executions go out in turn, each with its balance', async () => {
		await Promise.all([1, 2, 3, 4].map(async () => await run()));
		const order = node.service.asked('').flatMap((path) => /balance|write/.exec(path) ?? []);
		expect(order).toEqual(Array.from({ length: 4 }, () => ['balance', 'write']).flat());
	});
});

describe('without sending, the total so far', () => {
	const totals = async (changes: IDataObject, items: IDataObject[]) => {
		const output = await run({ ...TRIED, ...changes }, { node: CONTINUE, items });
		expect(node.service.writes).toEqual([]);
		return output.items.map(({ json }) => json.totalSoFar ?? json.error);
	};

	test('is exact, and begins with each run', async () => {
		hasBalance('10000000000000000000');
		const items = rows('0.1', '0.2', '9007199254.740993', '0.000001');
		for (let runs = 0; runs < 2; runs += 1) {
			expect(await totals({}, items)).toEqual([
				...['0.1', '0.3', '9007199255.040993', '9007199255.040994'],
			]);
		}
	});

	test('has to be in the wallet; what is refused is not counted', async () => {
		hasBalance('5000000');
		expect(await totals({}, rows('3', '3', '2'))).toEqual([
			...['3', expect.stringMatching(/Not enough SUSD: 6 needed, 5 available/), '5'],
		]);
	});

	test('is another one for each token', async () => {
		const token = `={{ $json.amount === '2' ? '${OTHER}' : '${TOKEN}' }}`;
		expect(await totals({ token }, rows('1', '2', '1'))).toEqual(['1', '2', '2']);
	});

	test('does not stand behind what is sent', async () => {
		const { items } = await run({ amount: '1' });
		expect(items[0]?.json).not.toHaveProperty('totalSoFar');
	});
});

describe('Try Without Sending', () => {
	test('shows what would be sent, and sends nothing', async () => {
		node.service.profiles[BOB.id] = { ...BOB, username: 'Rahul Sen' };
		const { items, error } = await run({ preview: true });
		expect(error).toBeUndefined();
		const token = new Interface(['function transfer(address,uint256)']);
		const shown = {
			summary: 'Would send 12.5 SUSD from DISCORD-1 to Rahul Sen (GOOGLE-2, 0xb2b2…b2b2)',
			...{ amount: '12.5', symbol: 'SUSD', totalSoFar: '12.5', submitted: false },
			...{ recipient: 'GOOGLE-2', recipientName: 'Rahul Sen', to: BOB.address },
		};
		expect(items[0]?.json).toEqual(shown);
		const raw = await run({ preview: true, simplify: false });
		const args = [BOB.address, '12500000'];
		expect(raw.items[0]?.json).toEqual({
			...shown,
			method: 'POST',
			url: `${node.service.baseUrl}/v1/contracts/method/write`,
			body: { address: TOKEN, abi: 'transfer(address,uint256) public returns (bool)', args },
			function: 'transfer(address,uint256)',
			selector: '0xa9059cbb',
			calldata: token.encodeFunctionData('transfer', args),
			resolvedAddresses: { [BOB.id]: BOB.address },
		});
		expect(node.service.writes).toEqual([]);
	});

	test('refuses what sending would refuse', async () => {
		hasBalance('5');
		expect((await run({ preview: true })).error?.message).toContain('12.5 needed');
		const credential = node.service.credential({ allowWrites: false });
		const { error } = await run({ preview: true }, { credential });
		expect(error).toMatchObject({ context: { details: { code: 'policy-refused' } } });
	});
});

describe('above the output', () => {
	const hintsOf = async (changes: IDataObject, settings: RunSettings) => {
		const { run: whole } = await run(changes, settings);
		const [task] = whole.data.resultData.runData['Wallet Service'] ?? [];
		return task?.hints?.map(({ message }) => message);
	};

	test('it stands that what was sent from the editor would be sent again', async () => {
		const items = [{}, {}];
		const pin =
			'Sent. Pin this output (P on the canvas) before you execute later steps; otherwise n8n sends again.';
		expect(await hintsOf({}, { items })).toEqual([pin]);
		expect(await hintsOf({}, { items, mode: 'trigger' })).toEqual([]);
		node.service.answer({ status: 400, body: '{}' });
		expect(await hintsOf({}, { node: CONTINUE })).toEqual([]);
	});

	test('each thing that happened is told', async () => {
		expect(await hintsOf({ preview: '={{ $itemIndex === 0 }}' }, { items: [{}, {}] })).toEqual([
			expect.stringContaining('were not sent: Try Without Sending'),
			expect.stringMatching(/^Sent\. /),
		]);
	});
});

test('what is wrong is said to a model in the message, which is all that it gets', async () => {
	await expect(node.tool(sendOf({ recipient: 'Rahul' }))).rejects.toThrow(
		/"Rahul" is neither a user ID nor a wallet address.*DISCORD-/s,
	);
	await expect(node.tool(sendOf({ amount: '1,5' }))).rejects.toThrow(
		/a decimal point, not a comma: 1\.5/,
	);
	expect(node.service.writes).toEqual([]);
});

test('a call of unknown outcome is blocked however its recipient is written', async () => {
	node.service.answer('cut');
	await expect(node.tool(sendOf({ amount: '3.50' }))).rejects.toThrow(/MAY have been/);
	for (const recipient of [BOB.id, BOB.address]) {
		const details = { code: 'not-sent-again', outcome: 'unknown' };
		const again = node.tool(sendOf({ recipient, amount: '3.5' }));
		await expect(again).rejects.toMatchObject({ context: { details } });
	}
	expect(await node.tool(sendOf({ recipient: 'DISCORD-1', amount: '3.5' }))).toMatchObject({
		submitted: true,
	});
	expect(node.service.writes).toHaveLength(2);
});
