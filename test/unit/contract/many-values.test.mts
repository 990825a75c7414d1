/** Arguments and answers of many values: n8n does other work meanwhile, and what no transaction can hold is refused at once. */
import { encodeArguments } from '../../../nodes/WalletService/contract/arguments.ts';
import { decodeInTurns } from '../../../nodes/WalletService/contract/decode.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import { MAX_WRITTEN_VALUES } from '../../../nodes/WalletService/contract/value-count.ts';
import { turnsDuring } from '../../support/turns.mts';

const resolve = {
	user: async () => await Promise.reject(new Error('No user is given')),
	tokens: async () => await Promise.reject(new Error('No token is given')),
};
const ONE_LIST = parseSignature('f(uint256[] ids)');
const LISTS = parseSignature('f((uint256 id, uint256[] amounts)[] rows)');
const ones = (count: number) => Array<number>(count).fill(1);

test.each<[what: string, count: number, atLeast: number, atMost: number]>([
	['a few', 400, 0, 1],
	['20,000', 20_000, 39, 200],
])('n8n turns while a list of %s values is checked', async (_what, count, atLeast, atMost) => {
	const turns = await turnsDuring(
		async () => await encodeArguments(ONE_LIST, [ones(count)], 'args', resolve),
	);
	expect(turns).toBeGreaterThanOrEqual(atLeast);
	expect(turns).toBeLessThanOrEqual(atMost);
});

test('n8n turns while many short lists are checked', async () => {
	const rows = Array.from({ length: 2000 }, () => [1, ones(9)]);
	const turns = await turnsDuring(
		async () => await encodeArguments(LISTS, [rows], 'args', resolve),
	);
	expect(turns).toBeGreaterThanOrEqual(39);
});

test('a write takes no more values than a transaction can hold', async () => {
	const encode = async (count: number) =>
		await encodeArguments(ONE_LIST, [ones(count)], 'args', resolve, false, MAX_WRITTEN_VALUES);
	await expect(encode(MAX_WRITTEN_VALUES)).resolves.toHaveLength(1);
	await expect(encode(500_000)).rejects.toMatchObject({
		message: 'The arguments have more than 4096 values, more than a transaction can hold',
		parameter: 'ids[4096] (uint256)',
	});
});

test('a list that no transaction can hold is not read to its end', async () => {
	let read = 0;
	const list = new Proxy(ones(500_000), {
		get: (target, name) => {
			read += 1;
			return Reflect.get(target, name);
		},
	});
	const encoded = encodeArguments(ONE_LIST, [list], 'args', resolve, false, MAX_WRITTEN_VALUES);
	await expect(encoded).rejects.toThrow('more than a transaction can hold');
	expect(read).toBeLessThan(4 * MAX_WRITTEN_VALUES);
});

test.each([
	['a list', 'f() view returns (uint256[])', ones(20_000)],
	[
		'a list of tuples',
		'f() view returns ((uint256 id, uint8[] parts)[])',
		Array(2000).fill([1, ones(9)]),
	],
])('n8n turns while an answer with %s is decoded', async (_what, signature, answer) => {
	const fn = parseSignature(signature);
	const turns = await turnsDuring(async () => {
		expect(await decodeInTurns(fn, answer)).toMatchObject({ isDecoded: true });
	});
	expect(turns).toBeGreaterThanOrEqual(19);
});
