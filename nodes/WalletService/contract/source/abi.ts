import { keepingLast } from '../../values/caches';
import type { Problem } from '../../values/invalid-input';
import { InvalidInputError, refuse } from '../../values/invalid-input';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { Steps } from '../../values/turns';
import { inTurns, stepsOf } from '../../values/turns';
import type { ContractFunction, ContractOperation } from '../function';
import { isReadOnly } from '../function';
import { abisIn, ONE_ABI } from './abi-file';
import { functionFromJson, inLowerCase } from './abi-json';
import { declarationsIn } from './declarations';
import { parseSignature } from './signature';

export interface ContractAbi {
	readonly functions: readonly ContractFunction[];
	/** The number of unreadable function entries, and the reason for the first; absent if all are readable. */
	readonly unreadable?: Problem;
	/** What to do if the ABI is that of a proxy; absent for other contracts. */
	readonly advice?: string;
}

interface AbiEntry {
	/** The position of the entry, which begins its error message. */
	readonly about: string;
	readonly read: () => ContractFunction;
}

const ABI_FORMS =
	'Paste a JSON ABI, a file of a compiler or an explorer that holds one, an interface in Solidity, or one signature per line';

/** The functions of proxies, and the unnamed one that calls the contract behind it. */
const OF_PROXY = /implementation|upgrade|proxy|admin|owner|beacon|masterCopy/i;
const FALLBACK = /\b(?:fallback|function)\s*\(/;
const PROXY = 'This may be a proxy: paste the ABI of the contract behind it';

const OTHER_ENTRIES = new Set<unknown>(['constructor', 'event', 'error', 'fallback', 'receive']);

/** Maximum number of entries of an ABI, far more than any contract has. */
const MAX_ENTRIES = 10_000;
/** Maximum length of the declaration of one function, with its body. */
const MAX_DECLARATION = 50_000;
/** Characters of the types of functions that are read in a step, and the same for an entry that cannot be read. */
const CHARACTERS_AT_ONCE = 3_000;
const OF_A_PROBLEM = 100;

const MAX_CHOICES = 8;

/** @param place the place of the text, for errors; by default its lines */
function* declaredEntries(text: string, place?: string): Steps<AbiEntry[]> {
	const declarations = yield* declarationsIn(text);
	return declarations.map(({ text: signature, line, isSource }) => ({
		about: place === undefined ? `On line ${line}: ` : `In ${place}: `,
		read: () => {
			if (signature.length > MAX_DECLARATION) {
				const problem = `the declaration has ${signature.length} characters`;
				refuse(undefined, problem, `Paste at most ${MAX_DECLARATION} for one function`);
			}
			const fn = parseSignature(signature);
			// In Solidity, functions are nonpayable by default.
			return isSource ? { ...fn, stateMutability: fn.stateMutability ?? 'nonpayable' } : fn;
		},
	}));
}

function* listedEntries(list: readonly unknown[]): Steps<AbiEntry[]> {
	const entries: AbiEntry[] = [];
	for (const [index, entry] of list.entries()) {
		const place = `abi[${index}]`;
		if (typeof entry === 'string') {
			entries.push(...(yield* declaredEntries(entry, place)));
			continue;
		}
		const { type, name } = isObject(entry) ? entry : {};
		if (OTHER_ENTRIES.has(inLowerCase(type))) continue;
		const about = `At ${place}${typeof name === 'string' && name !== '' ? ` (${quote(name)})` : ''}, `;
		entries.push({ about, read: () => functionFromJson(entry) });
	}
	return entries;
}

/** Refuses a list that no contract has. @throws InvalidInputError */
function assertNotTooMany(count: number, parameter: string): void {
	if (count <= MAX_ENTRIES) return;
	const problem = `The contract ABI contains ${count} entries`;
	const hint = `Paste at most ${MAX_ENTRIES}: only the called functions are needed`;
	refuse(parameter, problem, hint);
}

/** Reduces an error to its message and hint; the error itself would keep its stack trace in memory. */
function problemIn(about: string, error: unknown): Problem {
	if (!(error instanceof InvalidInputError)) throw error;
	return { message: `${about}${error.message}`, hint: error.hint };
}

/**
 * Parses a contract ABI, as `parseAbi` does, step by step.
 *
 * @throws InvalidInputError
 * @example (await inTurns(readAbi('a()', 'contractAbi'))).functions.length // 1
 */
export function* readAbi(source: unknown, parameter: string): Steps<ContractAbi> {
	const found = yield* abisIn(source, parameter);
	if (source === undefined || source === null || found[0]?.abi === '')
		refuse(parameter, 'The contract ABI is empty', ABI_FORMS);
	if (found.length === 0) {
		const problem = `The contract ABI is neither a list nor an object with "abi": ${quote(source)}`;
		refuse(parameter, problem, ABI_FORMS);
	}
	const isFallback = (one: unknown): boolean =>
		isObject(one) ? one.type === 'fallback' : FALLBACK.test(String(one));
	for (const { abi } of found) if (typeof abi !== 'string') assertNotTooMany(abi.length, parameter);
	const hasFallback = found.some(({ abi }) => [abi].flat().some(isFallback));
	const callable: Array<{ name: string; entries: AbiEntry[] }> = [];
	for (const { name, abi } of found) {
		const reading = typeof abi === 'string' ? declaredEntries(abi) : listedEntries(abi);
		const entries = yield* reading;
		if (entries.length > 0) callable.push({ name, entries });
	}
	if (callable.length > 1) {
		const names = quote(callable.map(({ name }) => name).join(', '));
		const problem = `The file contains the ABIs of ${callable.length} contracts: ${names}`;
		refuse(parameter, problem, ONE_ABI);
	}
	const [{ entries } = { entries: [] }] = callable;
	if (entries.length === 0) {
		const hint = hasFallback ? PROXY : ABI_FORMS;
		refuse(parameter, 'The contract ABI contains no function', hint);
	}
	assertNotTooMany(entries.length, parameter);
	const functions = new Map<string, ContractFunction>();
	const problems: Problem[] = [];
	const isLong = stepsOf(CHARACTERS_AT_ONCE);
	for (const { about, read } of entries) {
		try {
			const fn = read();
			functions.set(`${fn.key} ${fn.stateMutability}`, fn);
			if (isLong(fn.key.length)) yield;
		} catch (error) {
			problems.push(problemIn(about, error));
			if (isLong(OF_A_PROBLEM)) yield;
		}
	}
	const [first, ...others] = problems;
	const isOne = others.length === 0;
	const [what, rest] = isOne ? ['One entry', ''] : [`${problems.length} entries`, ', …'];
	const message = `${what} of the ABI cannot be read: ${first?.message}${rest}`;
	const all = [...functions.values()];
	const mayBeProxy = hasFallback && all.every(({ name }) => OF_PROXY.test(name));
	const advice = mayBeProxy ? PROXY : undefined;
	return { functions: all, unreadable: first && { ...first, message }, advice };
}

/** Usually all items of a run use the same ABI. */
const abiOfText = keepingLast(
	async (text: string, parameter: string) => await inTurns(readAbi(text, parameter)),
);

/**
 * Parses a contract ABI: a JSON ABI or a file that holds one (as text or already parsed), an interface in Solidity, or
 * several human-readable lines. Events, errors and the like are skipped. An unreadable entry, such as one with an unknown type,
 * does not affect the others.
 *
 * @param parameter the node parameter that holds the ABI, for errors
 * @throws InvalidInputError if it is not an ABI, or contains no function or more than 10,000 entries.
 * @example
 * const { functions } = await parseAbi('function a() view returns (uint256)\nfunction b(address to)');
 * functions.map(({ key }) => key) // ['a()', 'b(address)']
 */
export async function parseAbi(source: unknown, parameter = 'contractAbi'): Promise<ContractAbi> {
	return await (typeof source === 'string'
		? abiOfText(source, parameter)
		: inTurns(readAbi(source, parameter)));
}

const isOffered = (fn: ContractFunction, operation: ContractOperation): boolean =>
	fn.stateMutability === undefined || isReadOnly(fn) === (operation === 'read');

/**
 * The functions that an operation offers: view and pure ones for a read, all others for a write, and those without a
 * declared mutability for both.
 *
 * @example functionsFor(await parseAbi('a() view\nb()'), 'read').map(({ key }) => key) // ['a()', 'b()']
 */
export function functionsFor(
	{ functions }: ContractAbi,
	operation: ContractOperation,
): ContractFunction[] {
	const offered = functions.filter((fn) => isOffered(fn, operation));
	return [...new Map(offered.map((fn) => [fn.key, fn])).values()];
}

/**
 * Finds a function by its full types, or by its name alone if no other entry can have that name.
 *
 * @param key `transfer(address,uint256)` (see {@link ContractFunction}), or `transfer`
 * @param choice the node parameter that chooses the function, and the operation whose functions an error lists
 * @throws InvalidInputError that lists the alternatives and states whether entries are unreadable.
 * @example findFunction(await parseAbi('transfer(address,uint256)'), 'transfer').key // 'transfer(address,uint256)'
 */
export function findFunction(
	abi: ContractAbi,
	key: unknown,
	{ parameter = 'function', operation }: { parameter?: string; operation?: ContractOperation } = {},
): ContractFunction {
	const { functions, unreadable, advice } = abi;
	const named = functions.filter(({ name }) => name === key);
	// An entry that cannot be read may be another function of that name.
	const count = new Set(named.map((fn) => fn.key)).size;
	const isOnly = count === 1 && unreadable === undefined;
	const found = isOnly ? named : functions.filter((fn) => fn.key === key);
	// The same function can be declared as view and as nonpayable.
	const only = found.find((fn) => operation && isOffered(fn, operation)) ?? found[0];
	if (only !== undefined) return only;
	const own = operation === undefined ? [] : functionsFor(abi, operation);
	const offered = [named, own, functions].find((list) => list.length > 0) ?? [];
	const choices = [...new Set(offered.map((fn) => fn.key))].slice(0, MAX_CHOICES).join(', ');
	const more = offered.length > MAX_CHOICES ? ', …' : '';
	const problem = `${whatIsWrong(key, count)}${unreadable ? `. ${unreadable.message}` : ''}`;
	const hint =
		choices === ''
			? (unreadable?.hint ?? ABI_FORMS)
			: `${advice ? `${advice}. ` : ''}Choose one of: ${choices}${more}`;
	return refuse(parameter, problem, hint);
}

function whatIsWrong(key: unknown, named: number): string {
	if (key === '' || key === undefined || key === null) return 'No function is chosen';
	if (named === 0) return `The ABI contains no function ${quote(key)}`;
	return named === 1
		? `More than one entry may match the function ${quote(key)}`
		: `There are ${named} functions called ${quote(key)}`;
}
