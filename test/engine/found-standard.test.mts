/** The standard of a token with an ID: found by the node, chosen under Options, or saved by an earlier version. */
import type { IDataObject } from 'n8n-workflow';

import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const ERC721 = { tokenStandard: 'erc721', pieceId: '42' };
const BOTH_KINDS = ['supportsInterface', 'supportsInterface'];
const PIECE = { amount: '1', options: { pieceId: '42' } };
const ITEM = { amount: '3', options: { pieceId: '7' } };
const AS_ITEM = { ...ITEM.options, tokenStandard: 'erc1155' };
const AS_NFT = { ...PIECE.options, tokenStandard: 'erc721' };

test.each<[IDataObject, facts: object, reads: string[], args: string[], what: string]>([
	[PIECE, { isNft: true }, BOTH_KINDS, ['42'], 'SART #42 (ERC-721)'],
	[{ ...PIECE, amount: '' }, { isNft: true }, BOTH_KINDS, ['42'], 'SART #42 (ERC-721)'],
	[ITEM, { isItems: true }, BOTH_KINDS, ['7', '3', '0x'], `3 of #7 of ${TOKEN} (ERC-1155)`],
	// A choice is not doubted.
	[{ ...PIECE, options: AS_NFT }, {}, [], ['42'], 'SART #42'],
	[{ amount: '', options: AS_NFT }, { isItems: true }, [], ['42'], 'SART #42'],
	[{ ...ITEM, options: AS_ITEM }, { isNft: true }, [], ['7', '3', '0x'], `3 of #7 of ${TOKEN}`],
	// As saved by an earlier version: its own Token ID counts.
	[{ ...ERC721, options: { pieceId: '7' } }, { isItems: true }, [], ['42'], 'SART #42'],
])('of %j the contract states the standard: %j', async (changes, facts, reads, args, what) => {
	node.service.reports({ symbol: 'SART', ...facts });
	for (const preview of [true, false]) {
		const [item] = await node.items(sendOf({ ...changes, preview }));
		expect(item?.summary).toContain(` ${what} from `);
	}
	expect(node.service.writes).toMatchObject([{ args: [ALICE.address, BOB.address, ...args] }]);
	expect(node.service.reads.filter((read) => read !== 'symbol')).toEqual([...reads, ...reads]);
});

const UNSTATED = /Options: Token Standard: .* does not state whether it is an NFT/;

test.each<[IDataObject, facts: object, RegExp]>([
	[PIECE, {}, UNSTATED],
	[PIECE, { isNft: false, isItems: false }, UNSTATED],
	[PIECE, { isNft: true, isItems: true }, UNSTATED],
	[{ ...PIECE, amount: '2' }, { isNft: true }, /Amount: "2" of an NFT cannot be sent/],
	[{ ...ITEM, amount: '1.5' }, { isItems: true }, /Amount: "1\.5" has 1 decimal place/],
	[{ ...ITEM, amount: '' }, { isItems: true }, /Amount: The amount is missing/],
	[{ amount: '', options: AS_ITEM }, { isNft: true }, /Amount: The amount is missing/],
	[{ amount: '2', options: AS_NFT }, {}, /Amount: "2" of an NFT cannot be sent/],
	[{ amount: '0', options: AS_NFT }, {}, /Amount: "0" is zero/],
	[{ ...PIECE, options: { pieceId: '' } }, { isNft: true }, /Options: Token ID: "" is not/],
	[{ options: { pieceId: 'x' } }, {}, /Options: Token ID: "x" is not a token ID/],
	[{ options: { tokenStandard: 'erc721' } }, {}, /Options: Token Standard: .* its Token ID/],
	[{ options: { ...AS_NFT, tokenStandard: 'erc20' } }, {}, /Options: Token Standard: "erc20"/],
])('%j with %j is refused', async (changes, facts, message) => {
	node.service.reports(facts);
	const refusal = await node.refusal(sendOf(changes));
	expect(refusal.message).toMatch(message);
});

test.each([
	['"yes" beside true', 'yes'],
	['an empty list beside true', []],
	['no answer beside true', 404],
])('a contract that answers %s states no standard', async (_what, isItems) => {
	node.service.reports({ isNft: true, isItems });
	const refusal = await node.refusal(sendOf(PIECE));
	expect(refusal.message).toMatch(UNSTATED);
});

test('a failed look-up of the standard sends nothing', async () => {
	node.service.reports({ isNft: true, isItems: 503 });
	const refusal = await node.refusal(
		sendOf({ ...PIECE, options: { ...PIECE.options, maxTries: 1 } }),
	);
	expect(refusal).toMatchObject({ httpStatus: 503 });
});

test('of a list, a row without an ID is refused, not sent as another token', async () => {
	node.service.reports({ isNft: true });
	const items = [{ id: '1' }, { id: '' }, { id: '2' }];
	const changes = { amount: '', options: { pieceId: '={{ $json.id }}' } };
	const { items: output } = await node.run(sendOf(changes), { node: CONTINUE, items });
	expect(output.map(({ json }) => json.submitted)).toEqual([true, undefined, true]);
	expect(output[1]?.json.error).toContain('Options: Token ID: The expression returned nothing');
	expect(node.service.writes.map(({ args }) => args[2])).toEqual(['1', '2']);
});

test.each<[IDataObject, facts: object, limits: IDataObject, RegExp]>([
	[PIECE, { isNft: true }, { allowedRecipients: ALICE.address }, /Allowed Recipients/],
	[ITEM, { isItems: true }, { amountLimits: `2 ${TOKEN}` }, /Token Limits per Execution/],
])('%j with %j is judged by the limits %j', async (changes, facts, limits, message) => {
	node.service.reports(facts);
	const credential = node.service.credential(limits);
	const refusal = await node.refusal(sendOf(changes), { credential });
	expect(refusal.message).toMatch(message);
	expect(node.service.writes).toEqual([]);
});
