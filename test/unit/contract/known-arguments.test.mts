/** The arguments of the token standards: their labels, and what is said about their amounts. */
import {
	collectLookUps,
	encodeArguments,
} from '../../../nodes/WalletService/contract/arguments.ts';
import { commonFunctionsFor } from '../../../nodes/WalletService/contract/common-functions.ts';
import { argumentFields } from '../../../nodes/WalletService/contract/fields.ts';
import { parseSignature } from '../../../nodes/WalletService/contract/source/signature.ts';
import type { TokenFacts } from '../../../nodes/WalletService/contract/token-amount.ts';
import { refusalOf } from '../support/contract/refusal.mts';
import { WALLET } from '../support/contract/well-formed.mts';

const SUSD: TokenFacts = { address: '0x12', decimals: 6, symbol: 'SUSD' };
const TRANSFER = parseSignature('transfer(address to, uint256 amount)');

function sent(amount: unknown, token: TokenFacts = SUSD): string | undefined {
	const args = [WALLET, amount];
	collectLookUps(TRANSFER, args);
	return encodeArguments(TRANSFER, args, { token })[1];
}

describe('the amount of a function that moves a token', () => {
	it.each<[unknown, RegExp, RegExp]>([
		['12.5', /^"12.5" has a decimal point but no unit$/, /^For 12\.5 SUSD write 12\.5 token$/],
		[
			'12.5 ether',
			/native coin/,
			/^For 12\.5 SUSD write 12\.5 token, for base units 12\.5 \* 10\^18$/,
		],
		['20 gwei', /native coin/, /for base units 20 \* 10\^9$/],
		['7 wei', /native coin/, /for base units 7$/],
		['12,5', /has a comma/, /^Write a decimal point, not a comma: 12\.5 token$/],
		['1,000', /has a comma/, /: 1000 token or 1\.000 token$/],
		['twelve', /is not an amount/, /: 1\.5 token$/],
		['', /empty/, /12\.5 token$/],
		[12.5, /with a fraction/, /12\.5 token$/],
		['-1', /below the range/, /^Give 0 or more$/],
		['-0.5', /below the range/, /^Give 0 or more$/],
		[String(2n ** 256n), /above the range/, /^Give at most 2\^256 - 1$/],
		[`${2n ** 256n} token`, /above the range/, /^Give at most 2\^256 - 1 base units$/],
	])('%j is refused in its words', (amount, message, hint) => {
		const refusal = refusalOf(() => sent(amount));
		expect(refusal.parameter).toBe('amount (uint256)');
		expect(refusal.message).toMatch(message);
		expect(refusal.hint).toMatch(hint);
		expect(refusal.hint).not.toMatch(/ether|gwei|wei/);
	});

	it('without a symbol the token is "this token"', () => {
		const refusal = refusalOf(() => sent('12.5', { address: '0x12' }));
		expect(refusal.hint).toBe('For 12.5 of this token write 12.5 token');
	});

	it('bare whole numbers and powers of ten are base units', () => {
		expect(['12', '12.5 * 10^6', 7, '0x10'].map((amount) => sent(amount))).toEqual([
			'12',
			'12500000',
			'7',
			'16',
		]);
	});

	it.each(['approve(address to, uint256 tokenId)', 'transferFrom(address,address,uint256 _id)'])(
		'the number of an NFT is none: %s',
		(signature) => {
			const fn = parseSignature(signature);
			const args = fn.inputs.map(({ type }) => (type === 'address' ? WALLET : '2 gwei'));
			expect(encodeArguments(fn, args).at(-1)).toBe('2000000000');
		},
	);
});

test('n8n makes of each label a name of its own, which a model can be given', () => {
	const functions = (['read', 'write'] as const).flatMap(commonFunctionsFor);
	for (const { fn } of functions) {
		// As n8n's editor does when the model is to define a field.
		const keys = argumentFields(fn).map(({ displayName }) =>
			displayName.slice(0, 63).replace(/[^a-zA-Z0-9-]/g, '_'),
		);
		expect(new Set(keys).size).toBe(keys.length);
		for (const [index, key] of keys.entries()) {
			expect(key).toMatch(/^[a-zA-Z0-9_-]{1,63}$/);
			expect(key.startsWith(`${fn.inputs[index]?.name}__`)).toBe(true);
		}
	}
});

test('arguments of the token standards are labelled in words, others by name and type', () => {
	const labels = (signature: string) =>
		argumentFields(parseSignature(signature)).map(({ id, displayName }) => [id, displayName]);
	expect(labels('transfer(address dst, uint wad)')).toEqual([
		['dst (address)', 'dst: address or user ID'],
		['wad (uint256)', 'wad: 12.5 token, or base units'],
	]);
	expect(labels('approve(address,uint256)')).toEqual([
		['argument 1 (address)', 'spender: address or user ID'],
		['argument 2 (uint256)', 'amount: 12.5 token, or base units'],
	]);
	expect(labels('approve(address to, uint256 tokenId)')[1]).toEqual([
		'tokenId (uint256)',
		'tokenId: number of the NFT',
	]);
	expect(labels('transfer(address to, uint128 amount)')[1]).toEqual([
		'amount (uint128)',
		'amount (uint128)',
	]);
});
