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
	['Rahul 0x1212…1212', 'Rahul 1212...1212 (0xb2b2…b2b2)'],
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
