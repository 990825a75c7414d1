/** The summary of a write contains known facts only. A contract's refusal is stated in plain words; no hash is lost. */
import type { IDataObject } from 'n8n-workflow';

import { done, EXPLORER, failed, hashOf } from './support/answers.mts';
import { callOf as write, sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, CAROL, TOKEN } from './support/scripted-world.mts';
import { RETRY, useNode } from './support/use-node.mts';

const node = useNode();

const SHORT_TOKEN = '0xd8dA…6045';
/** The fields of every item, in addition to the fields of the call. */
const SENT = {
	submitted: true,
	hash: hashOf(1),
	explorerUrl: EXPLORER,
	userId: ALICE.id,
	submittedAt: expect.any(String),
};

const TO_BOB = 'GOOGLE-2 (0xb2b2…b2b2)';
const TRANSFER = 'transfer(address,uint256)';
const TRANSFER_FROM = 'transferFrom(address from, address to, uint256 amount) returns (bool)';
const APPROVE = 'approve(address spender, uint256 amount) returns (bool)';

const SAFE = 'safeTransferFrom(address,address,uint256';
const [B, MAX] = [BOB.address, (2n ** 256n - 1n).toString()];
const TAKES = `permission for ${B} to take`;
const UNITS = `base units of ${TOKEN}`;
const CAROL_TO_BOB = `from 0xc3c3…c3c3 to ${TO_BOB}`;
/** Fields of a recipient, and results of look-ups. */
const TO_USER = { recipient: BOB.id, to: B };
const FROM_CAROL = { ...TO_USER, from: CAROL };
const TO_WALLET = { recipient: B, to: B };
const TO_CAROL = { recipient: CAROL, to: CAROL };
const [ALICE_FOUND, BOB_FOUND] = [{ [ALICE.id]: ALICE.address }, { [BOB.id]: B }];

test.each<[abi: string, args: readonly unknown[], words: string, fields: IDataObject]>([
	[TRANSFER, [BOB.id, '125'], `125 ${UNITS} to ${TO_BOB}`, { ...TO_USER, baseUnits: '125' }],
	[
		TRANSFER_FROM,
		[ALICE.id, CAROL, '7'],
		`7 ${UNITS} from DISCORD-1 (0xa1a1…a1a1) to ${CAROL}`,
		{ ...TO_CAROL, from: ALICE.address, baseUnits: '7', resolvedAddresses: ALICE_FOUND },
	],
	[APPROVE, [B, '7'], `${TAKES} 7 ${UNITS}`, { spender: B, baseUnits: '7' }],
	[APPROVE, [B, 'unlimited'], `${TAKES} any amount of ${TOKEN}`, { spender: B, baseUnits: MAX }],
	[
		`${SAFE},bytes)`,
		[CAROL, BOB.id, '42', '0x'],
		`${TOKEN} #42 ${CAROL_TO_BOB}`,
		{ ...FROM_CAROL, tokenId: '42' },
	],
	[
		`${SAFE},uint256,bytes)`,
		[CAROL, BOB.id, '7', '3', '0x'],
		`3 of #7 of ${TOKEN} ${CAROL_TO_BOB}`,
		{ ...FROM_CAROL, amount: '3', tokenId: '7' },
	],
])('%s %j is stated in full', async (abi, args, words, fields) => {
	const [item] = await node.items(write(abi, args));
	const summary = `Submitted: ${words}`;
	expect(item).toEqual({ summary, ...fields, ...SENT, tokenAddress: TOKEN });
	// Nothing is looked up only for the summary; an approval is compared with the total supply.
	expect(node.service.reads.filter((name) => name !== 'totalSupply')).toEqual([]);
});

const BATCH = 'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)';
const APPROVE_PIECE = 'approve(address to, uint256 tokenId) returns (bool)';
const ITEMS = [CAROL, BOB.id, ['1', '7'], ['2', '3'], '0x'];
const FOUND = { resolvedAddresses: { ...ALICE_FOUND, ...BOB_FOUND } };
const APPROVED = { spender: BOB.id, resolvedAddresses: BOB_FOUND };

test.each<[abi: string, args: readonly unknown[], words: string, fields?: IDataObject]>([
	['approve(address,uint256)', [B, '42'], ` for ${B}: 42`, { spender: B }],
	['decreaseAllowance(address,uint256)', [B, '42'], ` for ${B}`, { spender: B }],
	[APPROVE_PIECE, [BOB.id, '5'], ` for ${TO_BOB}: 5`, APPROVED],
	['transfer(address to, uint256 tokenId)', [BOB.id, '5'], ` for ${TO_BOB}: 5`, TO_USER],
	['transferFrom(address,address,uint256)', [ALICE.address, B, '42'], ` for ${B}: 42`, TO_WALLET],
	[BATCH, ITEMS, ` for ${TO_BOB}: 2 of #1, 3 of #7`, TO_USER],
	['mint(address to, uint256 amount)', [B, '42'], ''],
	['pause()', [], ''],
	['invite(address[] guests)', [[BOB.id, ALICE.id]], '', FOUND],
])('of %s %j, no amount is claimed', async (abi, args, words, fields = {}) => {
	const call = abi.replace(/\(.+\)/, '(…)');
	const [item] = await node.items(write(abi, args));
	const summary = `Submitted: ${call} of ${SHORT_TOKEN}${words}`;
	expect(item).toEqual({ summary, ...fields, ...SENT, contractAddress: TOKEN });
});

test('native coin that is sent along is stated', async () => {
	const value = { options: { nativeCoin: '0.1' } };
	const [item] = await node.items(write('deposit() payable', [], value));
	expect(item?.summary).toBe(`Submitted: deposit() of ${SHORT_TOKEN}, with 0.1 ether`);
});

test('the fields have one order, whichever operation sends', async () => {
	const [sent = {}] = await node.items(sendOf());
	const [written = {}] = await node.items(write(TRANSFER, [BOB.id, '12500000']));
	const both = Object.keys(sent).filter((name) => name !== 'amount' && name !== 'symbol');
	expect(Object.keys(written)).toEqual(both);
});

test.each([
	['SUSD(0xD0a8...0fcB)', '"SUSD D0a8...0fcB"'],
	['\u0405USD', '\u0405USD (mixed alphabets)'],
	['SU\u3164SD', 'SUSD'],
	['\u2800', TOKEN],
])('the symbol %j is %j in sentences, and unchanged in its field', async (symbol, words) => {
	node.service.reports({ symbol });
	const to = `to ${TO_BOB}`;
	const summary = `Submitted: 12.5 ${words} ${to}`;
	expect(await node.items(sendOf())).toMatchObject([{ symbol, summary }]);
	const shown = `Would send 12.5 ${words} from DISCORD-1 ${to}`;
	const tried = await node.items(sendOf({ preview: true }));
	expect(tried).toMatchObject([{ symbol, summary: shown }]);
	const [approval] = await node.items(write(APPROVE, [BOB.address, '12.5 token']));
	expect(approval?.summary).toMatch(` to take 12.5 ${words}`);
	node.service.reports({ balance: '1' });
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
	const json = { status: 'SUCCESS', hash: hashOf(1), explorerUrl: EXPLORER, tx: {} };
	expect(await node.items(call)).toEqual([json]);
});

test('no user is stated if the credential has none', async () => {
	const credential = node.service.credential({ userId: ' ' });
	const [item] = await node.items(write('pause()', []), { credential });
	expect(item).not.toHaveProperty('userId');
	expect(item).toHaveProperty('submittedAt');
});

test('a replay states when, and by whom, it was sent the first time', async () => {
	node.service.answer(done(7), failed());
	const before = Date.now();
	const call = write(TRANSFER, [BOB.address, '7']);
	// The second attempt begins after `after`, so a time invented by it would be later.
	const LATER = { ...RETRY, maxTries: 2, waitBetweenTries: 100 };
	const running = node.items(call, { node: LATER, items: [{}, {}] });
	await node.service.received(2);
	const after = Date.now();
	const [first, second] = await running;
	const summary = `Submitted by an earlier attempt: 7 ${UNITS} to ${B}`;
	expect(first).toMatchObject({ summary, replayed: true, hash: hashOf(7), userId: ALICE.id });
	const submittedAt = Date.parse(String(first?.submittedAt));
	expect(submittedAt >= before && submittedAt <= after).toBe(true);
	expect(Date.parse(String(second?.submittedAt))).toBeGreaterThanOrEqual(submittedAt);
	expect(second).not.toHaveProperty('replayed');
});

const ART = sendOf({ tokenStandard: 'erc721', pieceId: '2' });
const PIECES = sendOf({ tokenStandard: 'erc1155', pieceId: '7', amount: '3' });
const FROM_TO = 'From(address from, address to, uint256';
const OF_ANOTHER = write(`safeTransfer${FROM_TO} tokenId)`, [CAROL, BOB.id, '2']);
const SPEND = write(`transfer${FROM_TO} amount) returns (bool)`, [CAROL, BOB.id, '5']);
const APPROVAL = 'ERC721 insufficient approval: operator 0x7099, tokenId 2';
const NOT_SENT = 'The wallet of the credential is not allowed to send';

test.each<[parameters: IDataObject, said: string, words: string]>([
	[ART, APPROVAL, 'DISCORD-1 does not own SUSD #2'],
	[ART, 'reverted: ERC721InsufficientApproval(0x7099)', 'DISCORD-1 does not own SUSD #2'],
	[OF_ANOTHER, APPROVAL, `${NOT_SENT} ${TOKEN} #2: the owner has not approved this wallet`],
	[OF_ANOTHER, 'ERC721IncorrectOwner', `${CAROL} does not own ${TOKEN} #2`],
	[ART, 'ERC721 nonexistent token: tokenId 2', 'SUSD #2 does not exist'],
	[ART, 'ERC721 invalid receiver: 0x1', 'GOOGLE-2 (0xb2b2…b2b2) is a contract that cannot receive'],
	[PIECES, 'ERC1155 insufficient balance', `DISCORD-1 does not have 3 of #7 of ${TOKEN}`],
	[SPEND, 'ERC20 insufficient allowance', `${NOT_SENT} 5 base`],
	[sendOf(), 'ERC20 insufficient balance', 'DISCORD-1 does not have 12.5 SUSD'],
	// Unknown errors are reported in the service's words.
	[ART, 'The art is on loan', 'The art is on loan'],
	[write('mint(uint256)', ['1']), APPROVAL, APPROVAL],
])('%#: the refusal %s is stated in plain words', async (parameters, serviceText, words) => {
	node.service.answer(failed(serviceText));
	const { error } = await node.run(parameters);
	expect(error?.message.startsWith(words)).toBe(true);
	const details = { outcome: 'refused', code: 'service-failed', serviceText };
	expect(error).toMatchObject({ context: { details }, httpCode: null });
	expect(error?.description).not.toMatch(/HTTP|\/v1\/|service reported/);
});

test('an answer with a transaction hash is not a refusal, and the hash is not lost', async () => {
	node.service.answer(failed(`${APPROVAL}, in ${hashOf(9)}`));
	const { error } = await node.run(ART);
	// Once: the service's own words name it.
	expect(error?.message.split(hashOf(9))).toHaveLength(2);
	expect(error).toMatchObject({ context: { details: { outcome: 'unknown' } } });
});
