import type { InvalidInputDetails } from '../../values/invalid-input';
import { InvalidInputError } from '../../values/invalid-input';
import { parseJson } from '../../values/json';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { ContractFunction, ContractOperation } from '../function';
import { functionKey } from '../function';
import { isReadOnly } from '../guards';
import { functionFromJson } from './abi-json';
import { declarationsIn } from './declarations';
import { parseSignature } from './signature';

/** Not an Error, which would carry a stack trace. */
type Problem = Pick<InvalidInputDetails, 'hint' | 'message'>;

/** What an ABI holds. */
export interface ContractAbi {
	readonly functions: readonly ContractFunction[];
	/** How many entries should be functions but cannot be read, and why the first of them; absent if all can. */
	readonly unreadable?: Problem;
}

/** An entry of an ABI that should be a function. */
interface Entry {
	/** Where it is, to begin an error with. */
	readonly about: string;
	/** @throws InvalidInputError when the entry cannot be read. */
	readonly read: () => ContractFunction;
}

/** Who asks for a function of an ABI, for errors. */
interface FunctionChoice {
	readonly parameter?: string;
	/** Unless it is named, errors offer all functions. */
	readonly operation?: ContractOperation;
}

const ABI_FORMS =
	'Paste a JSON ABI, the JSON of an artifact file with "abi", or one function signature per line';

/** Most functions of an ABI, far more than any contract has. It bounds the time spent on pasted text. */
const MAX_FUNCTIONS = 10_000;

/** Most functions that an error lists. */
const MAX_CHOICES = 8;

const OTHER_ENTRIES: ReadonlySet<unknown> = new Set([
	'constructor',
	'event',
	'error',
	'fallback',
	'receive',
]);

/** The last ABI that was parsed: a run parses the same one for each of its items. */
let last: { readonly text: string; readonly abi: ContractAbi } | undefined;

/** @param place where the text is, unless its lines are places enough */
function entriesOfText(text: string, parameter: string, place?: string): Entry[] {
	return declarationsIn(text).map((declaration) => ({
		about: `In ${place ?? `line ${declaration.line}`}: `,
		read: () => parseSignature(declaration.text, parameter),
	}));
}

function entriesOfJson(list: readonly unknown[], parameter: string): Entry[] {
	return list.flatMap((entry, index): Entry | Entry[] => {
		const place = `abi[${index}]`;
		if (typeof entry === 'string') return entriesOfText(entry, parameter, place);
		const { type, name } = isObject(entry) ? entry : {};
		if (OTHER_ENTRIES.has(type)) return [];
		const about = `At ${place}${typeof name === 'string' && name !== '' ? ` (${quote(name)})` : ''}, `;
		return { about, read: () => functionFromJson(entry, parameter) };
	});
}

function problemIn({ about }: Entry, error: unknown): Problem {
	if (!(error instanceof InvalidInputError)) throw error;
	return { message: `${about}${error.message}`, hint: error.hint };
}

function refuse(parameter: string, value: unknown, problem: string, hint = ABI_FORMS): never {
	throw new InvalidInputError({
		parameter,
		value,
		message: `The contract ABI ${problem}`,
		hint,
	});
}

function listIn(json: unknown, parameter: string): readonly unknown[] {
	if (Array.isArray(json)) return json;
	if (isObject(json)) {
		if (Array.isArray(json.abi)) return json.abi;
		if (json.type === 'function') return [json];
	}
	return refuse(parameter, json, `is neither a list nor an object with "abi": ${quote(json)}`);
}

function entriesOf(source: unknown, parameter: string): Entry[] {
	const text = typeof source === 'string' ? source.trim() : source;
	if (text === '' || text === undefined || text === null)
		return refuse(parameter, source, 'is empty');
	if (typeof text !== 'string') return entriesOfJson(listIn(text, parameter), parameter);
	if (!/^[[{]/.test(text)) return entriesOfText(text, parameter);
	const json = parseJson(text, parameter, 'The contract ABI');
	return entriesOfJson(listIn(json, parameter), parameter);
}

function readAbi(source: unknown, parameter: string): ContractAbi {
	const entries = entriesOf(source, parameter);
	if (entries.length === 0) refuse(parameter, source, 'holds no function');
	if (entries.length > MAX_FUNCTIONS) {
		const hint = `Give at most ${MAX_FUNCTIONS}: those that are called will do`;
		refuse(parameter, source, `holds ${entries.length} functions`, hint);
	}
	const functions = new Map<string, ContractFunction>();
	const problems: Problem[] = [];
	for (const entry of entries) {
		try {
			const fn = entry.read();
			functions.set(functionKey(fn), fn);
		} catch (error) {
			problems.push(problemIn(entry, error));
		}
	}
	return { functions: [...functions.values()], unreadable: unreadableNote(problems) };
}

function unreadableNote(problems: readonly Problem[]): Problem | undefined {
	const [first] = problems;
	if (first === undefined) return undefined;
	const isOnly = problems.length === 1;
	const what = isOnly ? 'One entry' : `${problems.length} entries`;
	const message = `${what} of the ABI cannot be read: ${first.message}${isOnly ? '' : ', …'}`;
	return { message, hint: first.hint };
}

/**
 * Parses a contract ABI: a JSON ABI, the JSON of an artifact file with an `abi` key (as text or as values), or several
 * human-readable lines. Events, errors and the like are skipped. An entry that cannot be read, such as one with an unknown
 * type, does not affect the others.
 *
 * @param parameter the node parameter that holds the ABI, for errors
 * @throws InvalidInputError when it is not an ABI, or has no function or more than 10,000.
 * @example
 * const { functions } = parseAbi('function a() view returns (uint256)\nfunction b(address to)');
 * functions.map(functionKey) // ['a()', 'b(address)']
 */
export function parseAbi(source: unknown, parameter = 'contractAbi'): ContractAbi {
	if (typeof source !== 'string') return readAbi(source, parameter);
	if (last?.text !== source) last = { text: source, abi: readAbi(source, parameter) };
	return last.abi;
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
 * @param choice the node parameter that chooses the function, and the operation whose functions an error offers
 * @throws InvalidInputError that lists the alternatives and says whether entries cannot be read.
 * @example functionKey(findFunction(parseAbi('transfer(address,uint256)'), 'transfer')) // 'transfer(address,uint256)'
 */
export function findFunction(
	abi: ContractAbi,
	key: unknown,
	{ parameter = 'function', operation }: FunctionChoice = {},
): ContractFunction {
	const { functions, unreadable } = abi;
	const named = functions.filter(({ name }) => name === key);
	// The name is compared first: it is cheap, and a run looks for the same function in each of its items.
	const hasKey = (fn: ContractFunction) =>
		typeof key === 'string' && key.startsWith(`${fn.name}(`) && functionKey(fn) === key;
	// An entry that cannot be read may be another function of that name.
	const isOnly = named.length === 1 && unreadable === undefined;
	const [only] = isOnly ? named : functions.filter(hasKey);
	if (only !== undefined) return only;
	const choices = (named.length > 0 ? named : offered(abi, operation)).map(functionKey);
	const more = choices.length > MAX_CHOICES ? ', …' : '';
	throw new InvalidInputError({
		parameter,
		value: key,
		message: `${whatIsWrong(key, named.length)}${unreadable ? `. ${unreadable.message}` : ''}`,
		hint:
			choices.length > 0
				? `Choose one of: ${choices.slice(0, MAX_CHOICES).join(', ')}${more}`
				: (unreadable?.hint ?? ABI_FORMS),
	});
}

/** The functions that an operation can call; all of them when it can call none, or none is named. */
function offered(abi: ContractAbi, operation?: ContractOperation): readonly ContractFunction[] {
	const own = operation === undefined ? [] : functionsFor(abi, operation);
	return own.length > 0 ? own : abi.functions;
}

/** @param named number of functions with the given name */
function whatIsWrong(key: unknown, named: number): string {
	if (key === '' || key === undefined || key === null) return 'No function is chosen';
	if (named === 0) return `The ABI holds no function ${quote(key)}`;
	return named === 1
		? `More than one entry may be the function ${quote(key)}`
		: `There are ${named} functions called ${quote(key)}`;
}
