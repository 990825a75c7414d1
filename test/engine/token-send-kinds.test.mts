/** Token: Send and its look-ups: what tokens report about themselves, and tokens with IDs. */
import type { IDataObject } from 'n8n-workflow';

import { hashOf } from './support/answers.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import type { RunSettings } from './support/use-node.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const run = async (changes: IDataObject = {}, settings: RunSettings = {}) =>
	await node.run(sendOf(changes), settings);

const MAX = 2n ** 256n - 1n;

describe('what a token says about itself', () => {
	test('is read once for all items of a run', async () => {
		const items = Array.from({ length: 50 }, (_, index) => ({ amount: String(index + 1) }));
		const { items: output } = await run({ amount: '={{ $json.amount }}' }, { items });
		expect(output).toHaveLength(50);
		expect(node.service.writes).toHaveLength(50);
		expect([...node.service.reads].sort()).toEqual(['decimals', 'symbol']);
	});

	test('is asked for once although the service fails, where nothing but words depends on it', async () => {
		node.service.facts = { ...node.service.facts, symbol: 500 };
		const options = { maxTries: 1 };
		const { items } = await run({ amount: '7', options }, { items: [{}, {}, {}] });
		expect(items.map(({ json }) => json.amount)).toEqual(['7', '7', '7']);
		expect([...node.service.reads].sort()).toEqual(['decimals', 'symbol']);
	});

	test('in any form that services send', async () => {
		node.service.facts = { ...node.service.facts, decimals: { type: 'BigNumber', hex: '0x12' } };
		await run({ amount: '0.000000000001' });
		expect(node.service.writes).toMatchObject([{ args: [BOB.address, '1000000'] }]);
	});

	test.each([
		['none', undefined],
		['one in bytes32', `0x${'53'.repeat(32)} `],
		['an empty one', ''],
		['a sentence', 'SUSD to 0x1 (really)'],
		['two lines', 'SUSD\nDone'],
		['a list', ['SUSD']],
		['no answer', 500],
	])('works without a symbol: %s', async (_name, symbol) => {
		node.service.facts = { ...node.service.facts, symbol };
		const { items, error } = await run({ options: { maxTries: 1 } });
		expect(error).toBeUndefined();
		const summary = `Submitted: 12.5 ${TOKEN} to GOOGLE-2 (0xb2b2…b2b2)`;
		expect(items[0]?.json).toMatchObject({ summary, amount: '12.5' });
		expect(items[0]?.json).not.toHaveProperty('symbol');
		expect(node.service.writes).toHaveLength(1);
	});

	test.each([
		['none', undefined],
		['more than fit', 256],
		['a negative number', -1],
		['a fraction', 6.5],
		['nothing', null],
		['empty text', ''],
		['an address', ALICE.address],
	])('is not guessed without its decimals: %s', async (_name, decimals) => {
		node.service.facts = { ...node.service.facts, decimals };
		expect(await node.refusal(sendOf())).toMatchObject({
			message: expect.stringContaining(
				'SUSD does not look like an ERC-20 token: it has no decimals',
			),
			hint: expect.stringContaining('choose ERC-721 or ERC-1155 under Token Standard'),
			code: 'invalid-input',
		});
	});

	test.each([401, 403, 429, 500, 503])(
		'is no reason to doubt the token when the service answers %d',
		async (decimals) => {
			node.service.facts = { ...node.service.facts, decimals };
			const refusal = await node.refusal(sendOf({ options: { maxTries: 1 } }));
			expect(refusal).toMatchObject({ httpStatus: decimals });
			expect(refusal.message).toContain("The token's decimals could not be looked up: ");
			expect(refusal.message).not.toContain('ERC-20');
		},
	);
});

describe('tokens with IDs', () => {
	const ERC721 = { tokenStandard: 'erc721', pieceId: '42' };
	const ERC1155 = { tokenStandard: 'erc1155', pieceId: '7', amount: '3' };

	test('an NFT goes from the wallet of the credential', async () => {
		node.service.facts = { symbol: 'SART' };
		const { items, error } = await run(ERC721);
		expect(error).toBeUndefined();
		expect(node.service.writes).toEqual([
			{
				address: TOKEN,
				abi: 'safeTransferFrom(address,address,uint256) public',
				args: [ALICE.address, BOB.address, '42'],
			},
		]);
		expect(items[0]?.json).toEqual({
			summary: 'Submitted: SART #42 from DISCORD-1 (0xa1a1…a1a1) to GOOGLE-2 (0xb2b2…b2b2)',
			symbol: 'SART',
			tokenId: '42',
			recipient: 'GOOGLE-2',
			submitted: true,
			hash: hashOf(1),
			explorerUrl: 'x',
			to: BOB.address,
			from: ALICE.address,
			tokenAddress: TOKEN,
			...{ submittedAt: expect.any(String), userId: ALICE.id },
			resolvedAddresses: { [ALICE.id]: ALICE.address },
		});
		expect([node.service.reads, node.service.asked('/balance/')]).toEqual([['symbol'], []]);
	});

	test('several pieces of one kind', async () => {
		const { items, error } = await run(ERC1155);
		expect(error).toBeUndefined();
		expect(node.service.writes).toEqual([
			{
				address: TOKEN,
				abi: 'safeTransferFrom(address,address,uint256,uint256,bytes) public',
				args: [ALICE.address, BOB.address, '7', '3', '0x'],
			},
		]);
		expect(items[0]?.json).toMatchObject({
			summary: `Submitted: 3 of #7 of ${TOKEN} from DISCORD-1 (0xa1a1…a1a1) to GOOGLE-2 (0xb2b2…b2b2)`,
			amount: '3',
			tokenId: '7',
		});
		expect(items[0]?.json).not.toHaveProperty('decimals');
		expect([node.service.reads, node.service.asked('/balance/')]).toEqual([[], []]);
	});

	test('IDs are exact up to 2^256 - 1, and 0 is one', async () => {
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

describe('your own wallet', () => {
	test.each([
		[{ recipient: ALICE.id }, '12.5 SUSD to DISCORD-1 (0xa1a1…a1a1)'],
		[
			{ recipient: ALICE.address, tokenStandard: 'erc721', pieceId: '42' },
			`SUSD #42 from DISCORD-1 (0xa1a1…a1a1) to DISCORD-1 (0xa1a1…a1a1)`,
		],
	])('is called so: %j', async (changes, words) => {
		const { items } = await run(changes);
		expect(items[0]?.json.summary).toBe(`Submitted: ${words}, your own wallet`);
		const tried = await run({ ...changes, preview: true });
		expect(tried.items[0]?.json.summary).toMatch(/, your own wallet$/);
	});
});
