/** Token: Send accepts whole tokens and sends base units: exact amounts, refused amounts, and the recipients. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { hashOf } from './support/answers.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { ALICE, BOB, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

const run = async (changes: IDataObject = {}, items: IDataObject[] = [{}]) =>
	await node.run(sendOf(changes), { items });

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MAX = 2n ** 256n - 1n;

test('an amount in whole tokens goes to the wallet of a user', async () => {
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(node.service.writes).toEqual([
		{
			address: TOKEN,
			abi: 'transfer(address,uint256) public returns (bool)',
			args: [BOB.address, '12500000'],
		},
	]);
	const json: IDataObject = items[0]?.json ?? {};
	const expected = {
		summary: 'Submitted: 12.5 SUSD to GOOGLE-2 (0xb2b2…b2b2)',
		...{ amount: '12.5', symbol: 'SUSD', recipient: 'GOOGLE-2', submitted: true },
		...{ hash: hashOf(1), explorerUrl: 'x', to: BOB.address, tokenAddress: TOKEN },
		...{ baseUnits: '12500000', submittedAt: expect.stringMatching(ISO_TIME), userId: ALICE.id },
	};
	expect(json).toEqual(expected);
	expect(Object.keys(json)).toEqual(Object.keys(expected));
	const age = Date.now() - Date.parse(String(json.submittedAt));
	expect([age >= 0, age < 60_000]).toEqual([true, true]);
});

test('an address is a recipient as well, and a token comes from the form or as plain text', async () => {
	const token = { __rl: true, mode: 'address', value: ` ${TOKEN} ` };
	const { items } = await run({ recipient: ` ${BOB.address} `, token });
	expect(items[0]?.json).toMatchObject({
		summary: `Submitted: 12.5 SUSD to ${BOB.address}`,
		recipient: BOB.address,
		to: BOB.address,
	});
	expect(node.service.writes).toMatchObject([{ address: TOKEN, args: [BOB.address, '12500000'] }]);
});

test('without Simplify it is the answer as it came', async () => {
	const { items } = await run({ simplify: false });
	expect(items[0]?.json).toEqual({
		...{ status: 'SUCCESS', hash: hashOf(1), explorerUrl: 'x', tx: {} },
	});
});

/** The text of an amount, formatted with BigInt only. */
function textOf(units: bigint, decimals: number): string {
	const digits = units.toString().padStart(decimals + 1, '0');
	const point = digits.length - decimals;
	return decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

test.each([0, 1, 6, 18, 77])(
	'amounts with %d decimals are exact to the last digit',
	async (decimals) => {
		node.service.facts = { ...node.service.facts, decimals, balance: MAX.toString() };
		const random = fc.sample(fc.bigInt({ min: 1n, max: MAX }), { numRuns: 20, seed: decimals + 1 });
		const amounts = [1n, 10n ** BigInt(decimals), MAX, ...random];
		const items = amounts.map((units) => ({ amount: textOf(units, decimals) }));
		const { items: output, error } = await run({ amount: '={{ $json.amount }}' }, items);
		expect(error).toBeUndefined();
		expect(node.service.writes.map(({ args }) => args)).toEqual(
			amounts.map((units) => [BOB.address, units.toString()]),
		);
		for (const [index, { json }] of output.entries()) {
			expect(json.baseUnits).toBe(String(amounts[index]));
			const [whole = '', fraction = ''] = String(json.amount).split('.');
			expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amounts[index]);
			expect(fraction.endsWith('0')).toBe(false);
		}
	},
);

// `unit/values/amount` tests which amounts are valid.
describe('an amount that is not one is refused before anything is sent', () => {
	test.each<[unknown, RegExp, RegExp]>([
		['12,5', /"12,5" has a comma/, /a decimal point, not a comma: 12\.5$/],
		[
			'12.5 USDC',
			/is of another token: the contract 0xd8dA\w+ has the symbol "SUSD"/,
			/12\.5 SUSD$/,
		],
		['-5 SUSD', /is negative/, /without a minus sign/],
		['12.5 * 10^6', /is not an amount/, /digits only/],
		['1 ether', /is not an amount/, /^(?!.*(ether|gwei|wei))/],
		['1.2345678', /has 7 decimal places/, /^SUSD has 6 decimal places: enter at most 6,/],
		['0', /is zero/, /above 0/],
		['0.000000', /is zero/, /above 0/],
		['   ', /The amount is missing/, /12\.5/],
		['={{ undefined }}', /returned nothing/, /expression/],
		['={{ null }}', /returned nothing/, /expression/],
		['={{ "" }}', /returned nothing/, /expression/],
		['={{ [] }}', /is not an amount/, /digits only/],
		['={{ 12.5 }}', /12\.5 is a number with a fraction/, /String\(/],
		['={{ -3 }}', /is negative/, /without a minus sign/],
		['={{ NaN }}', /NaN/, /digits only/],
		['9'.repeat(78), /more than a token contract can hold/, /2\^256 - 1/],
	])('%j', async (amount, message, hint) => {
		const refusal = await node.refusal(sendOf({ amount } as IDataObject));
		expect(refusal.message).toMatch(message);
		expect(refusal.message).toContain('Amount: ');
		expect(refusal.hint).toMatch(hint);
		expect(refusal.code).toBe('invalid-input');
	});

	test('a whole number is one, in text and as a number', async () => {
		const items = [{ amount: 12 }, { amount: '12' }, { amount: ' 0012.50' }];
		const { error } = await run({ amount: '={{ $json.amount }}' }, items);
		expect(error).toBeUndefined();
		expect(node.service.writes.map(({ args }) => args)).toEqual([
			[BOB.address, '12000000'],
			[BOB.address, '12000000'],
			[BOB.address, '12500000'],
		]);
	});

	test('its symbol may follow', async () => {
		const { items } = await run({ amount: '12.5 SUSD' });
		expect(items[0]?.json).toMatchObject({ amount: '12.5', baseUnits: '12500000' });
		node.service.facts = { ...node.service.facts, symbol: undefined };
		const { error } = await run({ amount: '12.5 SUSD' });
		expect(error?.message).toContain('has a symbol, but the contract');
		expect(node.service.writes).toHaveLength(1);
	});

	test.each([
		[0, /^SUSD has no decimal places: enter a whole number,/],
		[1, /^SUSD has 1 decimal place: enter at most 1,/],
	])('a token with %d decimals says so', async (decimals, hint) => {
		node.service.facts = { ...node.service.facts, decimals };
		expect((await node.refusal(sendOf({ amount: '1.25' }))).hint).toMatch(hint);
	});
});

describe('who gets it', () => {
	test.each([
		['Rahul Sen', 'Rahul Sen (GOOGLE-2, 0xb2b2…b2b2)', 'Rahul Sen'],
		[
			'Bob\n\u202e(GOOGLE-3, 0xa1a1)',
			'Bob GOOGLE-3, a1a1 (GOOGLE-2, 0xb2b2…b2b2)',
			'Bob GOOGLE-3, a1a1',
		],
		['x'.repeat(500), `${'x'.repeat(60)} (GOOGLE-2, 0xb2b2…b2b2)`, 'x'.repeat(60)],
		['secret-token', 'access token removed (GOOGLE-2, 0xb2b2…b2b2)', 'access token removed'],
		['\u2800', 'GOOGLE-2 (0xb2b2…b2b2)', undefined],
		[17, 'GOOGLE-2 (0xb2b2…b2b2)', undefined],
	])('the name %j is told beside the user ID', async (username, words, recipientName) => {
		node.service.profiles[BOB.id] = { ...BOB, username };
		for (const [changes, start] of [
			[{}, 'Submitted: 12.5 SUSD to'],
			[{ preview: true }, 'Would send 12.5 SUSD from DISCORD-1 to'],
		] as const) {
			const { items } = await run(changes);
			expect(items[0]?.json).toMatchObject({ summary: `${start} ${words}`, recipient: BOB.id });
			expect(items[0]?.json.recipientName).toBe(recipientName);
		}
	});

	test.each([
		['Rahul', /Recipient: "Rahul" is neither a user ID nor a wallet address/],
		['  ', /Recipient: .* is neither/],
		['DISCORD-1, GOOGLE-2', /Recipient: "DISCORD-1, GOOGLE-2" is a list/],
		['DISCORD-1\nGOOGLE-2', /Recipient: .* is a list/],
		['={{ ["DISCORD-1"] }}', /Recipient: \["DISCORD-1"\] is a list/],
		[`https://etherscan.io/token/${BOB.address}`, /is not a block explorer page of a wallet/],
		['={{ $json.nobody }}', /Recipient: The expression returned nothing/],
		['={{ 5 }}', /Recipient: 5 is neither/],
		['0x12', /Recipient: .* has 2 hexadecimal digits instead of 40/],
		['DISCORD-404', /Recipient: No wallet address is known for the user "DISCORD-404"/],
		[`0x${'0'.repeat(40)}`, /Recipient: "0x0+" is the zero address: tokens sent/],
		[TOKEN.toLowerCase(), /Recipient: .* is the token's own contract/],
	])('%j is refused', async (recipient, message) => {
		expect((await node.refusal(sendOf({ recipient }))).message).toMatch(message);
	});

	test.each([
		{ ...ALICE },
		{ ...BOB, id: 'GOOGLE-20' },
		{ ...BOB, id: null },
		{ ...BOB, id: 'google-2' },
		{ address: BOB.address },
	])('the profile %j is refused', async (profile) => {
		node.service.profiles[BOB.id] = profile;
		const { message } = await node.refusal(sendOf());
		expect(message).toContain('expected the user "GOOGLE-2", got');
	});

	test.each([['  '], ['SUSD'], ['={{ $json.token }}']])('a token %j is refused', async (token) => {
		for (const given of [token, { __rl: true, mode: 'address', value: token }]) {
			expect((await node.refusal(sendOf({ token: given }))).message).toMatch(/^Token: /);
		}
	});
});
