import { ParamType } from 'ethers';

import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { ContractFunction, ContractOperation, StateMutability } from '../function';
import { contractFunction, MUTABILITIES } from '../function';
import { readParameterList } from './parameter-list';
import { SignatureReader } from './signature-reader';
import { looksLikeType } from '../type-names';

const UNNAMED = new Set(['constructor', 'fallback', 'receive']);
const NOT_CALLABLE = new Set([
	...UNNAMED,
	...'event error modifier struct enum abstract contract interface library using type pragma import'.split(
		' ',
	),
]);

/** Solidity before 0.5 wrote `constant` for `view`. */
const MUTABILITY = new Set<string>([...MUTABILITIES, 'constant']);
const VISIBILITY = new Set(['external', 'public']);
const HIDDEN = new Set(['internal', 'private']);
const OTHER_KEYWORDS = ['virtual', 'override', 'returns', 'return'];
const KEYWORDS = new Set([...MUTABILITY, ...VISIBILITY, ...HIDDEN, ...OTHER_KEYWORDS]);

const ALLOWED =
	'After the parameters, use external, public, view, pure, payable, virtual or override, then returns (...). Custom modifiers require "function" before the name';

/** Examples for hints. */
const EXAMPLES: Readonly<Record<ContractOperation, string>> = {
	read: 'balanceOf(address) view returns (uint256)',
	write: 'transfer(address to, uint256 amount)',
};

/**
 * Whether a declaration declares something other than a function. `error(uint256)` may be a function named `error`.
 *
 * @param word its first word
 * @param next the token after it
 * @example declaresOther('event', 'Transfer') // true
 */
export function declaresOther(word: string, next: string): boolean {
	return NOT_CALLABLE.has(word) && (next !== '(' || UNNAMED.has(word));
}

/** @param isSource whether the word `function` precedes the name, as in Solidity source */
function readFunctionName(reader: SignatureReader, isSource: boolean, example: string): string {
	const word = reader.peek();
	if (word === '[' || word === '{') {
		reader.fail(
			'this is JSON, not a signature',
			`Choose Contract ABI under Function Source, or paste one line such as ${example}`,
		);
	}
	if (/^\d/.test(word)) {
		reader.fail(
			'a name cannot start with a digit',
			'Enter the whole signature: a 4-byte selector is not enough to encode arguments',
		);
	}
	if (!reader.isWord())
		reader.fail(
			'the name of the function is expected here',
			`Write name(types), for example ${example}`,
		);
	if (!isSource && declaresOther(word, reader.peek(1)))
		reader.fail(
			'this is not a function that can be called by name',
			'Enter the signature of a function',
		);
	return reader.take();
}

/** Reads a custom modifier, with or without arguments. Outside Solidity source, such a word is a typo. */
function readOwnModifier(reader: SignatureReader, isSource: boolean): void {
	const word = reader.peek();
	// A modifier's arguments are values, such as `uint8(1)`; types indicate a mistyped "returns" or another function.
	const hasTypes =
		reader.peek(1) === '(' && looksLikeType(reader.peek(2)) && reader.peek(3) !== '(';
	const isMistyped = word === 'function' || KEYWORDS.has(word.toLowerCase()) || looksLikeType(word);
	if (isMistyped || hasTypes || !isSource) reader.fail('this word is not allowed here', ALLOWED);
	reader.take();
	// A library's modifier: `Roles.only(ADMIN)`.
	while (reader.takeIf('.')) {
		if (!reader.isWord()) reader.fail('the name of a modifier is expected here', ALLOWED);
		reader.take();
	}
	if (reader.peek() === '(') reader.skipGroup('(', ')');
}

/** Skips the gas of the function, which ethers writes as `@29000000`; people add the word: `@29000000 gas`. */
function skipGas(reader: SignatureReader): boolean {
	if (!reader.takeIf('@')) return false;
	if (!/^\d+(?:gas)?$/i.test(reader.peek())) {
		const hint = 'Remove everything from the @ on: the service determines the gas';
		reader.fail('a whole number of gas is expected after the @', hint);
	}
	reader.take();
	if (/^gas$/i.test(reader.peek())) reader.take();
	return true;
}

/** Reads the words between the parameters and `returns`, and returns the state mutability among them. */
function readModifiers(reader: SignatureReader, isSource: boolean): StateMutability | undefined {
	const found = new Map<ReadonlySet<string>, string>();
	while (reader.peek() === '@' || (reader.isWord() && reader.peek() !== 'returns')) {
		if (skipGas(reader)) continue;
		const word = reader.peek();
		if (!KEYWORDS.has(word)) {
			readOwnModifier(reader, isSource);
			continue;
		}
		if (word === 'return') reader.fail('"returns" is expected here', 'Write returns (...)');
		if (HIDDEN.has(word)) {
			reader.fail(
				'internal and private functions cannot be called from outside',
				'Choose an external or public function',
			);
		}
		const group = MUTABILITY.has(word) ? MUTABILITY : VISIBILITY;
		const first = found.get(group);
		if (first === word) reader.fail('this word appears twice', 'Remove one of the two');
		if (first !== undefined && group.has(word))
			reader.fail(`this contradicts "${first}"`, `Keep either "${first}" or "${word}"`);
		if (group.has(word)) found.set(group, word);
		reader.take();
		if (word === 'override' && reader.peek() === '(') reader.skipGroup('(', ')');
	}
	const mutability = found.get(MUTABILITY);
	return mutability === 'constant' ? 'view' : MUTABILITIES.find((one) => one === mutability);
}

/** Reads the end of a signature: nothing, or in pasted source a semicolon, an opening brace or the whole body. */
function readTail(reader: SignatureReader): void {
	skipGas(reader);
	if (reader.peek() === '{') {
		if (reader.peek(1) === '') return;
		reader.skipGroup('{', '}');
	} else if (!reader.takeIf(';') && !reader.takeIf(',') && reader.peek() !== '') {
		reader.fail('nothing can follow the signature', 'End after the modifiers and returns (...)');
	}
	if (reader.peek() !== '')
		reader.fail('only one function is allowed', 'Remove the text after the first signature');
}

/**
 * Parses one function signature as pasted from Solidity source, documentation or a human-readable ABI. `function`,
 * parameter names, data locations, modifiers, `returns`, comments and white space are optional; `uint` is `uint256`;
 * tuples are `tuple(...)` or `(...)`. Custom modifiers need `function` before the name.
 *
 * No library is used: ethers accepts contradictory modifiers and does not report the position of an error, and abitype
 * accepts modifiers in only one order.
 *
 * @param parameter the node parameter that holds the text, for errors
 * @param operation determines the example in errors
 * @throws InvalidInputError that names the position and the offending part.
 * @example
 * const fn = parseSignature('function transfer(address to, uint amount) external returns (bool)');
 * fn.key // 'transfer(address,uint256)'
 * abbreviatedSignature(fn, 'write') // 'transfer(address,uint256) public returns (bool)'
 */
export function parseSignature(
	text: unknown,
	parameter = 'abi',
	operation: ContractOperation = 'read',
): ContractFunction {
	const example = EXAMPLES[operation];
	if (typeof text !== 'string' || text.trim() === '') {
		const isEmpty = text === '' || text === undefined;
		const problem = isEmpty
			? 'The function signature is empty'
			: `${quote(text)} is not a function signature`;
		return refuse(parameter, problem, `Enter one line of text, for example ${example}`);
	}
	// A line of a list is copied with its quotes.
	const plain = text.replace(/\p{Cf}/gu, '').trim();
	const [, unquoted = plain] = /^["'`“]([^]*)["'`”],?$/.exec(plain) ?? [];
	const reader = new SignatureReader(unquoted, parameter);
	const isSource = reader.takeIf('function');
	const name = readFunctionName(reader, isSource, example);
	const inputs = readParameterList(reader);
	const stateMutability = readModifiers(reader, isSource);
	// Foundry leaves the word out: balanceOf(address)(uint256).
	const hasOutputs = reader.takeIf('returns') || reader.peek() === '(';
	const outputs = hasOutputs ? readParameterList(reader) : [];
	readTail(reader);
	return contractFunction({
		name,
		inputs: inputs.map((input) => ParamType.from(input)),
		outputs: outputs.map((output) => ParamType.from(output)),
		stateMutability,
	});
}
