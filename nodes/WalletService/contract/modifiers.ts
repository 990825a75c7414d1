import type { StateMutability } from './function';
import { nearMiss } from './near-miss';
import { RESERVED_WORDS } from './reserved-words';
import type { SignatureReader } from './signature-reader';
import { looksLikeType } from './type-names';

const MUTABILITY: ReadonlyMap<string, StateMutability> = new Map([
	['view', 'view'],
	['pure', 'pure'],
	['payable', 'payable'],
	['nonpayable', 'nonpayable'],
	// Solidity before 0.5 wrote `constant` for `view`.
	['constant', 'view'],
]);
const VISIBILITY = new Set(['external', 'public']);
const HIDDEN = new Set(['internal', 'private']);

/** The words that Solidity and the ABI know between the parameters of a function and its end. */
export const MODIFIER_WORDS: ReadonlySet<string> = new Set([
	...MUTABILITY.keys(),
	...VISIBILITY,
	...HIDDEN,
	'virtual',
	'override',
	'returns',
	'return',
]);

const ALLOWED =
	'After the parameters come external, public, view, pure, payable, virtual, override or the modifiers of the contract, then returns (...)';

function refuseSecond(reader: SignatureReader, first: string | undefined): void {
	if (first === undefined) return;
	const second = reader.peek();
	if (first === second) reader.fail('this word stands twice', 'Remove one of the two');
	reader.fail(`it contradicts "${first}"`, `Keep either "${first}" or "${second}"`);
}

/** Whether types follow in parentheses, as after "returns": the arguments of a modifier are values. */
function isTypeListNext(reader: SignatureReader): boolean {
	let ahead = 1;
	while (reader.peek(ahead) === '(') ahead += 1;
	if (ahead === 1) return false;
	const [first, second] = [reader.peek(ahead), reader.peek(ahead + 1)];
	if (looksLikeType(first)) return /^[\w$,)[]/.test(second);
	// A type of the contract with a name: `Token token`.
	return /^[A-Za-z_$]/.test(first) && /^[A-Za-z_$]/.test(second) && first !== 'new';
}

/** A modifier of the contract, of any name that no keyword was meant by, with or without arguments. */
function readOwnModifier(reader: SignatureReader): void {
	const word = reader.peek();
	if (RESERVED_WORDS.has(word) || looksLikeType(word))
		reader.fail('this word is not known here', ALLOWED);
	const meant = nearMiss(word, MODIFIER_WORDS);
	if (meant !== undefined) {
		const keyword = meant === 'return' ? 'returns' : meant;
		reader.fail(
			`"${keyword}" is probably meant`,
			`Write ${keyword}, or remove the word if it is a modifier of the contract`,
		);
	}
	if (isTypeListNext(reader)) {
		reader.fail(
			'types follow this word, as if it were "returns" or another function',
			'Write returns (...) for what the function returns, and give one function only',
		);
	}
	reader.take();
	// A library's modifier: `Roles.only(ADMIN)`.
	while (reader.takeIf('.')) {
		if (!reader.isWord()) reader.fail('the name of a modifier is expected here', ALLOWED);
		reader.take();
	}
	if (reader.peek() === '(') reader.skipGroup('(', ')');
}

/**
 * Reads the words between the parameters and `returns`.
 *
 * @returns the state mutability, or `undefined` when no word says it
 */
export function readModifiers(reader: SignatureReader): StateMutability | undefined {
	let mutability: string | undefined;
	let visibility: string | undefined;
	while (reader.isWord() && reader.peek() !== 'returns') {
		const word = reader.peek();
		if (!MODIFIER_WORDS.has(word)) {
			readOwnModifier(reader);
			continue;
		}
		if (MUTABILITY.has(word)) {
			refuseSecond(reader, mutability);
			mutability = word;
		} else if (VISIBILITY.has(word)) {
			refuseSecond(reader, visibility);
			visibility = word;
		} else if (HIDDEN.has(word)) {
			reader.fail(
				'such a function cannot be called from outside',
				'Choose an external or public function',
			);
		} else if (word === 'return') {
			reader.fail('the word is "returns"', 'Write returns (...)');
		}
		reader.take();
		if (word === 'override' && reader.peek() === '(') reader.skipGroup('(', ')');
	}
	return mutability === undefined ? undefined : MUTABILITY.get(mutability);
}
