/** Token: Send converts whole tokens to base units; what tokens report about themselves. */
import { formatUnits } from 'ethers';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { EXPLORER, hashOf } from './support/answers.mts';
import { sendOf, transferOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const run = async (changes: IDataObject = {}, items: IDataObject[] = [{}], own = {}) =>
	await node.items(sendOf(changes), { items, node: own });

/** Sends these amounts, one per item. */
const sendAll = async (amounts: unknown[], changes: IDataObject = {}, own = {}) =>
	await run(
		{ amount: '={{ $json.amount }}', ...changes },
		amounts.map((amount) => ({ amount }) as IDataObject),
		own,
	);

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MAX = 2n ** 256n - 1n;

test('an amount in whole tokens goes to the wallet of a user', async () => {
	const [json = {}] = await run();
	const abi = 'transfer(address,uint256) public returns (bool)';
	expect(node.service.writes).toEqual([{ address: TOKEN, abi, args: [BOB.address, '12500000'] }]);
	const expected = {
		summary: 'Submitted: 12.5 SUSD to GOOGLE-2 (0xb2b2…b2b2)',
		amount: '12.5',
		symbol: 'SUSD',
		recipient: 'GOOGLE-2',
		submitted: true,
		hash: hashOf(1),
		explorerUrl: EXPLORER,
		to: BOB.address,
		tokenAddress: TOKEN,
		baseUnits: '12500000',
		submittedAt: expect.stringMatching(ISO_TIME),
		userId: ALICE.id,
	};
	expect(json).toEqual(expected);
	expect(Object.keys(json)).toEqual(Object.keys(expected));
	const age = Date.now() - Date.parse(String(json.submittedAt));
	expect([age >= 0, age < 60_000]).toEqual([true, true]);
});

test.each([0, 1, 6, 18, 77])('%d decimals are exact to the last digit', async (decimals) => {
	node.service.reports({ decimals, balance: MAX.toString() });
	const random = fc.sample(fc.bigInt({ min: 1n, max: MAX }), { numRuns: 20, seed: decimals + 1 });
	const units = [1n, 10n ** BigInt(decimals), MAX, ...random];
	const amounts = units.map((unit) => formatUnits(unit, decimals));
	const items = await sendAll(amounts, {}, CONTINUE);
	const sent = node.service.writes.map(({ args }) => args);
	expect(sent).toEqual(units.map((unit) => [BOB.address, String(unit)]));
	expect(items.map(({ baseUnits }) => baseUnits)).toEqual(units.map(String));
	const shown = amounts.map((amount) => amount.replace(/\.0$/, ''));
	expect(items.map(({ amount }) => amount)).toEqual(shown);
});

test('an amount may be text or a number, and the symbol may follow', async () => {
	const items = await sendAll([12, '12', 12.5, ' 0012.50', '12.5 \n', '12.5 SUSD', '12.5 susd']);
	const baseUnits = [...Array<string>(2).fill('12000000'), ...Array<string>(5).fill('12500000')];
	expect(items.map((item) => item.baseUnits)).toEqual(baseUnits);
	expect(node.service.writes.map(({ args }) => args[1])).toEqual(baseUnits);
});

// `unit/values/amount` tests which strings and numbers are amounts.
test.each<[amount: unknown, message: RegExp, hint: RegExp, facts?: object]>([
	['12.5 USDC', /is an amount of another token: .* 0xd8dA\w+ has the symbol "SUSD"/, /12\.5 SUSD$/],
	['12.5 SUSD', /has a symbol, but the contract/, /12\.5 token/, { symbol: undefined }],
	[
		'1.5 GWEI',
		/because "GWEI" is a unit$/,
		/^Enter digits only, such as 12\.5/,
		{ symbol: 'GWEI' },
	],
	[
		'1.5 gwei',
		/because "gwei" is a unit$/,
		/^Enter digits only, such as 12\.5/,
		{ symbol: 'gwei' },
	],
	['12 BASE', /because "BASE" is a unit$/, /^Enter digits only/, { symbol: 'BASE' }],
	['1.5 WORLD CUP', /because several words follow the number/, /12\.5/, { symbol: 'WORLD CUP' }],
	['-5 SUSD', /is negative/, /without a minus sign/],
	['1 ether', /is not an amount/, /^(?!.*(ether|gwei|wei))/],
	['1.25', /2 decimal places/, /^SUSD has no decimal places: enter a whole/, { decimals: 0 }],
	['1.25', /2 decimal places/, /^SUSD has 1 decimal place: enter at most 1,/, { decimals: 1 }],
	['0.000000', /is zero/, /above 0/],
	['={{ undefined }}', /returned nothing/, /expression/],
	['={{ [] }}', /is not an amount/, /digits only/],
	['={{ 0.1 + 0.2 }}', /0\.30000000000000004 cannot be read exactly/, /a text field or column/],
	['={{ 2.5 }}', /1 decimal place/, /^SUSD has no decimal places/, { decimals: 0 }],
	['9'.repeat(78), /more than a token contract can hold/, /2\^256 - 1/],
])('the amount %j is refused: %s', async (amount, message, hint, facts = {}) => {
	node.service.reports(facts);
	expect(await node.refusal(sendOf({ amount } as IDataObject))).toMatchObject({
		message: expect.stringMatching(message),
		hint: expect.stringMatching(hint),
		code: 'invalid-input',
		parameter: 'Amount',
	});
});

test.each<[IDataObject, IDataObject, RegExp]>([
	[sendOf({ recipient: 'Rahul' }), {}, /"Rahul" is neither a user ID nor a wallet.*DISCORD-/s],
	[sendOf({ amount: '1,5' }), {}, /a decimal point, not a comma: 1\.5/],
	[transferOf('12.5'), {}, /For 12\.5 SUSD write 12\.5 token/],
	[transferOf('12,5'), {}, /not a comma: 12\.5 token/],
])('%#: a model gets the hint in the message, which is all that it sees', async (...row) => {
	const [call, given, message] = row;
	await expect(node.tool(call, given)).rejects.toThrow(message);
	expect(node.service.writes).toEqual([]);
});

describe('what a token reports about itself', () => {
	test('is read once for all items of a run, even if that fails, where only words depend on it', async () => {
		node.service.reports({ symbol: 500 });
		const items = await sendAll(['7', '7', '7'], { options: { maxTries: 1 } });
		expect(items.map((item) => item.amount)).toEqual(['7', '7', '7']);
		expect([...node.service.reads].sort()).toEqual(['decimals', 'symbol', 'symbol']);
	});

	const inBytes = (text: string, rest = 32 - text.length): string =>
		`0x${Buffer.from(text).toString('hex')}${'00'.repeat(rest)}`;
	const MKR = inBytes('MKR');

	test.each([
		['is no string, but 32 bytes', { symbol: undefined, symbolInBytes: MKR }],
		['fails as a string', { symbol: 500, symbolInBytes: MKR }],
		['is answered as bytes', { symbol: MKR }],
		['is filled up with NULs', { symbol: 'MKR\0\0' }],
	])('may be a symbol that %s', async (_what, facts) => {
		node.service.reports(facts);
		const [item] = await run({ amount: '12.5 MKR' });
		const summary = 'Submitted: 12.5 MKR to GOOGLE-2 (0xb2b2…b2b2)';
		expect(item).toMatchObject({ summary, symbol: 'MKR', baseUnits: '12500000' });
	});

	test.each([
		['an encoded string', `0x${'20'.padStart(64, '0')}`],
		['not UTF-8', `0xff${'00'.repeat(31)}`],
	])('has no symbol if its 32 bytes are %s', async (_what, symbolInBytes) => {
		node.service.reports({ symbol: undefined, symbolInBytes });
		expect((await run())[0]).not.toHaveProperty('symbol');
	});

	test('may have any form that services send', async () => {
		node.service.reports({ decimals: { type: 'BigNumber', hex: '0x12' } });
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
	])('may lack a symbol: %s', async (_name, symbol) => {
		node.service.reports({ symbol });
		const [item] = await run({ options: { maxTries: 1 } });
		const summary = `Submitted: 12.5 ${TOKEN} to GOOGLE-2 (0xb2b2…b2b2)`;
		expect(item).toMatchObject({ summary, amount: '12.5' });
		expect(item).not.toHaveProperty('symbol');
		expect(node.service.writes).toHaveLength(1);
	});

	const NO_DECIMALS = [undefined, 256, -1, 6.5, null, '', ALICE.address];

	test.each(NO_DECIMALS)('is not guessed where %j stands for its decimals', async (decimals) => {
		node.service.reports({ decimals });
		expect(await node.refusal(sendOf())).toMatchObject({
			message: expect.stringContaining('SUSD does not look like an ERC-20 token: it has no'),
			hint: expect.stringMatching(
				/choose ERC-721 or ERC-1155 under .* with Contract: Write, in base/,
			),
			code: 'invalid-input',
		});
	});

	test.each([401, 403, 429, 500, 503])('is not doubted because of HTTP %d', async (decimals) => {
		node.service.reports({ decimals });
		const refusal = await node.refusal(sendOf({ options: { maxTries: 1 } }));
		expect(refusal).toMatchObject({ httpStatus: decimals });
		expect(refusal.message).toContain("The token's decimals could not be looked up: ");
		expect(refusal.message).not.toContain('ERC-20');
	});
});
