/** Whole tokens in arguments: counted by what the called contract says, asked once, and of no other token. */
import type { IDataObject } from 'n8n-workflow';

import { BOB, hashOf, TOKEN } from './support/token-service.mts';
import { TokenWrites, transferOf } from './support/token-writes.mts';

const writes = new TokenWrites();
const { sends } = writes;

test.each(['12.5 token', '12.5 SUSD'])('%s by fields', async (amount) => {
	const { items, error } = await writes.run(amount);
	expect(error).toBeUndefined();
	expect(items[0]?.json.hash).toBe(hashOf(1));
	expect(writes.amounts).toEqual(['12500000']);
	expect(sends.reads).toEqual(['decimals', 'symbol']);
});

test('at any depth of JSON, and in a read', async () => {
	const args = JSON.stringify([[[BOB.id, '1.5 token']], ['2 SUSD', '3']]);
	const call = { argumentsMode: 'json', args, contractAddress: TOKEN };
	const types = '(address to, uint96 amount)[] list, uint256[2] fees';
	await sends.run({
		...call,
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		abi: `pay(${types})`,
	});
	expect(sends.writes[0]?.args).toEqual([`[["${BOB.address}","1500000"]]`, '["2000000","3"]']);
	sends.service.reset();
	const abi = `quote(${types}) view returns (uint256)`;
	await sends.run({
		...call,
		resource: 'contract',
		functionSource: 'signature',
		operation: 'read',
		abi,
	});
	const read = JSON.parse(sends.service.requests.at(-1)?.body ?? '') as IDataObject;
	expect(read.args).toEqual([`[["${BOB.address}","1500000"]]`, '["2000000","3"]']);
	expect(sends.reads).toEqual(['decimals', 'symbol', 'quote']);
});

test('the contract is asked once for all items of a run, and not when no item needs it', async () => {
	const items = ['1 token', '2.5 SUSD', '3', '4 * 10^6'].map((amount) => ({ amount }));
	const { error } = await writes.run('={{ $json.amount }}', {}, { items });
	expect(error).toBeUndefined();
	expect(writes.amounts).toEqual(['1000000', '2500000', '3', '4000000']);
	expect(sends.reads).toEqual(['decimals', 'symbol']);
	sends.service.reset();
	await writes.run('12');
	expect(sends.reads).toEqual([]);
});

test('the preview shows the amount that would be sent', async () => {
	const { items } = await sends.run({
		...transferOf('12.5 token'),
		preview: true,
	});
	expect(items[0]?.json.body).toMatchObject({ args: [BOB.address, '12500000'] });
	expect(sends.writes).toEqual([]);
});

test.each([
	['12.5 token', ['decimals', 'symbol']],
	['12.5 SUSD', ['decimals', 'symbol']],
	['12.5', ['symbol']],
	['1 ether', ['symbol']],
	['12', []],
	['12.5 * 10^6', []],
])('for %j the contract is asked: %j', async (amount, reads) => {
	await writes.run(amount);
	expect(sends.reads).toEqual(reads);
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
			/names a symbol, and the contract 0x\w+ names none/,
			/12\.5 token/,
		],
		[
			'a symbol that is no word',
			{ symbol: 'SUSD to 0x12' },
			'12.5 SUSD',
			/names none/,
			/12\.5 token/,
		],
		[
			'no decimals',
			{ decimals: undefined },
			'12.5 token',
			/the contract 0x\w+ names no decimals/,
			/12\.5 \* 10\^6/,
		],
		[
			'decimals beyond uint8',
			{ decimals: '256' },
			'12.5 token',
			/names no decimals/,
			/12\.5 \* 10\^6/,
		],
		[
			'too many places',
			{},
			'1.2345678 token',
			/has 7 decimal places/,
			/SUSD has 6 decimal places: give at most 6/,
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
		['a sign', {}, '-1', /below the range of uint256/, /^Give 0 or more/],
	])('for %s', async (_name, facts, amount, message, hint) => {
		sends.facts = { ...sends.facts, ...facts };
		const { error } = await writes.run(amount);
		expect(error?.message).toMatch(message);
		expect(error?.message).toMatch(/amount \(uint256\)/);
		expect(error?.description).toMatch(hint);
		expect(error).toMatchObject({
			context: { details: { outcome: 'refused', code: 'invalid-input' } },
		});
		expect(sends.writes).toEqual([]);
	});

	test.each([
		['decimals', '12.5 token', { decimals: 503 }],
		['symbol', '12.5 SUSD', { symbol: 503 }],
	])('while the contract cannot be asked for its %s', async (name, amount, facts) => {
		sends.facts = { ...sends.facts, ...facts };
		const parameters = { ...transferOf(amount), options: { maxTries: 1 } };
		const { error } = await sends.run(parameters);
		expect(error?.message).toContain(`The token could not be asked for its ${name}`);
		expect(error).toMatchObject({ context: { details: { outcome: 'refused' } } });
		expect(sends.writes).toEqual([]);
	});

	test('but a symbol that is only a word is no reason not to send', async () => {
		sends.facts = { decimals: 6, symbol: 404 };
		await writes.run('12.5 token');
		expect(writes.amounts).toEqual(['12500000']);
	});

	test('and nothing is asked for a call that is refused anyway', async () => {
		const value = { 'to (address)': '0x12', 'amount (uint256)': '12.5 token' };
		await sends.run({ ...transferOf(''), arguments: { mappingMode: 'defineBelow', value } });
		expect(sends.service.requests).toEqual([]);
	});
});

test.each<[string, string, IDataObject]>([
	['the zero address', `0x${'0'.repeat(40)}`, {}],
	["the token's own contract", TOKEN.toUpperCase().replace('X', 'x'), {}],
	['a user whose wallet is the zero address', BOB.id, { address: `0x${'0'.repeat(40)}` }],
	["a user whose wallet is the token's own contract", BOB.id, { address: TOKEN.toLowerCase() }],
])('tokens are not sent to %s', async (_who, to, profile) => {
	sends.profile = { id: BOB.id, ...profile };
	const value = { 'to (address)': to, 'amount (uint256)': '5 token' };
	for (const preview of [true, false]) {
		const { error } = await sends.run({
			...transferOf(''),
			arguments: { mappingMode: 'defineBelow', value },
			preview,
		});
		expect(error?.message).toMatch(
			/^to \(address\): The recipient .* is .*: what is sent there is lost/,
		);
	}
	expect(sends.writes).toEqual([]);
});

test('the field of a recipient that would lose tokens is called as the form calls it', async () => {
	const value = { 'dst (address)': TOKEN, 'wad (uint256)': '5 token' };
	const { error } = await sends.run({
		...transferOf(''),
		abi: 'transfer(address dst, uint256 wad)',
		arguments: { mappingMode: 'defineBelow', value },
	});
	expect(error?.message).toMatch(/^dst \(address\): The recipient/);
});
