import { isObject } from '../values/integers';
import { InvalidInput } from '../values/invalid-input';
import { parseJson } from '../values/json';
import { quote } from '../values/quote';
import type { RefuseAbi } from './abi-json';
import { abiRefusal, functionFromJson } from './abi-json';
import type { ContractFunction } from './function';
import { functionKey } from './function';
import { isReadOnly } from './guards';
import { parseSignature } from './signature';
import { declarationsIn } from './declarations';

const HINT =
	'Paste a JSON ABI, the JSON of an artifact file with "abi", or one function signature per line';
const OTHER_ENTRIES = new Set(['constructor', 'event', 'error', 'fallback', 'receive']);

/** The last ABI that was read: a run reads the same one for each of its items. */
let last: { readonly text: string; readonly functions: readonly ContractFunction[] } | undefined;

function entryFunctions(
	entry: unknown,
	place: string,
	parameter: string,
	refuse: RefuseAbi,
): ContractFunction[] {
	if (typeof entry === 'string')
		return declarationsIn(entry).map((line) => parseSignature(line, parameter));
	if (!isObject(entry)) return refuse(place, entry, 'it is not an entry of an ABI', HINT);
	// The ABI specification lets a function leave its type out.
	const { type = 'function' } = entry;
	if (type === 'function') return [functionFromJson(entry, place, refuse)];
	if (typeof type === 'string' && OTHER_ENTRIES.has(type)) return [];
	return refuse(`${place}.type`, type, 'it is not a kind of ABI entry', HINT);
}

function abiIn(json: unknown, refuse: RefuseAbi): unknown[] {
	if (Array.isArray(json)) return json;
	if (isObject(json)) {
		if (Array.isArray(json.abi)) return json.abi;
		if (json.type === 'function') return [json];
	}
	return refuse('the start', json, 'it is neither a list nor an object with "abi"', HINT);
}

function readAbi(source: unknown, parameter: string): ContractFunction[] {
	const refuse = abiRefusal(parameter);
	const text = typeof source === 'string' ? source.trim() : source;
	if (text === '' || text === undefined || text === null) {
		throw new InvalidInput({
			parameter,
			value: source,
			message: 'The contract ABI is empty',
			hint: HINT,
		});
	}
	const isLines = typeof text === 'string' && !/^[[{]/.test(text);
	const json = typeof text === 'string' && !isLines ? parseJson(text, parameter) : text;
	const entries = isLines ? [text] : abiIn(json, refuse);
	const functions = new Map<string, ContractFunction>();
	for (const [index, entry] of entries.entries()) {
		for (const fn of entryFunctions(entry, `abi[${index}]`, parameter, refuse))
			functions.set(functionKey(fn), fn);
	}
	if (functions.size > 0) return [...functions.values()];
	throw new InvalidInput({
		parameter,
		value: source,
		message: 'The contract ABI holds no function',
		hint: HINT,
	});
}

/**
 * The functions of a contract ABI: a JSON ABI, the JSON of an artifact file with an `abi` key (as text or as values), or
 * several human-readable lines. Events, errors and the like are passed over.
 *
 * @throws InvalidInput that names the place inside the ABI that is wrong.
 * @example parseAbi('function a() view returns (uint256)\nfunction b(address to)').map(functionKey) // ['a()', 'b(address)']
 */
export function parseAbi(source: unknown, parameter = 'contractAbi'): readonly ContractFunction[] {
	if (typeof source !== 'string') return readAbi(source, parameter);
	if (last?.text !== source) last = { text: source, functions: readAbi(source, parameter) };
	return last.functions;
}

/** The functions that an operation offers: view and pure ones to read, all others to write. */
export function functionsFor(
	functions: readonly ContractFunction[],
	operation: 'read' | 'write',
): ContractFunction[] {
	return functions.filter((fn) => isReadOnly(fn) === (operation === 'read'));
}

/**
 * The function of a contract by its full types, or by its name alone when no other function has that name.
 *
 * @param key `transfer(address,uint256)` (see `functionKey`), or `transfer`
 * @throws InvalidInput that lists what there is instead.
 */
export function findFunction(
	functions: readonly ContractFunction[],
	key: unknown,
	parameter = 'function',
): ContractFunction {
	const named = functions.filter(({ name }) => name === key);
	// The name is compared first: it is cheap, and a run looks for the same function in each of its items.
	const hasKey = (fn: ContractFunction) =>
		typeof key === 'string' && key.startsWith(`${fn.name}(`) && functionKey(fn) === key;
	const [only] = named.length === 1 ? named : functions.filter(hasKey);
	if (only !== undefined) return only;
	const candidates = (named.length > 1 ? named : functions).map(functionKey);
	const isEmpty = key === '' || key === undefined || key === null;
	const missing = isEmpty ? 'No function is chosen' : `The ABI holds no function ${quote(key)}`;
	throw new InvalidInput({
		parameter,
		value: key,
		message:
			named.length > 1 ? `There are ${named.length} functions called ${quote(key)}` : missing,
		hint: `Choose one of: ${candidates.slice(0, 8).join(', ')}${candidates.length > 8 ? ', …' : ''}`,
	});
}
