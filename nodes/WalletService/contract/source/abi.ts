import type { InvalidInputDetails } from '../../values/invalid-input';
import { InvalidInputError } from '../../values/invalid-input';
import { parseJson } from '../../values/json';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { AbiEntry } from './abi-entries';
import { ABI_FORMS, entriesOfJson, entriesOfText } from './abi-entries';
import { abiRefusal } from './abi-json';
import type { ContractFunction, ContractOperation } from '../function';
import { functionKey } from '../function';
import { isReadOnly } from '../guards';
import type { UnreadableEntry } from './unreadable-entry';
import { mayMean, unreadableFunction, unreadableNote } from './unreadable-entry';

/** What an ABI holds. */
export interface ContractAbi {
	readonly functions: readonly ContractFunction[];
	/** Entries that should be functions but cannot be read, in the order of the ABI. */
	readonly unreadable: readonly UnreadableEntry[];
}

/** Who asks for a function of an ABI, for errors. */
interface FunctionChoice {
	readonly parameter?: string;
	/** Unless it is named, errors offer all functions. */
	readonly operation?: ContractOperation;
}

/** Most functions of an ABI, far more than any contract has. It bounds the time spent on pasted text. */
const MAX_FUNCTIONS = 10_000;

/** Most functions that an error lists. */
const MAX_CHOICES = 8;

/** The last ABI that was parsed: a run parses the same one for each of its items. */
let last: { readonly text: string; readonly abi: ContractAbi } | undefined;

function listIn(json: unknown, parameter: string): readonly unknown[] {
	if (Array.isArray(json)) return json;
	if (isObject(json)) {
		if (Array.isArray(json.abi)) return json.abi;
		if (json.type === 'function') return [json];
	}
	return abiRefusal(parameter)(
		'the start',
		json,
		'it is neither a list nor an object with "abi"',
		ABI_FORMS,
	);
}

function entriesOf(source: unknown, parameter: string): AbiEntry[] {
	const text = typeof source === 'string' ? source.trim() : source;
	if (text === '' || text === undefined || text === null) {
		throw new InvalidInputError({
			parameter,
			value: source,
			message: 'The contract ABI is empty',
			hint: ABI_FORMS,
		});
	}
	if (typeof text !== 'string') return entriesOfJson(listIn(text, parameter), parameter);
	if (!/^[[{]/.test(text)) return entriesOfText(text, (line) => `line ${line}`, parameter);
	return entriesOfJson(
		listIn(parseJson(text, parameter, 'The contract ABI'), parameter),
		parameter,
	);
}

function problemIn(error: unknown, about: string, parameter: string): InvalidInputDetails {
	if (!(error instanceof InvalidInputError)) throw error;
	const { message, hint, value } = error;
	return { message: `${about}${message}`, hint, value, parameter };
}

function readAbi(source: unknown, parameter: string): ContractAbi {
	const entries = entriesOf(source, parameter);
	if (entries.length > MAX_FUNCTIONS) {
		throw new InvalidInputError({
			parameter,
			value: source,
			message: `The contract ABI holds ${entries.length} functions`,
			hint: `Give at most ${MAX_FUNCTIONS}: those that are called will do`,
		});
	}
	const functions = new Map<string, ContractFunction>();
	const unreadable: UnreadableEntry[] = [];
	for (const { read, about, ...entry } of entries) {
		try {
			const fn = read();
			functions.set(functionKey(fn), fn);
		} catch (error) {
			unreadable.push({ ...entry, problem: problemIn(error, about, parameter) });
		}
	}
	if (functions.size > 0 || unreadable.length > 0) {
		return { functions: [...functions.values()], unreadable };
	}
	throw new InvalidInputError({
		parameter,
		value: source,
		message: 'The contract ABI holds no function',
		hint: ABI_FORMS,
	});
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
 * The unreadable entries that may be functions of an operation: either one, if the mutability is unknown.
 *
 * @example unreadableFor(parseAbi('a()\nb(fixed)'), 'read').map(({ label }) => label) // ['b(fixed)']
 */
export function unreadableFor(
	{ unreadable }: ContractAbi,
	operation: ContractOperation,
): UnreadableEntry[] {
	return unreadable.filter(
		(entry) => entry.stateMutability === undefined || isReadOnly(entry) === (operation === 'read'),
	);
}

/**
 * Finds a function by its full types, or by its name alone if no other entry has that name.
 *
 * @param key `transfer(address,uint256)` (see `functionKey`), or `transfer`
 * @param choice the node parameter that chooses the function, and the operation whose functions an error offers
 * @throws InvalidInputError that lists the alternatives and names what cannot be read.
 * @example functionKey(findFunction(parseAbi('transfer(address,uint256)'), 'transfer')) // 'transfer(address,uint256)'
 */
export function findFunction(
	abi: ContractAbi,
	key: unknown,
	{ parameter = 'function', operation }: FunctionChoice = {},
): ContractFunction {
	const { functions } = abi;
	const named = functions.filter(({ name }) => name === key);
	const unreadable = abi.unreadable.filter((entry) => mayMean(entry, key));
	// The name is compared first: it is cheap, and a run looks for the same function in each of its items.
	const hasKey = (fn: ContractFunction) =>
		typeof key === 'string' && key.startsWith(`${fn.name}(`) && functionKey(fn) === key;
	const isOnly = named.length === 1 && unreadable.length === 0;
	const [only] = isOnly ? named : functions.filter(hasKey);
	if (only !== undefined) return only;
	const meant = unreadable.find(({ place, label, names }) =>
		[place, label, ...names].some((text) => text === key),
	);
	if (meant !== undefined && named.length === 0) throw unreadableFunction(meant);
	throw new InvalidInputError({
		parameter,
		value: key,
		message: whatIsWrong(key, named.length, unreadable.length > 0 ? unreadable : abi.unreadable),
		hint: choicesOf(named.length > 0 ? named : offered(abi, operation)),
	});
}

/** The functions that an operation can call; all of them when it can call none, or none is named. */
function offered(abi: ContractAbi, operation?: ContractOperation): readonly ContractFunction[] {
	const own = operation === undefined ? [] : functionsFor(abi, operation);
	return own.length > 0 ? own : abi.functions;
}

/** @param named number of functions with the given name: more than one, or none */
function whatIsWrong(key: unknown, named: number, unreadable: readonly UnreadableEntry[]): string {
	const note = unreadableNote(unreadable);
	if (key === '' || key === undefined || key === null) return `No function is chosen${note}`;
	if (named === 0) return `The ABI holds no function ${quote(key)}${note}`;
	return named === 1
		? `More than one entry may be the function ${quote(key)}${note}`
		: `There are ${named} functions called ${quote(key)}${note}`;
}

function choicesOf(functions: readonly ContractFunction[]): string {
	if (functions.length === 0) return ABI_FORMS;
	const keys = functions.slice(0, MAX_CHOICES).map(functionKey).join(', ');
	return `Choose one of: ${keys}${functions.length > MAX_CHOICES ? ', …' : ''}`;
}
