import { ParamType } from 'ethers';

import { InvalidInputError } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { ContractFunction, ContractOperation } from '../function';
import { readModifiers } from './modifiers';
import { readParameterList } from './parameter-list';
import { SignatureReader } from './signature-reader';

/** Most characters of one signature, including a pasted body. It bounds the time spent on pasted text. */
const MAX_LENGTH = 20_000;

const UNNAMED = new Set(['constructor', 'fallback', 'receive']);
const NOT_CALLABLE = new Set([
	...UNNAMED,
	...'event error modifier struct enum contract interface library using type pragma import'.split(
		' ',
	),
]);

/**
 * Whether a declaration is one of anything but a function. `error(uint256)` may be a function of that name.
 *
 * @param word its first word
 * @param next what follows that
 * @example declaresOther('event', 'Transfer') // true
 */
export function declaresOther(word: string, next: string): boolean {
	return NOT_CALLABLE.has(word) && (next !== '(' || UNNAMED.has(word));
}

/** What is offered where something else was given. */
const EXAMPLES: Readonly<Record<ContractOperation, string>> = {
	read: 'balanceOf(address) view returns (uint256)',
	write: 'transfer(address to, uint256 amount)',
};

function readName(reader: SignatureReader, example: string): string {
	const isMarked = reader.takeIf('function');
	const word = reader.peek();
	if (word === '[' || word === '{') {
		reader.fail(
			'this is JSON, not a signature',
			`Choose Contract ABI as the source of the function, or paste one line such as ${example}`,
		);
	}
	if (/^\d/.test(word)) {
		reader.fail(
			'a name cannot start with a digit',
			'Give the whole signature: a 4-byte selector is not enough to encode arguments',
		);
	}
	if (!reader.isWord())
		reader.fail(
			'the name of the function is expected here',
			`Write name(types), for example ${example}`,
		);
	if (!isMarked && declaresOther(word, reader.peek(1)))
		reader.fail(
			'this is not a function that can be called by name',
			'Give the signature of a function',
		);
	reader.take();
	if (reader.isWord())
		reader.fail(
			'"(" is expected after the name',
			'Write name(types), without a space or a return type in front of the name',
		);
	return word;
}

/** A semicolon, an opening brace or the whole body may follow in pasted source; nothing else. */
function readTail(reader: SignatureReader): void {
	if (reader.peek() === '{') {
		if (reader.peek(1) === '') return;
		reader.skipGroup('{', '}');
	} else if (!reader.takeIf(';') && reader.peek() !== '') {
		reader.fail('nothing can follow the signature', 'End after the modifiers and returns (...)');
	}
	if (reader.peek() !== '')
		reader.fail('only one function can be given', 'Remove what follows the first signature');
}

/**
 * Parses one function signature as pasted from Solidity source, documentation or a human-readable ABI. `function`,
 * parameter names, data locations, modifiers, `returns`, comments and white space are optional; `uint` is `uint256`;
 * tuples are `tuple(...)` or `(...)`.
 *
 * Written by hand: ethers accepts modifiers that contradict each other and does not say where a signature is wrong, and abitype
 * accepts modifiers in one order only.
 *
 * @param parameter the node parameter that holds the text, for errors
 * @param operation what the function is for, so that errors give an example of its kind
 * @throws InvalidInputError that names the position and the offending part.
 * @example
 * const fn = parseSignature('function transfer(address to, uint amount) external returns (bool)');
 * functionKey(fn) // 'transfer(address,uint256)'
 * abbreviatedSignature(fn, 'write') // 'transfer(address,uint256) public returns (bool)'
 */
export function parseSignature(
	text: unknown,
	parameter = 'abi',
	operation: ContractOperation = 'read',
): ContractFunction {
	const example = EXAMPLES[operation];
	if (typeof text !== 'string' || text.trim() === '') {
		throw new InvalidInputError({
			parameter,
			value: text,
			message:
				text === '' || text === undefined
					? 'The function signature is empty'
					: `${quote(text)} is not a function signature`,
			hint: `Give one line as text, for example ${example}`,
		});
	}
	if (text.length > MAX_LENGTH) {
		throw new InvalidInputError({
			parameter,
			value: text,
			message: `The function signature ${quote(text)} has ${text.length} characters`,
			hint: `Give one function of at most ${MAX_LENGTH} characters, without its body and comments`,
		});
	}
	const reader = new SignatureReader(text, parameter);
	const name = readName(reader, example);
	const inputs = readParameterList(reader);
	const stateMutability = readModifiers(reader);
	const outputs = reader.takeIf('returns') ? readParameterList(reader) : [];
	readTail(reader);
	return {
		name,
		inputs: inputs.map((input) => ParamType.from(input)),
		outputs: outputs.map((output) => ParamType.from(output)),
		stateMutability,
	};
}
