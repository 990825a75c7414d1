import type { StateMutability } from '../function';
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

/** Keywords of Solidity and the ABI that may follow the parameters of a function. */
const MODIFIER_WORDS: ReadonlySet<string> = new Set([
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

/** Whether types in parentheses follow, as after "returns": the arguments of a modifier are values. */
function isTypeListNext(reader: SignatureReader): boolean {
	let ahead = 1;
	while (reader.peek(ahead) === '(') ahead += 1;
	if (ahead === 1) return false;
	const [first, second] = [reader.peek(ahead), reader.peek(ahead + 1)];
	if (looksLikeType(first)) return /^[\w$,)[]/.test(second);
	// A type that the contract defines, and a name: `Token token`.
	return /^[A-Za-z_$]/.test(first) && /^[A-Za-z_$]/.test(second) && first !== 'new';
}

/** Reads a modifier that the contract defines, with or without arguments. */
function readOwnModifier(reader: SignatureReader): void {
	const word = reader.peek();
	if (word === 'function' || MODIFIER_WORDS.has(word.toLowerCase()) || looksLikeType(word))
		reader.fail('this word is not known here', ALLOWED);
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
 * @returns the state mutability, or `undefined` if none is declared
 * @throws InvalidInputError for a word that contradicts another or is not allowed.
 * @example readModifiers(new SignatureReader('external view returns (bool)', 'abi')) // 'view'
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
