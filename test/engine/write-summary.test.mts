/** The summary of a submitted write: only known facts, in the same words for Contract: Write and Token: Send. */
import type { IDataObject } from 'n8n-workflow';

import { done, failed, hashOf } from './support/answers.mts';
import { callOf as write, sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, CAROL, TOKEN } from './support/scripted-world.mts';
import { RETRY, useNode } from './support/use-node.mts';

const node = useNode();

const SHORT_TOKEN = '0xd8dA…6045';
/** The fields of every item, in addition to the fields of the call. */
const SENT = {
	...{ submitted: true, hash: hashOf(1), explorerUrl: 'x', userId: ALICE.id },
	submittedAt: expect.any(String),
};

async function itemOf(parameters: IDataObject): Promise<IDataObject> {
	const { items, error } = await node.run(parameters);
	expect(error).toBeUndefined();
	return items[0]?.json ?? {};
}

const TO_BOB = 'GOOGLE-2 (0xb2b2…b2b2)';
const TRANSFER = 'transfer(address,uint256)';
const TRANSFER_FROM = 'transferFrom(address from, address to, uint256 amount) returns (bool)';
const APPROVE = 'approve(address spender, uint256 amount) returns (bool)';

const SAFE = 'safeTransferFrom(address,address,uint256';
const [B, MAX] = [BOB.address, (2n ** 256n - 1n).toString()];
const TAKES = `permission for ${B} to take`;
/** Fields of a recipient, and results of look-ups. */
const TO_USER = { recipient: BOB.id, to: B };
const TO_WALLET = { recipient: B, to: B };
const TO_CAROL = { recipient: CAROL, to: CAROL };
const [ALICE_FOUND, BOB_FOUND] = [{ [ALICE.id]: ALICE.address }, { [BOB.id]: B }];

test.each<[abi: string, args: readonly unknown[], words: string, fields: IDataObject]>([
	[
		TRANSFER,
		[BOB.id, '125'],
		`125 base units of ${TOKEN} to ${TO_BOB}`,
		{ ...TO_USER, baseUnits: '125' },
	],
	[
		TRANSFER_FROM,
		[ALICE.id, CAROL, '7'],
		`7 base units of ${TOKEN} from DISCORD-1 (0xa1a1…a1a1) to ${CAROL}`,
		{ ...TO_CAROL, from: ALICE.address, baseUnits: '7', resolvedAddresses: ALICE_FOUND },
	],
	[APPROVE, [B, '7'], `${TAKES} 7 base units of ${TOKEN}`, { spender: B, baseUnits: '7' }],
	[APPROVE, [B, 'unlimited'], `${TAKES} any amount of ${TOKEN}`, { spender: B, baseUnits: MAX }],
	[
		`${SAFE},bytes)`,
		[CAROL, BOB.id, '42', '0x'],
		`${TOKEN} #42 from 0xc3c3…c3c3 to ${TO_BOB}`,
		{ ...TO_USER, tokenId: '42', from: CAROL },
	],
	[
		`${SAFE},uint256,bytes)`,
		[CAROL, BOB.id, '7', '3', '0x'],
		`3 of #7 of ${TOKEN} from 0xc3c3…c3c3 to ${TO_BOB}`,
		{ ...TO_USER, amount: '3', tokenId: '7', from: CAROL },
	],
])('%s %j is stated in full', async (abi, args, words, fields) => {
	expect(await itemOf(write(abi, args))).toEqual({
		summary: `Submitted: ${words}`,
		...{ ...fields, ...SENT, tokenAddress: TOKEN },
	});
	// Nothing is looked up only for the summary.
	expect(node.service.reads).toEqual([]);
});

const BATCH = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';
const APPROVE_PIECE = 'approve(address to, uint256 tokenId) returns (bool)';
const ITEMS = [CAROL, BOB.id, ['1', '7'], ['2', '3'], '0x'];
const FOUND = { resolvedAddresses: { ...ALICE_FOUND, ...BOB_FOUND } };
const APPROVED = { spender: BOB.id, resolvedAddresses: BOB_FOUND };

test.each<[abi: string, args: readonly unknown[], words: string, fields?: IDataObject]>([
	['approve(address,uint256)', [B, '42'], ` for ${B}: 42`, { spender: B }],
	[APPROVE_PIECE, [BOB.id, '5'], ` for ${TO_BOB}: 5`, APPROVED],
	['transfer(address to, uint256 tokenId)', [BOB.id, '5'], ` for ${TO_BOB}: 5`, TO_USER],
	['transferFrom(address,address,uint256)', [ALICE.address, B, '42'], ` for ${B}: 42`, TO_WALLET],
	[BATCH, ITEMS, ` for ${TO_BOB}: 2 of #1, 3 of #7`, TO_USER],
	['mint(address to, uint256 amount)', [B, '42'], ''],
	['pause()', [], ''],
	['invite(address[] guests)', [[BOB.id, ALICE.id]], '', FOUND],
])('of %s %j, no amount is claimed', async (abi, args, words, fields = {}) => {
	const call = abi.replace(/\(.+\)/, '(…)');
	expect(await itemOf(write(abi, args))).toEqual({
		summary: `Submitted: ${call} of ${SHORT_TOKEN}${words}`,
		...{ ...fields, ...SENT, contractAddress: TOKEN },
	});
});

test('native coin that is sent along is stated', async () => {
	const value = { options: { nativeCoin: '0.1' } };
	const { summary } = await itemOf(write('deposit() payable', [], value));
	expect(summary).toBe(`Submitted: deposit() of ${SHORT_TOKEN}, with 0.1 ether`);
});

test('the fields have one order, whichever operation sends', async () => {
	const sent = Object.keys(await itemOf(sendOf()));
	const written = Object.keys(await itemOf(write(TRANSFER, [BOB.id, '12500000'])));
	expect(written).toEqual(sent.filter((name) => name !== 'amount' && name !== 'symbol'));
});

test.each([
	['SUSD(0xD0a8...0fcB)', 'SUSD D0a8...0fcB'],
	['\u0405USD', '\u0405USD (mixed alphabets)'],
	['SU\u3164SD', 'SUSD'],
	['\u2800', TOKEN],
])('the symbol %j is %j in sentences, and unchanged in its field', async (symbol, words) => {
	node.service.facts = { ...node.service.facts, symbol };
	const to = `to ${TO_BOB}`;
	const [sent, tried] = [await itemOf(sendOf()), await itemOf(sendOf({ preview: true }))];
	expect(sent).toMatchObject({ symbol, summary: `Submitted: 12.5 ${words} ${to}` });
	const shown = `Would send 12.5 ${words} from DISCORD-1 ${to}`;
	expect(tried).toMatchObject({ symbol, summary: shown });
	const approval = write(APPROVE, [BOB.address, '12.5 token']);
	expect((await itemOf(approval)).summary).toMatch(` to take 12.5 ${words}`);
	node.service.facts = { ...node.service.facts, balance: '1' };
	const refused = [
		...[sendOf(), sendOf({ amount: '0.1234567' })],
		write(TRANSFER, [BOB.address, '0.1234567 token']),
	];
	for (const call of refused) {
		const { error } = await node.run(call);
		const { description } = error as { description?: string | null };
		const said = `${error?.message} ${description}`;
		expect(said.replace('of this token', TOKEN).replace('This token', TOKEN)).toContain(words);
	}
});

test.each([
	['Contract: Write', write('pause()', [], { simplify: false })],
	['Token: Send', sendOf({ simplify: false })],
])('without Simplify, the answer to %s is unchanged', async (_operation, call) => {
	const json = { status: 'SUCCESS', hash: hashOf(1), explorerUrl: 'x', tx: {} };
	expect(await itemOf(call)).toEqual(json);
});

test('no user is stated if the credential has none', async () => {
	const credential = node.service.credential({ userId: ' ' });
	const { items } = await node.run(write('pause()', []), { credential });
	expect(items[0]?.json).not.toHaveProperty('userId');
	expect(items[0]?.json).toHaveProperty('submittedAt');
});

test('a replay states when, and by whom, it was sent the first time', async () => {
	node.service.answer(done(7), failed());
	const before = Date.now();
	const call = write(TRANSFER, [BOB.address, '7']);
	// The second attempt begins after `after`, so a time invented by it would be later.
	const LATER = { ...RETRY, maxTries: 2, waitBetweenTries: 100 };
	const running = node.run(call, { node: LATER, items: [{}, {}] });
	await node.service.received(2);
	const after = Date.now();
	const [first, second] = (await running).items.map(({ json }) => json);
	expect(first).toMatchObject({
		summary: `Submitted by an earlier attempt: 7 base units of ${TOKEN} to ${BOB.address}`,
		...{ submitted: true, replayed: true, hash: hashOf(7), userId: ALICE.id },
	});
	const submittedAt = Date.parse(String(first?.submittedAt));
	expect(submittedAt >= before && submittedAt <= after).toBe(true);
	expect(Date.parse(String(second?.submittedAt))).toBeGreaterThanOrEqual(submittedAt);
	expect(second).not.toHaveProperty('replayed');
});
