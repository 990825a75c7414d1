/**
 * Whole tokens in arguments: converted by the decimals of the called contract, which are looked up once; no other token is
 * accepted.
 */
import type { IDataObject } from 'n8n-workflow';

import { hashOf } from './support/answers.mts';
import { callOf, transferOf } from './support/kinds-of-writes.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { useNode } from './support/use-node.mts';

const node = useNode();

/** Transfers an amount, by default of one item. */
const transfer = async (amount: unknown, items: IDataObject[] = [{}]) =>
	await node.run(transferOf(amount), { items });

/** The amounts of all writes that reached the service. */
const amounts = () => node.service.writes.map(({ args }) => args[1]);

test.each(['12.5 token', '12.5 SUSD'])('%s by fields', async (amount) => {
	const { items, error } = await transfer(amount);
	expect(error).toBeUndefined();
	expect(items[0]?.json.hash).toBe(hashOf(1));
	expect(amounts()).toEqual(['12500000']);
	expect(node.service.reads).toEqual(['decimals', 'symbol']);
});

test('at any depth of JSON, and in a read', async () => {
	const { service } = node;
	const args = [[[BOB.id, '1.5 token']], ['2 SUSD', '3']];
	const types = '(address to, uint96 amount)[] list, uint256[2] fees';
	const counted = [`[["${BOB.address}","1500000"]]`, '["2000000","3"]'];
	await node.run(callOf(`pay(${types})`, args));
	expect(service.writes[0]?.args).toEqual(counted);
	service.reset();
	const abi = `quote(${types}) view returns (uint256)`;
	await node.run(callOf(abi, args, { operation: 'read' }));
	expect(JSON.parse(service.requests.at(-1)?.body ?? '')).toMatchObject({ args: counted });
	expect(service.reads).toEqual(['decimals', 'symbol', 'quote']);
});

test('the contract is asked once for all items of a run, and not when no item needs it', async () => {
	const items = ['1 token', '2.5 SUSD', '3', '4 * 10^6'].map((amount) => ({ amount }));
	const { error } = await transfer('={{ $json.amount }}', items);
	expect(error).toBeUndefined();
	expect(amounts()).toEqual(['1000000', '2500000', '3', '4000000']);
	expect(node.service.reads).toEqual(['decimals', 'symbol']);
	node.service.reset();
	await transfer('12');
	expect(node.service.reads).toEqual([]);
});

test('the preview shows the amount that would be sent', async () => {
	const { items } = await node.run({
		...transferOf('12.5 token'),
		preview: true,
	});
	expect(items[0]?.json.body).toMatchObject({ args: [BOB.address, '12500000'] });
	expect(node.service.writes).toEqual([]);
});

test.each([
	['12.5 token', ['decimals', 'symbol']],
	['12.5 SUSD', ['decimals', 'symbol']],
	['12.5', ['symbol']],
	['1 ether', ['symbol']],
	['12', []],
	['12.5 * 10^6', []],
])('for %j the contract is asked: %j', async (amount, reads) => {
	await transfer(amount);
	expect(node.service.reads).toEqual(reads);
});

describe('nothing is sent', () => {
	test.each<[string, IDataObject, string, RegExp, RegExp]>([
		[
			'another symbol',
			{},
			'12.5 EURX',
			/"12.5 EURX" is of another token: the contract 0x\w+ has the symbol "SUSD"/,
			/write 12\.5 SUSD/,
		],
		[
			'no symbol',
			{ symbol: undefined },
			'12.5 SUSD',
			/has a symbol, but the contract 0x\w+ reports none/,
			/12\.5 token/,
		],
		[
			'a symbol that is no word',
			{ symbol: 'SUSD to 0x12' },
			'12.5 SUSD',
			/reports none/,
			/12\.5 token/,
		],
		[
			'no decimals',
			{ decimals: undefined },
			'12.5 token',
			/the contract 0x\w+ reports no decimals/,
			/12\.5 \* 10\^6/,
		],
		[
			'decimals beyond uint8',
			{ decimals: '256' },
			'12.5 token',
			/reports no decimals/,
			/12\.5 \* 10\^6/,
		],
		[
			'too many places',
			{},
			'1.2345678 token',
			/has 7 decimal places/,
			/SUSD has 6 decimal places: enter at most 6/,
		],
		[
			'no unit',
			{},
			'12.5',
			/"12.5" has a decimal point but no unit/,
			/^For 12\.5 SUSD write 12\.5 token/,
		],
		[
			'a token without a name',
			{ symbol: undefined },
			'12.5',
			/no unit/,
			/^For 12\.5 tokens write 12\.5 token/,
		],
		['native coin', {}, '12.5 ether', /native coin/, /^For 12\.5 SUSD write 12\.5 token/],
		['a comma', {}, '12,5', /has a comma/, /a decimal point, not a comma: 12\.5 token/],
		['a sign', {}, '-1', /below the range of uint256/, /^Enter 0 or more/],
	])('for %s', async (_name, facts, amount, message, hint) => {
		node.service.facts = { ...node.service.facts, ...facts };
		const refusal = await node.refusal(transferOf(amount));
		expect(refusal.message).toMatch(message);
		expect(refusal.message).toMatch(/amount \(uint256\)/);
		expect(refusal.hint).toMatch(hint);
		expect(refusal.code).toBe('invalid-input');
	});

	test.each([
		['decimals', '12.5 token', { decimals: 503 }],
		['symbol', '12.5 SUSD', { symbol: 503 }],
	])('while the contract cannot be asked for its %s', async (name, amount, facts) => {
		node.service.facts = { ...node.service.facts, ...facts };
		const parameters = { ...transferOf(amount), options: { maxTries: 1 } };
		const { message } = await node.refusal(parameters);
		expect(message).toContain(`The token's ${name} could not be looked up`);
	});

	test('but a symbol that is only a word is no reason not to send', async () => {
		node.service.facts = { decimals: 6, symbol: 404 };
		await transfer('12.5 token');
		expect(amounts()).toEqual(['12500000']);
	});

	test('and nothing is asked for a call that is refused anyway', async () => {
		await node.run(transferOf('12.5 token', '0x12'));
		expect(node.service.requests).toEqual([]);
	});
});

test.each<[string, string, IDataObject]>([
	['the zero address', `0x${'0'.repeat(40)}`, {}],
	["the token's own contract", TOKEN.toUpperCase().replace('X', 'x'), {}],
	['a user whose wallet is the zero address', BOB.id, { address: `0x${'0'.repeat(40)}` }],
	["a user whose wallet is the token's own contract", BOB.id, { address: TOKEN.toLowerCase() }],
])('tokens are not sent to %s', async (_who, to, profile) => {
	node.service.profiles[BOB.id] = { id: BOB.id, ...profile };
	for (const preview of [true, false]) {
		const { error } = await node.run({ ...transferOf('5 token', to), preview });
		expect(error?.message).toMatch(
			/^to \(address\): .* is .*: tokens sent there are lost/,
		);
	}
	expect(node.service.writes).toEqual([]);
});

test('the field of a recipient that would lose tokens is called as the form calls it', async () => {
	const value = { 'dst (address)': TOKEN, 'wad (uint256)': '5 token' };
	const { error } = await node.run({
		...transferOf(''),
		abi: 'transfer(address dst, uint256 wad)',
		arguments: { mappingMode: 'defineBelow', value },
	});
	expect(error?.message).toMatch(/^dst \(address\): .* lost$/);
});
