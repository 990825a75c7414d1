import type { StateMutability } from './function';
import type { SignatureReader } from './signature-reader';

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

/** Names that projects give their own modifiers: `onlyOwner`, `whenNotPaused`, `nonReentrant`, `lock`. */
const OWN_MODIFIER =
	/^(?:(?:only|when|if|non|not|no|with)[A-Z]\w*|(?:re)?initializer|lock|auth|ensure)$/;

const ALLOWED =
	'After the parameters come external, public, view, pure, payable, virtual or override, then returns (...). Leave out everything else: it is not part of the signature';

function refuseSecond(reader: SignatureReader, first: string | undefined): void {
	if (first === undefined) return;
	const second = reader.peek();
	if (first === second) reader.fail('this word stands twice', 'Remove one of the two');
	reader.fail(`it contradicts "${first}"`, `Keep either "${first}" or "${second}"`);
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
		} else if (word !== 'virtual' && word !== 'override' && !OWN_MODIFIER.test(word)) {
			reader.fail('this word is not known here', ALLOWED);
		}
		reader.take();
		const takesList = !MUTABILITY.has(word) && !VISIBILITY.has(word) && word !== 'virtual';
		if (takesList && reader.peek() === '(') reader.skipGroup('(', ')');
	}
	return mutability === undefined ? undefined : MUTABILITY.get(mutability);
}
