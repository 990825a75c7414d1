/** Lies about one value of an answer, by its kind. */
import { toQuantity } from 'ethers';

/** Stands for a field that the answer lacks. */
export const ABSENT = Symbol('absent');

/** What takes the place of a value. */
export type Bend = (honest: unknown) => unknown;

/** Lies with their names. */
export type Lies = Record<string, Bend>;

const numberIn = (value: unknown): bigint => {
	const text = String(value);
	return /^0x[0-9a-f]+$/i.test(text) ? BigInt(text) : 0n;
};

const atLeastZero = (number: bigint): string => toQuantity(number < 0n ? 0n : number);

/** Values of no form, in the place of any other. */
const FORMLESS: Lies = {
	null: () => null,
	absent: () => ABSENT,
	'empty text': () => '',
	object: () => ({}),
};

const OTHER_HASH = `0x${'ab'.repeat(32)}`;
const OTHER_ADDRESS = `0x${'ab'.repeat(20)}`;

const upperCase: Bend = (honest) => String(honest).toUpperCase().replace('0X', '0x');

export const KINDS = {
	/** A number, such as of a block, or a price. */
	quantity: {
		...FORMLESS,
		zero: () => '0x0',
		'one more': (honest) => toQuantity(numberIn(honest) + 1n),
		'one less': (honest) => atLeastZero(numberIn(honest) - 1n),
		'ten times': (honest) => toQuantity(numberIn(honest) * 10n),
		'a tenth': (honest) => toQuantity(numberIn(honest) / 10n),
		'a billion more': (honest) => toQuantity(numberIn(honest) + 1_000_000_001n),
		'2^31': () => '0x7ffffff0',
		'10^15': () => toQuantity(10n ** 15n),
		'2^255': () => toQuantity(2n ** 255n),
		'not in hex': (honest) => Number(numberIn(honest)),
		'decimal text': (honest) => String(numberIn(honest)),
		negative: () => '-0x1',
		NaN: () => '0xNaN',
		'no digits': () => '0x',
		'upper case': upperCase,
		'leading zeros': (honest) => `0x000${numberIn(honest).toString(16)}`,
	},
	/** Success or not. */
	status: {
		...FORMLESS,
		other: (honest) => (honest === '0x1' ? '0x0' : '0x1'),
		two: () => '0x2',
		'not in hex': (honest) => Number(honest),
		true: () => true,
	},
	hash: {
		...FORMLESS,
		other: () => OTHER_HASH,
		zero: () => `0x${'0'.repeat(64)}`,
		short: () => '0xab',
		'upper case': upperCase,
	},
	address: {
		...FORMLESS,
		other: () => OTHER_ADDRESS,
		short: () => '0xab',
		'upper case': upperCase,
	},
	list: {
		...FORMLESS,
		empty: () => [],
		doubled: (honest) => [honest, honest].flat(),
		'without the last': (honest) => [honest].flat().slice(0, -1),
		'of nulls': (honest) => [honest].flat().map(() => null),
		'without a list': (honest) => [honest].flat()[0] ?? null,
	},
	/** Bytes, such as of a log. */
	data: {
		...FORMLESS,
		empty: () => '0x',
		'2^255': () => toQuantity(2n ** 255n),
		one: () => `0x${'1'.padStart(64, '0')}`,
		'ten times': (honest) => `0x${(numberIn(honest) * 10n).toString(16).padStart(64, '0')}`,
		'upper case': upperCase,
		odd: () => '0x123',
	},
} satisfies Record<string, Lies>;

export type Kind = keyof typeof KINDS;

/** A word with a number, as contracts return it. */
export const word = (number: bigint): string => `0x${number.toString(16).padStart(64, '0')}`;

/** An access key of the operator, which an endpoint repeats in an error. */
export const SECRET = 'a1b2c3d4e5f60718';

/** Errors in the place of an answer, as providers form them. */
export const ERRORS: Record<string, unknown> = {
	'too many requests': { code: 429, message: 'Too Many Requests' },
	'limit exceeded': { code: -32005, message: 'daily request count exceeded, request rate limited' },
	'internal error': { code: -32603, message: 'Internal error' },
	'header not found': { code: -32000, message: 'header not found' },
	'missing trie node': { code: -32000, message: 'missing trie node abcd (path )' },
	'out of gas': { code: -32000, message: 'out of gas' },
	'method not found': { code: -32601, message: 'the method does not exist/is not available' },
	'execution reverted': { code: 3, message: 'execution reverted', data: '0x' },
	'execution reverted without data': { code: -32000, message: 'execution reverted' },
	'a code in text': { code: '-32000', message: 'busy' },
	'no message': { code: -32000 },
	'with a key': { code: -32000, message: `https://rpc.example/v2/${SECRET} is busy` },
	text: 'busy',
	null: null,
};

/** Whole results in the place of an answer. */
export const WHOLE: Lies = {
	null: () => null,
	'empty text': () => '',
	text: () => 'busy',
	object: () => ({}),
	list: () => [],
	number: () => 7,
	true: () => true,
};

const fieldIn = (value: object, name: string): unknown =>
	Object.entries(value).find(([one]) => one === name)?.[1];

/** Puts a lie in the place of a value. @param path members of objects; `*` stands for each of a list */
export function bend(value: unknown, path: readonly string[], lie: Bend): unknown {
	const [name, ...rest] = path;
	if (name === undefined) return lie(value);
	if (name === '*') return Array.isArray(value) ? value.map((one) => bend(one, rest, lie)) : value;
	if (typeof value !== 'object' || value === null) return value;
	const members = Object.entries({ ...value, [name]: bend(fieldIn(value, name), rest, lie) });
	return Object.fromEntries(members.filter(([, one]) => one !== ABSENT));
}
