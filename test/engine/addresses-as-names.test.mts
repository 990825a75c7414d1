/** Names and symbols that contain 0x: only what can pass for an address is changed in sentences. */
import { hashOf } from './support/answers.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const FIND = { resource: 'history', operation: 'find', transactionHash: hashOf(1) };
const OTHER = `0x${'12'.repeat(20)}`;
const UPPER = `0x${'B2'.repeat(20)}`;

test.each([
	['Rahul', 'Rahul (0xb2b2…b2b2)'],
	['TN100x', 'TN100x (0xb2b2…b2b2)'],
	// As the reference service answers for a wallet without a user.
	[BOB.address, '0xb2b2…b2b2'],
	[UPPER, '0xb2b2…b2b2'],
	[OTHER, '0x1212…1212 (only a name) (0xb2b2…b2b2)'],
	['Rahul 0x1212…1212', '"Rahul 1212...1212" (0xb2b2…b2b2)'],
	['', BOB.address],
])('the recipient %j of a transfer is %s', async (username, words) => {
	node.service.looks = [[{ hash: hashOf(1), said: { to: { username, address: BOB.address } } }]];
	const [item] = await node.outputs(FIND);
	expect(item?.summary).toBe(`Arrived: 12.5 SUSD to ${words}`);
});

test.each(['0xBTC', 'uni0xBTC', '0x0', 'TN100x'])('the symbol %s is complete', async (symbol) => {
	node.service.facts = { ...node.service.facts, symbol };
	const [sent] = await node.items(sendOf({ amount: `12.5 ${symbol}` }));
	expect(sent?.summary).toContain(`12.5 ${symbol} to GOOGLE-2`);
	const amount = { valueBn: '5', decimals: 0, symbol, tokenAddress: TOKEN };
	node.service.looks = [[{ hash: hashOf(1), said: { amount } }]];
	const [item] = await node.outputs(FIND);
	expect(item?.summary).toContain(`Arrived: 5 ${symbol} to Rahul`);
});

test.each([
	[BOB.address, 'GOOGLE-2 (0xb2b2…b2b2)'],
	[UPPER, 'GOOGLE-2 (0xb2b2…b2b2)'],
	[ALICE.address, '0xa1a1…a1a1 (only a name) (GOOGLE-2, 0xb2b2…b2b2)'],
	['TN100x', 'TN100x (GOOGLE-2, 0xb2b2…b2b2)'],
])('a payment to the user %j is to %s', async (username, words) => {
	node.service.profiles[BOB.id] = { ...BOB, username };
	const [item] = await node.items(sendOf({ preview: true }));
	expect(item?.summary).toContain(` to ${words}`);
});

/** Names that a person would read as an address, by how a sentence shows them. */
const LIKE_ADDRESSES = [
	['0x90\u00b7b906', '"0x90\u00b7b906"'],
	['Ox90F7\u2026b906', '"Ox90F7...b906"'],
	['0x90F7\u2026b906', '"90F7...b906"'],
	['\uff10\uff58\uff19\uff10\u00b7\uff42906', '"0x90\u00b7b906"'],
	['\u041e\u044590F7.b906', '"\u041e\u044590F7.b906" (mixed alphabets)'],
	['0\u044590 b906', '"0\u044590 b906"'],
	['O\u00d790F7\u22efb906', '"O\u00d790F7\u22efb906"'],
	['Rahul Ox90F79bf6', '"Rahul Ox90F79bf6"'],
	['0x9OF7-b9O6', '"0x9OF7-b9O6"'],
	['90F7\u2026b906', '"90F7...b906"'],
];

test.each(LIKE_ADDRESSES)('the name %s is quoted', async (username, words) => {
	node.service.looks = [[{ hash: hashOf(1), said: { to: { username, address: BOB.address } } }]];
	const [item] = await node.items(FIND);
	expect(item?.summary).toBe(`Arrived: 12.5 SUSD to ${words} (0xb2b2\u2026b2b2)`);
	expect(item?.who).toBe(words);
	node.service.profiles[BOB.id] = { ...BOB, username };
	const [sent] = await node.items(sendOf({ preview: true }));
	expect(sent?.summary).toContain(` to ${words} (GOOGLE-2, 0xb2b2\u2026b2b2)`);
});

test.each(LIKE_ADDRESSES.filter(([symbol]) => !/\s/.test(symbol ?? '')))(
	'the symbol %s is quoted',
	async (symbol, words) => {
		node.service.facts = { ...node.service.facts, symbol };
		const [sent] = await node.items(sendOf({ preview: true }));
		expect(sent?.summary).toContain(`Would send 12.5 ${words} from`);
	},
);

test('the name of a row is quoted', async () => {
	const items = LIKE_ADDRESSES.map(([name = '']) => ({ name, amount: 'none' }));
	const { message } = await node.refusal(sendOf({ amount: '={{ $json.amount }}' }), { items });
	expect(message).toContain('row 1 ("0x90\u00b7b906")');
	expect(message).toContain('row 2 ("Ox90F7...b906")');
});

test.each(['Oxford 12', 'Oxana', 'Max90', 'bob-42', '80351110224678912', 'ada...bee'])(
	'the name %s is shown as it is',
	async (username) => {
		node.service.profiles[BOB.id] = { ...BOB, username };
		const [sent] = await node.items(sendOf({ preview: true }));
		expect(sent?.summary).toContain(` to ${username} (GOOGLE-2, `);
	},
);

test('a user ID that reads like an address is quoted', async () => {
	const id = 'OX-90F7b906';
	node.service.profiles[id] = { id, address: BOB.address };
	const [sent] = await node.items(sendOf({ preview: true, recipient: id }));
	expect(sent?.summary).toContain(` to "${id}" (0xb2b2\u2026b2b2)`);
});
