/** Token: Send without sending: what it shows, what a list comes to, exactly, and what stands above an output. */
import type { IDataObject } from 'n8n-workflow';
import { Interface } from 'ethers';

import { BOB, TOKEN, TokenSends } from './support/token-service.mts';

const sends = TokenSends.prepare();

const OTHER = `0x${'0d'.repeat(20)}`;
const rows = (...amounts: string[]): IDataObject[] => amounts.map((amount) => ({ amount }));

const tried = { preview: true, amount: '={{ $json.amount }}' };

test('each item says what it comes to with those before it', async () => {
	const items = rows('0.1', '0.2', '9007199254.740993', '0.000001');
	sends.facts = { ...sends.facts, balance: '10000000000000000000' };
	const output = await sends.run(tried, {}, { items });
	expect(output.error).toBeUndefined();
	expect(output.items.map(({ json }) => json.totalSoFar)).toEqual([
		...['0.1', '0.3', '9007199255.040993', '9007199255.040994'],
	]);
	expect(sends.writes).toEqual([]);
});

test('each run begins anew', async () => {
	const runs = [rows('1', '1'), rows('1', '1')];
	for (const items of runs) {
		const output = await sends.run(tried, {}, { items });
		expect(output.items.map(({ json }) => json.totalSoFar)).toEqual(['1', '2']);
	}
});

test('the wallet has to hold all of it; what is refused is not counted', async () => {
	sends.facts = { ...sends.facts, balance: '5000000' };
	const node = { onError: 'continueRegularOutput' } as const;
	const { items } = await sends.run(tried, node, { items: rows('3', '3', '2') });
	expect(items.map(({ json }) => json.totalSoFar)).toEqual(['3', undefined, '5']);
	expect(String(items[1]?.json.error)).toMatch(/DISCORD-1 has 5 SUSD, 6 are needed/);
});

test('another token has a total of its own', async () => {
	const token = `={{ $json.amount === '2' ? '${OTHER}' : '${TOKEN}' }}`;
	const { items } = await sends.run({ ...tried, token }, {}, { items: rows('1', '2', '1') });
	expect(items.map(({ json }) => json.totalSoFar)).toEqual(['1', '2', '2']);
});

test('what is sent says nothing of a total', async () => {
	const { items } = await sends.run({ amount: '1' });
	expect(items[0]?.json).not.toHaveProperty('totalSoFar');
});

describe('Try Without Sending', () => {
	test('shows what would be sent, and sends nothing', async () => {
		sends.profile = { ...BOB, username: 'Rahul Sen' };
		const { items, error } = await sends.run({ preview: true });
		expect(error).toBeUndefined();
		const token = new Interface(['function transfer(address,uint256)']);
		const shown = {
			summary: 'Would send 12.5 SUSD from DISCORD-1 to Rahul Sen (GOOGLE-2, 0xb2b2…b2b2)',
			amount: '12.5',
			symbol: 'SUSD',
			recipient: 'GOOGLE-2',
			recipientName: 'Rahul Sen',
			totalSoFar: '12.5',
			submitted: false,
			to: BOB.address,
		};
		expect(items[0]?.json).toEqual(shown);
		const raw = await sends.run({ preview: true, simplify: false });
		expect(raw.items[0]?.json).toEqual({
			...shown,
			method: 'POST',
			url: `${sends.service.baseUrl}/v1/contracts/method/write`,
			body: {
				address: TOKEN,
				abi: 'transfer(address,uint256) public returns (bool)',
				args: [BOB.address, '12500000'],
			},
			function: 'transfer(address,uint256)',
			selector: '0xa9059cbb',
			calldata: token.encodeFunctionData('transfer', [BOB.address, 12_500_000n]),
			resolvedAddresses: { [BOB.id]: BOB.address },
		});
		expect(sends.writes).toEqual([]);
	});

	test.each([[{ preview: 'true' }], [{ preview: '={{ "true" }}' }]])(
		'%j is on',
		async (changes) => {
			const { items } = await sends.run(changes);
			expect(items[0]?.json.submitted).toBe(false);
			expect(sends.writes).toEqual([]);
		},
	);

	test.each([
		[{ preview: 'yes' }, /Try Without Sending: "yes" is neither true nor false/],
		[{ preview: 1 }, /Try Without Sending/],
		[{ preview: '={{ $json.nothing }}' }, /Try Without Sending: The expression gives nothing/],
	])('%j is refused', async (changes, message) => {
		const { error } = await sends.run(changes);
		expect(error?.message).toMatch(message);
		expect(sends.writes).toEqual([]);
	});

	test('refuses what sending would refuse', async () => {
		sends.facts = { ...sends.facts, balance: '5' };
		expect((await sends.run({ preview: true })).error?.message).toContain('12.5 are needed');
		const credential = sends.credential({ allowWrites: false });
		const { error } = await sends.run({ preview: true }, {}, { credential });
		expect(error?.message).toContain('rule "Allow Writes"');
	});
});

describe('above the output', () => {
	const hintsOf = ({ run }: Awaited<ReturnType<typeof sends.run>>) =>
		run.data.resultData.runData['Wallet Service']?.at(-1)?.hints?.map(({ message }) => message);

	test('it stands that what was sent from the editor would be sent again', async () => {
		const items = [{}, {}];
		const pin =
			'Sent. Pin this output (P on the canvas) before you execute later steps: otherwise they send again.';
		expect(hintsOf(await sends.run({}, {}, { items }))).toEqual([pin]);
		expect(hintsOf(await sends.run({}, {}, { items, mode: 'trigger' }))).toEqual([]);
		sends.answers.push({ status: 400, body: '{}' });
		const node = { onError: 'continueRegularOutput' } as const;
		expect(hintsOf(await sends.run({}, node))).toEqual([]);
	});

	test('each thing that happened is told', async () => {
		const preview = '={{ $itemIndex === 0 }}';
		const hints = hintsOf(await sends.run({ preview }, {}, { items: [{}, {}] }));
		expect(hints).toEqual([
			expect.stringContaining('Nothing was sent for items'),
			expect.stringMatching(/^Sent\. /),
		]);
	});
});
