/** What the longest call and the longest answer take: other requests are answered meanwhile. */
import { AbiCoder, id, Mnemonic, ParamType, toBeHex, Transaction } from 'ethers';
import { decodeAnswer } from '../../service/src/abi/decode.mts';
import { toBigNumber } from '../../service/src/abi/json.mts';
import { MOST_WORDS_OF_WRITE, parseCall } from '../../service/src/input/contract-call.mts';
import { SeedSigner } from '../../service/src/keys/seed.mts';
import { signChecked } from '../../service/src/writes/sign.mts';
import { turnsDuring } from '../support/turns.mts';

const ADDRESS = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
/** Words of an answer of 128 KiB, and the least number of turns in which it is read. */
const WORDS = 4_096;
const TURNS = 20;

const coder = AbiCoder.defaultAbiCoder();
const encode = (type: string, value: unknown) => coder.encode([type], [value]);
const decode = async (type: string, data: string) =>
	await decodeAnswer([ParamType.from(type)], data);

test('the longest call is signed and checked in short stretches, as ethers would sign it', async () => {
	const { phrase } = Mnemonic.fromEntropy(new Uint8Array(32).fill(0x5c));
	const signer = new SeedSigner(phrase);
	const wallet = { source: 'seed:0', address: await signer.addressOf('seed:0') };
	const args = [
		`[${Array(MOST_WORDS_OF_WRITE - 2)
			.fill(1)
			.join()}]`,
	];
	const call = { address: ADDRESS, abi: 'f(uint256[])', args };
	const { to, data } = await parseCall(call, MOST_WORDS_OF_WRITE);
	const fees = { type: 2, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n } as const;
	const unsigned = { to, data, value: 0n, chainId: 1, nonce: 7, gasLimit: 30_000n, fees };
	const sign = async () => await signChecked(signer, wallet, unsigned);
	let signed = { raw: '', hash: '' };
	const turns = await turnsDuring(async () => (signed = await sign()));
	// Between each two of the steps that take time: sign, read, compare, recover, hash.
	expect(turns).toBeGreaterThanOrEqual(4);
	const { raw, hash } = signed;
	expect(Transaction.from(raw)).toMatchObject({ hash, data, from: wallet.address });
});

test.each<[type: string, value: unknown]>([
	['uint256[]', Array(WORDS - 2).fill(2n ** 256n - 1n)],
	['int8[]', Array(WORDS - 2).fill(-1n)],
	['bytes32[]', Array(WORDS - 2).fill(id('a'))],
	['address[]', Array(WORDS - 2).fill(ADDRESS)],
	['string[]', Array(Math.floor(WORDS / 3) - 2).fill('a')],
	['uint256[][]', Array(Math.floor(WORDS / 3) - 2).fill([1n])],
	['tuple(uint256,string)[]', Array(Math.floor(WORDS / 5) - 2).fill([1n, 'a'])],
	[`uint256[${WORDS}]`, Array(WORDS).fill(1n)],
])('a long answer of the type %s holds up nobody', async (type, value) => {
	const data = encode(type, value);
	const turns = await turnsDuring(async () => await decode(type, data));
	expect(turns).toBeGreaterThanOrEqual(TURNS);
});

/** What ethers decodes, as JSON. */
function plain(value: unknown): unknown {
	if (typeof value === 'bigint') return toBigNumber(value);
	return Array.isArray(value) ? [...value].map(plain) : value;
}

test.each<[types: string[], values: unknown[]]>([
	[[], []],
	[
		['uint8', 'int8', 'int256', 'bool', 'address', 'bytes3', 'bytes', 'string'],
		[255n, -128n, -(2n ** 255n), true, ADDRESS, '0x010203', '0x0102', 'é𝄞\ufeff'],
	],
	[
		['string', 'uint256[2][]', 'string'],
		[
			'',
			[
				[1n, 2n],
				[3n, 4n],
			],
			'b',
		],
	],
	[
		['tuple(uint8,tuple(string,bool[])[2],bytes)'],
		[
			[
				1n,
				[
					['a', [true]],
					['b', []],
				],
				'0x',
			],
		],
	],
	[
		['tuple(uint8,tuple(int16,bool)[2])', 'address[0]'],
		[
			[
				1n,
				[
					[-2n, true],
					[3n, false],
				],
			],
			[],
		],
	],
	[
		['string[3]', 'bytes[][]'],
		[
			['a', 'b', 'c'],
			[[], ['0x01'], ['0x', '0x02']],
		],
	],
])('%j are decoded as ethers decodes them', async (types, values) => {
	const data = coder.encode(types, values);
	const all = types.map((type) => ParamType.from(type));
	expect(await decodeAnswer(all, data)).toEqual(plain(coder.decode(types, data).toArray()));
});

const word = (value: bigint | number) => toBeHex(value, 32).slice(2);

test.each<[what: string, type: string, data: string]>([
	['nothing', 'uint256', '0x'],
	['half a word', 'uint256', '0x01'],
	['more than whole words', 'uint256', `0x${word(1)}01`],
	['an address of 21 bytes', 'address', `0x${word(2n ** 160n)}`],
	['an offset beyond the end', 'string', `0x${word(2n ** 255n)}`],
	['a length beyond the end', 'bytes', `0x${word(32)}${word(33)}${word(0)}`],
	['an endless list', 'uint256[]', `0x${word(32)}${word(2n ** 64n)}`],
	['a list without elements', 'uint256[]', `0x${word(32)}${word(2)}${word(0)}`],
	['text that is not UTF-8', 'string', `0x${word(32)}${word(1)}${'ff'.padEnd(64, '0')}`],
])('%s is no answer of the type %s', async (_what, type, data) => {
	await expect(decode(type, data)).rejects.toThrow();
});
