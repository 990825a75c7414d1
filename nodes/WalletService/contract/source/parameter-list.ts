import type { JsonFragmentType } from 'ethers';

import type { SignatureReader } from './signature-reader';
import { elementaryType, looksLikeType } from '../type-names';

/** Maximum nesting, deeper than any compiler writes; it bounds the recursion over pasted text. */
export const MAX_NESTING = 32;

const DATA_LOCATIONS = new Set(['memory', 'calldata', 'storage']);
const RESERVED = new Set([
	...DATA_LOCATIONS,
	...'tuple indexed payable returns function mapping external public view pure constant virtual override'.split(
		' ',
	),
]);

function readArraySuffix(reader: SignatureReader): string {
	let suffix = '';
	for (let depth = 1; reader.takeIf('['); depth += 1) {
		if (depth > MAX_NESTING)
			reader.fail('arrays are nested too deeply', `Nest at most ${MAX_NESTING} arrays`);
		const length = reader.peek();
		if (length !== ']') {
			if (!/^[1-9]\d{0,8}$/.test(length)) {
				reader.fail(
					'this is not an array length',
					'Write [] for any length, or a whole number of 1 or more: [3]',
				);
			}
			reader.take();
		}
		if (!reader.takeIf(']')) reader.fail('the array type is not closed', 'Write "]" here');
		suffix += length === ']' ? '[]' : `[${length}]`;
	}
	return suffix;
}

function readElementaryType(reader: SignatureReader): string {
	const word = reader.peek();
	if (/^\d/.test(word)) {
		reader.fail(
			'this is a value, not a type',
			'Write the types here, such as address; the values go into the arguments',
		);
	}
	if (!reader.isWord())
		reader.fail(
			'a type is expected here',
			'Write a type such as uint256, or remove the comma before it',
		);
	const type = elementaryType(word, (problem, hint) => reader.fail(problem, hint));
	reader.take();
	return type;
}

/** Skips `payable`, which follows the type (`address payable[]`, Solidity) or its suffix (`address[] payable`, ethers). */
function skipPayable(reader: SignatureReader, type: string): void {
	if (type !== 'address' && reader.peek() === 'payable')
		reader.fail('only an address can be payable', 'Remove "payable" from this parameter');
	reader.takeIf('payable');
}

function readParameterName(reader: SignatureReader): string {
	if (!reader.isWord()) return '';
	const name = reader.peek();
	if (name === 'indexed')
		reader.fail('only events have indexed parameters', 'Enter the signature of a function');
	if (looksLikeType(name))
		reader.fail('this parameter already has a type', 'Separate the parameters with a comma');
	if (RESERVED.has(name))
		reader.fail('this word cannot be a parameter name', 'Choose another name, or leave it out');
	return reader.take();
}

function readParameter(reader: SignatureReader, nesting: number): JsonFragmentType {
	const isTuple = reader.peek() === '(' || (reader.peek() === 'tuple' && reader.peek(1) === '(');
	if (isTuple) reader.takeIf('tuple');
	const components = isTuple ? readParameterList(reader, nesting + 1) : undefined;
	const base = isTuple ? 'tuple' : readElementaryType(reader);
	skipPayable(reader, base);
	const type = `${base}${readArraySuffix(reader)}`;
	if (DATA_LOCATIONS.has(reader.peek())) reader.take();
	skipPayable(reader, base);
	const named = { name: readParameterName(reader), type };
	return components === undefined ? named : { ...named, components };
}

/**
 * Reads parameters in parentheses: types with optional data locations and names, tuples as `tuple(...)` or `(...)`.
 *
 * @param nesting number of enclosing tuples; from 1 on, the list is that of a tuple and cannot be empty
 * @throws InvalidInputError at the first token that does not fit.
 * @example readParameterList(new SignatureReader('(uint id)', 'abi')) // [{ name: 'id', type: 'uint256' }]
 */
export function readParameterList(reader: SignatureReader, nesting = 0): JsonFragmentType[] {
	const openedAt = reader.position();
	if (nesting > MAX_NESTING)
		reader.fail('tuples are nested too deeply', `Nest at most ${MAX_NESTING} tuples`);
	if (!reader.takeIf('('))
		reader.fail('"(" is expected here', 'Write the types in parentheses: name(address,uint256)');
	if (reader.peek() === ')' && nesting > 0) {
		reader.fail(
			'a tuple needs at least one member',
			'Write the types of its members: (address,uint96)',
		);
	}
	if (reader.takeIf(')')) return [];
	const list: JsonFragmentType[] = [];
	do {
		list.push(readParameter(reader, nesting));
	} while (reader.takeIf(','));
	if (!reader.takeIf(')')) {
		reader.fail(
			`"," or ")" is expected here, after the "(" at character ${openedAt}`,
			'Separate parameters with commas and close the list with ")"',
		);
	}
	return list;
}
