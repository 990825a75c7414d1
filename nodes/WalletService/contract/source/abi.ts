import type { Problem } from '../../values/invalid-input';
import { InvalidInputError, refuse } from '../../values/invalid-input';
import { parseJson } from '../../values/json';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { ContractFunction, ContractOperation } from '../function';
import { functionKey } from '../function';
import { isReadOnly } from '../guards';
import { functionFromJson } from './abi-json';
import { declaresOther, parseSignature } from './signature';
import type { Token } from './signature-reader';
import { tokensOf } from './signature-reader';

export interface ContractAbi {
	readonly functions: readonly ContractFunction[];
	/** The number of unreadable function entries, and the reason for the first; absent if all are readable. */
	readonly unreadable?: Problem;
}

interface AbiEntry {
	/** The position of the entry, which begins its error message. */
	readonly about: string;
	readonly read: () => ContractFunction;
}

const ABI_FORMS =
	'Paste a JSON ABI, the JSON of an artifact file with "abi", or one function signature per line';

/** Maximum number of functions in an ABI, far more than any contract has; it bounds the time spent on pasted text. */
const MAX_FUNCTIONS = 10_000;

const MAX_CHOICES = 8;

const OTHER_ENTRIES = new Set<unknown>(['constructor', 'event', 'error', 'fallback', 'receive']);

/** The last parsed ABI: usually all items of a run use the same one. */
let lastParsed: { readonly text: string; readonly abi: ContractAbi } | undefined;

/**
 * Splits human-readable ABI lines into function declarations: at semicolons if the text contains any, otherwise at line
 * breaks. A body in braces belongs to its function and ends it. Comments and other declarations are left out.
 *
 * @returns each declaration with its first line in the source, counted from 1
 * @example declarationsIn('a()\n// comment\nb()') // [{ text: 'a()', line: 1 }, { text: 'b()', line: 3 }]
 */
export function declarationsIn(text: string): { text: string; line: number }[] {
	const tokens = tokensOf(text);
	const endsWithLine = tokens.every((token) => token.text !== ';');
	const parts: Token[][] = [[]];
	let openBraces = 0;
	for (const token of tokens) {
		if (openBraces === 0 && endsWithLine && token.startsLine) parts.push([]);
		if (openBraces > 0 || token.text !== ';') parts.at(-1)?.push(token);
		if (token.text === '{') openBraces += 1;
		if (token.text === '}' && openBraces > 0) openBraces -= 1;
		if (openBraces === 0 && (token.text === ';' || token.text === '}')) parts.push([]);
	}
	return parts.flatMap((part) => {
		const [first, second] = part;
		const end = part.at(-1);
		if (first === undefined || end === undefined) return [];
		if (declaresOther(first.text, second?.text ?? '')) return [];
		return [{ text: text.slice(first.start, end.start + end.text.length), line: first.line }];
	});
}

/** @param place the place of the text, for errors; by default its lines */
function declaredEntries(text: string, place?: string): AbiEntry[] {
	return declarationsIn(text).map((declaration) => ({
		about: place === undefined ? `On line ${declaration.line}: ` : `In ${place}: `,
		read: () => parseSignature(declaration.text),
	}));
}

function listedEntries(list: readonly unknown[]): AbiEntry[] {
	return list.flatMap((entry, index): AbiEntry | AbiEntry[] => {
		const place = `abi[${index}]`;
		if (typeof entry === 'string') return declaredEntries(entry, place);
		const { type, name } = isObject(entry) ? entry : {};
		if (OTHER_ENTRIES.has(type)) return [];
		const about = `At ${place}${typeof name === 'string' && name !== '' ? ` (${quote(name)})` : ''}, `;
		return { about, read: () => functionFromJson(entry) };
	});
}

function abiEntries(source: unknown, parameter: string): AbiEntry[] {
	const text = typeof source === 'string' ? source.trim() : source;
	if (text === '' || text === undefined || text === null)
		return refuse(parameter, source, 'The contract ABI is empty', ABI_FORMS);
	if (typeof text === 'string' && !/^[[{]/.test(text)) return declaredEntries(text);
	const json = typeof text === 'string' ? parseJson(text, parameter, 'The contract ABI') : text;
	const list = isObject(json) && Array.isArray(json.abi) ? json.abi : json;
	if (Array.isArray(list)) return listedEntries(list);
	if (isObject(json) && json.type === 'function') return listedEntries([json]);
	const problem = `The contract ABI is neither a list nor an object with "abi": ${quote(json)}`;
	return refuse(parameter, json, problem, ABI_FORMS);
}

/** Reduces an error to its message and hint; the error itself would keep its stack trace in memory. */
function problemIn(about: string, error: unknown): Problem {
	if (!(error instanceof InvalidInputError)) throw error;
	return { message: `${about}${error.message}`, hint: error.hint };
}

function readAbi(source: unknown, parameter: string): ContractAbi {
	const entries = abiEntries(source, parameter);
	if (entries.length === 0)
		refuse(parameter, source, 'The contract ABI contains no function', ABI_FORMS);
	if (entries.length > MAX_FUNCTIONS) {
		const problem = `The contract ABI contains ${entries.length} functions`;
		const hint = `Paste at most ${MAX_FUNCTIONS}: only the called functions are needed`;
		refuse(parameter, source, problem, hint);
	}
	const functions = new Map<string, ContractFunction>();
	const problems: Problem[] = [];
	for (const { about, read } of entries) {
		try {
			const fn = read();
			functions.set(functionKey(fn), fn);
		} catch (error) {
			problems.push(problemIn(about, error));
		}
	}
	const [first, ...others] = problems;
	const isOne = others.length === 0;
	const [what, more] = isOne ? ['One entry', ''] : [`${problems.length} entries`, ', …'];
	const message = `${what} of the ABI cannot be read: ${first?.message}${more}`;
	return { functions: [...functions.values()], unreadable: first && { ...first, message } };
}

/**
 * Parses a contract ABI: a JSON ABI, the JSON of an artifact file with an `abi` key (as text or already parsed), or several
 * human-readable lines. Events, errors and the like are skipped. An unreadable entry, such as one with an unknown type,
 * does not affect the others.
 *
 * @param parameter the node parameter that holds the ABI, for errors
 * @throws InvalidInputError if it is not an ABI, or contains no function or more than 10,000.
 * @example
 * const { functions } = parseAbi('function a() view returns (uint256)\nfunction b(address to)');
 * functions.map(functionKey) // ['a()', 'b(address)']
 */
export function parseAbi(source: unknown, parameter = 'contractAbi'): ContractAbi {
	if (typeof source !== 'string') return readAbi(source, parameter);
	if (lastParsed?.text !== source) lastParsed = { text: source, abi: readAbi(source, parameter) };
	return lastParsed.abi;
}

/**
 * The functions that an operation offers: view and pure ones for a read, all others for a write.
 *
 * @example functionsFor(parseAbi('a() view\nb()'), 'write').map(functionKey) // ['b()']
 */
export function functionsFor(
	{ functions }: ContractAbi,
	operation: ContractOperation,
): ContractFunction[] {
	return functions.filter((fn) => isReadOnly(fn) === (operation === 'read'));
}

/**
 * Finds a function by its full types, or by its name alone if no other entry can have that name.
 *
 * @param key `transfer(address,uint256)` (see `functionKey`), or `transfer`
 * @param choice the node parameter that chooses the function, and the operation whose functions an error lists
 * @throws InvalidInputError that lists the alternatives and states whether entries are unreadable.
 * @example functionKey(findFunction(parseAbi('transfer(address,uint256)'), 'transfer')) // 'transfer(address,uint256)'
 */
export function findFunction(
	abi: ContractAbi,
	key: unknown,
	{ parameter = 'function', operation }: { parameter?: string; operation?: ContractOperation } = {},
): ContractFunction {
	const { functions, unreadable } = abi;
	const named = functions.filter(({ name }) => name === key);
	// The cheap comparison of names comes first, because every item of a run repeats the search.
	const hasKey = (fn: ContractFunction) =>
		typeof key === 'string' && key.startsWith(`${fn.name}(`) && functionKey(fn) === key;
	// An entry that cannot be read may be another function of that name.
	const isOnly = named.length === 1 && unreadable === undefined;
	const [only] = isOnly ? named : functions.filter(hasKey);
	if (only !== undefined) return only;
	const own = operation === undefined ? [] : functionsFor(abi, operation);
	const offered = [named, own, functions].find((list) => list.length > 0) ?? [];
	const choices = offered.slice(0, MAX_CHOICES).map(functionKey).join(', ');
	const more = offered.length > MAX_CHOICES ? ', …' : '';
	const problem = `${whatIsWrong(key, named.length)}${unreadable ? `. ${unreadable.message}` : ''}`;
	const hint =
		choices === '' ? (unreadable?.hint ?? ABI_FORMS) : `Choose one of: ${choices}${more}`;
	return refuse(parameter, key, problem, hint);
}

function whatIsWrong(key: unknown, named: number): string {
	if (key === '' || key === undefined || key === null) return 'No function is chosen';
	if (named === 0) return `The ABI contains no function ${quote(key)}`;
	return named === 1
		? `More than one entry may match the function ${quote(key)}`
		: `There are ${named} functions called ${quote(key)}`;
}
