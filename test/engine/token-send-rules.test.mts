/** Further rules of Token: Send: tokens with IDs, its balance check, its preview, and the hints above its output. */
import type { IDataObject } from 'n8n-workflow';
import { Interface } from 'ethers';

import { EXPLORER, hashOf } from './support/answers.mts';
import type { EngineResult } from './support/engine.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const MAX = 2n ** 256n - 1n;
const OTHER = `0x${'0d'.repeat(20)}`;

const run = async (changes: IDataObject = {}, settings: RunSettings = {}) =>
	await node.run(sendOf(changes), settings);

describe('tokens with IDs', () => {
	const ERC721 = { tokenStandard: 'erc721', pieceId: '42' };
	const ERC1155 = { tokenStandard: 'erc1155', pieceId: '7', amount: '3' };
	const [FROM, TO] = ['DISCORD-1 (0xa1a1…a1a1)', 'GOOGLE-2 (0xb2b2…b2b2)'];

	test.each<[IDataObject, types: string, args: string[], what: string, IDataObject]>([
		[ERC721, 'uint256', ['42'], 'SART #42', { symbol: 'SART' }],
		[ERC1155, 'uint256,uint256,bytes', ['7', '3', '0x'], `3 of #7 of ${TOKEN}`, { amount: '3' }],
	])('%j goes from the wallet of the credential', async (changes, types, args, what, fields) => {
		node.service.facts = { symbol: 'SART' };
		const [sentItem] = await node.items(sendOf(changes));
		const abi = `safeTransferFrom(address,address,${types}) public`;
		const sent = { address: TOKEN, abi, args: [ALICE.address, BOB.address, ...args] };
		expect(node.service.writes).toEqual([sent]);
		expect(sentItem).toEqual({
			summary: `Submitted: ${what} from ${FROM} to ${TO}`,
			submitted: true,
			...fields,
			tokenId: args[0],
			recipient: BOB.id,
			hash: hashOf(1),
			explorerUrl: EXPLORER,
			to: BOB.address,
			from: ALICE.address,
			tokenAddress: TOKEN,
			userId: ALICE.id,
			submittedAt: expect.any(String),
			resolvedAddresses: { [ALICE.id]: ALICE.address },
		});
		expect(node.service.reads).toEqual('symbol' in fields ? ['symbol'] : []);
		expect(node.service.asked('/balance/')).toEqual([]);
	});

	test('IDs are exact from 0 to 2^256 - 1', async () => {
		const ids = ['0', MAX.toString(), '9007199254740993'];
		const items = ids.map((id) => ({ id }));
		await run({ ...ERC721, pieceId: '={{ $json.id }}' }, { items });
		expect(node.service.writes.map(({ args }) => args[2])).toEqual(ids);
	});

	test.each<[IDataObject, RegExp]>([
		[{ pieceId: ' ' }, /Token ID: " " is not a token ID/],
		[{ pieceId: '-1' }, /Token ID: "-1" is not a token ID/],
		[{ pieceId: '1 ether' }, /is not a token ID/],
		[{ pieceId: '={{ 1.5 }}' }, /is not a token ID/],
		[{ pieceId: '={{ 2 ** 60 }}' }, /is not a token ID/],
		[{ pieceId: (MAX + 1n).toString() }, /is not a token ID/],
		[{ pieceId: '={{ $json.id }}' }, /Token ID: The expression returned nothing/],
		[{ ...ERC1155, amount: '1.5' }, /Amount: "1\.5" has 1 decimal place/],
		[{ ...ERC1155, amount: '0' }, /Amount: "0" is zero/],
		[{ tokenStandard: 'erc777' }, /Token Standard: "erc777" is not a token standard/],
	])('%j is refused', async (changes, message) => {
		const refusal = await node.refusal(sendOf({ ...ERC721, ...changes }));
		expect(refusal.message).toMatch(message);
	});

	test.each([
		['', /has no user/],
		['me', /"me" of the credential is not a user ID/],
		['DISCORD-404', /the credential's user "DISCORD-404"/],
	])('the user %j of the credential is refused', async (userId, message) => {
		for (const changes of [ERC721, ERC1155]) {
			const credential = node.service.credential({ userId });
			const refusal = await node.refusal(sendOf(changes), { credential });
			expect(refusal.message).toMatch(message);
			expect(refusal.hint).toContain('Open the credential');
		}
	});
});

describe('the balance', () => {
	test('too low a balance is stated in tokens, and nothing is sent', async () => {
		node.service.reports({ balance: '2374500001' });
		const { code, message } = await node.refusal(sendOf({ amount: '3000' }));
		expect(message).toContain('Amount: Not enough SUSD: 3000 needed, 2374.500001 available');
		expect(code).toBe('invalid-input');
	});

	test.each([
		['exactly the amount', '12500000'],
		['HTTP 404', 404],
		['HTTP 503', 503],
		['no number', 'plenty'],
		['nothing', undefined],
	])('%s does not prevent the sending', async (_name, balance) => {
		node.service.reports({ balance });
		await node.items(sendOf());
		expect([node.service.writes.length, node.service.asked('/balance/').length]).toEqual([1, 1]);
	});

	test('is not looked up if the credential has no user', async () => {
		const credential = node.service.credential({ userId: '' });
		expect(await node.items(sendOf(), { credential })).toMatchObject([{ submitted: true }]);
		expect(node.service.asked('/balance/')).toEqual([]);
		const [shown] = await node.items(sendOf({ preview: true }), { credential });
		expect(shown?.summary).toContain('from the wallet of the credential to');
	});

	test('is looked up in the turn of each write, also in several executions', async () => {
		await Promise.all([1, 2, 3, 4].map(async () => await run()));
		const order = node.service.asked('').flatMap((path) => /balance|write/.exec(path) ?? []);
		expect(order).toEqual(Array.from({ length: 4 }, () => ['balance', 'write']).flat());
	});
});

describe('Try Without Sending', () => {
	test('shows what would be sent, and sends nothing', async () => {
		node.service.profiles[BOB.id] = { ...BOB, username: 'Rahul Sen' };
		const tried = await node.items(sendOf({ preview: true }));
		const shown = {
			summary: 'Would send 12.5 SUSD from DISCORD-1 to Rahul Sen (GOOGLE-2, 0xb2b2…b2b2)',
			amount: '12.5',
			symbol: 'SUSD',
			totalSoFar: '12.5',
			submitted: false,
			recipient: 'GOOGLE-2',
			recipientName: 'Rahul Sen',
			to: BOB.address,
		};
		expect(tried).toEqual([shown]);
		const [raw] = await node.items(sendOf({ preview: true, simplify: false }));
		const [args, name] = [[BOB.address, '12500000'], 'transfer(address,uint256)'];
		expect(raw).toEqual({
			...shown,
			userId: 'DISCORD-1',
			method: 'POST',
			function: name,
			selector: '0xa9059cbb',
			url: `${node.service.baseUrl}/v1/contracts/method/write`,
			body: { address: TOKEN, abi: `${name} public returns (bool)`, args },
			calldata: new Interface([`function ${name}`]).encodeFunctionData('transfer', args),
			resolvedAddresses: { [BOB.id]: BOB.address },
		});
		expect(node.service.writes).toEqual([]);
	});

	const TOO_MUCH = expect.stringMatching(/Not enough SUSD: 6 needed, 5 available/);
	const BY_TOKEN = `={{ $json.amount === '2' ? '${OTHER}' : '${TOKEN}' }}`;
	const [LARGE, SUM, ENOUGH] = ['9007199254.740993', '9007199255.04099', '1'.padEnd(20, '0')];

	test.each<[string, amounts: string[], totals: unknown[], balance?: string, token?: string]>([
		['is exact', ['0.1', '0.2', LARGE, '0.000001'], ['0.1', '0.3', `${SUM}3`, `${SUM}4`], ENOUGH],
		['must be in the wallet, without refused items', ['3', '3', '2'], ['3', TOO_MUCH, '5']],
		['is counted by token', ['1', '2', '1'], ['1', '2', '2'], undefined, BY_TOKEN],
	])('the total so far %s', async (_what, amounts, totals, balance = '5000000', token = TOKEN) => {
		node.service.reports({ balance });
		const items = amounts.map((amount) => ({ amount }));
		// The total starts at zero in each run.
		for (let runs = 0; runs < 2; runs += 1) {
			const changes = { preview: true, amount: '={{ $json.amount }}', token };
			const { items: output } = await run(changes, { node: CONTINUE, items });
			expect(output.map(({ json }) => json.totalSoFar ?? json.error)).toEqual(totals);
		}
		expect(node.service.writes).toEqual([]);
	});
});

test('the hints above the output report each thing that happened', async () => {
	const hintsOf = ({ run: whole }: EngineResult) =>
		whole.data.resultData.runData['Wallet Service']?.[0]?.hints?.map(({ message }) => message);
	const items = [{}, {}];
	const sent =
		'Sent. Pin this output (P on the canvas) to keep it: after 24 hours, executing this step again sends again.';
	expect(hintsOf(await run({}, { items, mode: 'manual' }))).toEqual([sent]);
	expect(hintsOf(await run({}, { items, mode: 'trigger' }))).toEqual([]);
	const preview = { preview: '={{ $itemIndex === 0 }}', amount: '3' };
	expect(hintsOf(await run(preview, { items, mode: 'manual' }))).toEqual([
		...[expect.stringMatching(/^Try Without Sending is on: .* "Would" were not sent\.$/), sent],
	]);
	expect(hintsOf(await run({}, { items: [{}], mode: 'manual' }))).toEqual([
		expect.stringMatching(
			/^Not sent again, already sent just now by execution \d+\. To send it again, /,
		),
	]);
	// Four were sent above.
	expect(hintsOf(await run({}, { items: Array(5).fill({}), mode: 'manual' }))).toEqual([
		expect.stringMatching(/^Not sent again: items with "replayed": true, .* send all items again/),
		sent,
	]);
	node.service.answer({ status: 400, body: '{}' }, { status: 400 });
	expect(hintsOf(await run({}, { node: CONTINUE }))).toEqual([]);
	const settings = { node: { onError: 'continueErrorOutput', alwaysOutputData: true } } as const;
	const refused = await run({}, settings);
	// n8n's empty item beside the error output needs an explanation.
	expect([refused.items.map(({ json }) => json), refused.errorItems.length]).toEqual([[{}], 1]);
	expect(hintsOf(refused)).toEqual([expect.stringContaining('Always Output Data')]);
	expect(hintsOf(await run({ amount: '4' }, { ...settings, mode: 'manual' }))).toEqual([sent]);
});
