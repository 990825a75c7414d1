/** Modifiers of a contract have any name; what was meant to be a word of Solidity is not taken for one. */
import fc from 'fast-check';

import { MODIFIER_WORDS } from '../../../../nodes/WalletService/contract/source/modifiers.ts';
import { nearMiss } from '../../../../nodes/WalletService/contract/source/near-miss.ts';
import { parseSignature } from '../../../../nodes/WalletService/contract/source/signature.ts';
import { refusalOf } from '../../support/contract/refusal.mts';

const keywords = [...MODIFIER_WORDS];
const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');

/** A keyword with one letter left out, added, replaced, or exchanged with the next one. */
const mistyped = fc
	.tuple(fc.constantFrom(...keywords), fc.nat(), letter, fc.constantFrom('-', '+', '=', 'x'))
	.map(([word, number, added, mistake]) => {
		const at = number % word.length;
		const [before, here, after] = [word.slice(0, at), word[at] ?? '', word.slice(at + 1)];
		const typed = {
			'-': `${before}${after}`,
			'+': `${before}${added}${here}${after}`,
			'=': `${before}${added}${after}`,
			x: `${before}${after.slice(0, 1)}${here}${after.slice(1)}`,
		};
		return { word, typed: typed[mistake] };
	})
	.filter(({ typed }) => !MODIFIER_WORDS.has(typed));

it('refuses every keyword with one mistake, and names one that it is near to', () => {
	fc.assert(
		fc.property(mistyped, fc.constantFrom('', ' (uint256)', ' (x)'), ({ typed }, list) => {
			const { message, hint } = refusalOf(() => parseSignature(`f() external ${typed}${list}`));
			expect(message).toMatch(/^At character 14, .*: "\w+" is probably meant, in/);
			expect(hint).toMatch(/^Write \w+, or remove the word if it is a modifier/);
		}),
		{ numRuns: 2000 },
	);
});

it.each([
	['pubilc', 'public'],
	['extrenla', 'external'],
	['overidde', 'override'],
	['RETURNS', 'returns'],
	['nonpayble', 'nonpayable'],
	['publicview', 'view'],
	['virt', 'virtual'],
])('takes %s for %s', (typed, word) => {
	expect(nearMiss(typed, keywords)).toBe(word);
});

it.each(
	'onlyOwner onlyRole whenNotPaused nonReentrant initializer reinitializer onlyInitializing onlyProxy notDelegated ifAdmin lock auth ensure note gated restricted authorized isOwner validRecipient checkDeadline requiresAuth pausable stoppable live cap throttle viaRouter viewOnly publicSale externalGuard _only $only A only2'.split(
		' ',
	),
)('takes %s for a modifier of the contract, with arguments and without', (word) => {
	for (const list of ['', '()', ' (ADMIN)', '(keccak256("A"), 2 ether, address(this), (a + b))']) {
		const { stateMutability, outputs } = parseSignature(
			`function f(uint256 a) external ${word}${list} payable returns (bool ok)`,
		);
		expect([stateMutability, outputs.length]).toEqual(['payable', 1]);
	}
});
