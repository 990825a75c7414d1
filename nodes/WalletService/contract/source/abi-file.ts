import { refuse } from '../../values/invalid-input';
import { parseUnambiguousJson } from '../../values/json';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';
import type { Steps } from '../../values/turns';
import { abiBehind, withoutTags } from './abi-in-text';
import { TOKENS_AT_ONCE, tokensOf } from './signature-reader';

/** Maximum depth of an ABI in a file; JSON that is text in JSON counts as a level. */
const DEEPEST = 10;

export interface FoundAbi {
	/** The name of its contract, or of the entry with the ABI. */
	readonly name: string;
	/** A list of entries, or text with declarations. */
	readonly abi: string | readonly unknown[];
}

/** What to do about several ABIs. */
export const ONE_ABI = 'Which one is called? Paste only its ABI';

const isText = (value: unknown): value is string => typeof value === 'string';

/** The members that hold an ABI: also of OKLink (`contractAbi`) and TRON (`entrys`). */
const HOLDERS = ['abi', 'ABI', 'contractAbi', 'entrys', 'result', 'data'];

/** Whether a list holds contracts, files or answers, rather than the entries of an ABI. */
const hasFiles = (list: readonly unknown[]): boolean =>
	list.some(
		(part) => isObject(part) && [...HOLDERS, 'content', 'contracts'].some((name) => part[name]),
	);

/** The quotation marks of a web page's source, which has no others; JSON may contain them in the source of a contract. */
const QUOTE_ENTITY = /&(?:(quot|#34|#x22)|apos|#39|#x27);/gi;
/** The numbers of the lines, as copied from a page: no ABI begins with a number. */
const NUMBERED = /^\s*\d+[\s|:]/;
const LINE_NUMBER = /^[ \t]*\d+(?:[ \t|:]+|\r?$)/gm;
/** The beginning of a table of Foundry, and a row of it: a function and its selector. */
const TABLE = /^[╭+|]/;
const ROW = /^\|(?:\s*function\s*\|)?\s*(\w+\([^|\n]*)\|\s*(?:0x)?[0-9a-f]{8}\s*\|/gm;

/** Removes what a web page or a terminal adds to text that is copied. */
function withoutPage(text: string): string {
	const visible = withoutTags(text.replace(/\p{Cf}/gu, '').trim());
	const mark = (_found: string, double?: string) => (double === undefined ? "'" : '"');
	const plain = visible.includes('"') ? visible : visible.replace(QUOTE_ENTITY, mark);
	const rows = TABLE.test(plain) ? [...plain.matchAll(ROW)].map(([, row = '']) => row) : [];
	if (rows.length > 0) return rows.join('\n');
	return NUMBERED.test(plain) ? plain.replace(LINE_NUMBER, '').trim() : plain;
}

/** A block of Markdown, as models answer, with at most a sentence before it. */
const MARKED_BLOCK = /^[^/`{}[\];]{0,300}`{3}\w*\s([^]*?)(?:`{3}[^]*)?$/;
/** What precedes a script: comments, imports, the heading of a compiler. A comment and a heading are read in one way only. */
const BEFORE = String.raw`(?:\s|//.*\n|(?=(/\*[^]*?\*/))\1|import\b[^;'"]*["'][^'"]*["'];?|["']use strict["'];?|(?=(=+ [^]{0,300}?Contract JSON ABI))\2){0,999}`;
/** The start of JSON or of a list, after what precedes it in a script: `const abi: Abi = `, `parseAbi(`, `"abi": `. */
const START = new RegExp(
	String.raw`^${BEFORE}(?:(?:export default|"abi" ?:|[\w$. ]{1,99}(?::[\w$. <>[\]]{1,99})?[=:(])\s*(?:[\w$.][\w$. ]{0,98}\()?(?=[[{"'\`]))?(?:(?:"{3}|'{3}|["'\`])\s*(?=[[{])|(?=[[{"'\`]))`,
);
const PYTHON_LITERALS: Readonly<Record<string, string>> = {
	True: 'true',
	False: 'false',
	None: 'null',
};

/** Writes the list, the object, the entries or the texts at the start of a script as JSON. */
function* jsonOf(script: string, parameter: string): Steps<string> {
	const list = script.replace(/[`“”]/g, '"').replace(/^["'][^]*["']/, '[$&]');
	const tokens = yield* tokensOf(list);
	const next = (at: number) => tokens[at + 1]?.text ?? '';
	const isEntries = list.startsWith('{');
	let [depth, entries] = [0, 0];
	let end = -1;
	for (const [at, { text }] of tokens.entries()) {
		if (at % TOKENS_AT_ONCE === 0) yield;
		depth += Number(/^[[{]$/.test(text)) - Number(/^[\]}]$/.test(text));
		if (depth > 0 || text === ',') continue;
		entries += 1;
		if (isEntries && /^,?\{/.test(next(at) + next(at + 1))) continue;
		end = at;
		break;
	}
	if (end >= 0 && /[=(:]\s*\[\s*(?:\{|["']\w+ )/.test(list.slice(tokens[end]?.start)))
		refuse(parameter, 'The contract ABI is followed by another', ONE_ABI);
	const toJson = (text: string, after: string): string => {
		if (text === ',' && /^[\]}]$/.test(after)) return '';
		if (text === '}' && after === '{') return '},';
		const comma = /^["']/.test(text) && /^["']/.test(after) ? ',' : '';
		if (text.startsWith("'")) return `${JSON.stringify(text.slice(1, -1))}${comma}`;
		return after === ':' && /^\w/.test(text)
			? `"${text}"`
			: `${PYTHON_LITERALS[text] ?? text}${comma}`;
	};
	let json = '';
	for (const [at, { text }] of tokens.slice(0, end + 1).entries()) {
		if (at % TOKENS_AT_ONCE === 0) yield;
		json += toJson(text, next(at));
	}
	return entries > 1 ? `[${json}]` : json;
}

/** Parses JSON, also as it is written in a script. @throws InvalidInputError for anything else. */
function* parsed(text: string, parameter: string): Steps<unknown> {
	const parse = (json: string) => parseUnambiguousJson(json, parameter, 'The contract ABI');
	try {
		return parse(text);
	} catch {
		const list = text.replace(START, '');
		const end = Math.max(list.lastIndexOf(']'), list.lastIndexOf('}')) + 1;
		// JSON that was text in JSON, without the quotes around it.
		if (/^[[{\s]+\\"/.test(list)) return parse(`"${list.slice(0, end)}"`);
		const json = yield* jsonOf(list, parameter);
		if (json === '') {
			const problem = `The contract ABI is not JSON: it breaks off behind ${quote(text.slice(-40))}`;
			refuse(parameter, problem, 'Copy it to its end, with the last bracket');
		}
		return parse(json);
	}
}

/**
 * Finds the ABIs in pasted text or values: an ABI itself, or the output of a compiler, an explorer or Sourcify, also as
 * JSON that is text in JSON, or in a script.
 *
 * @param parameter the node parameter that holds it, for errors
 * @throws InvalidInputError if the text is not JSON but begins like it, or a sentence of an explorer.
 * @example await inTurns(abisIn('{"contracts":{"a.sol":{"A":{"abi":"[]"}}}}', 'contractAbi')) // [{ name: 'A', abi: [] }]
 */
export function* abisIn(
	value: unknown,
	parameter: string,
	name = '',
	depth = 0,
): Steps<FoundAbi[]> {
	if (depth > DEEPEST) return [];
	const within = (part: unknown, key = name) => abisIn(part, parameter, key, depth + 1);
	if (isText(value)) {
		const text = withoutPage(value).replace(MARKED_BLOCK, '$1');
		const isArgument = /^["'`]0x/.test(text.replace(START, ''));
		const behind = abiBehind(text);
		if (START.test(text) && !(isArgument && behind))
			return yield* within(yield* parsed(text, parameter));
		if (behind !== undefined) return yield* within(yield* parsed(behind, parameter));
		const isEmpty = depth === 0 && text === '';
		const hasParts = depth === 0 ? /[({]|\/\*/ : /\(\s*[a-z()]/i;
		if (isEmpty || hasParts.test(text)) return [{ name, abi: text }];
		const hint =
			'Check that the explorer knows the source of the contract, or paste the ABI itself';
		return refuse(parameter, `There is ${quote(text)} in place of an ABI`, hint);
	}
	if (Array.isArray(value) && !hasFiles(value)) {
		const [first] = value as unknown[];
		if (value.length === 1 && isText(first) && /^\s*[[{]/.test(first)) return yield* within(first);
		// Lines use each other's structs.
		const hasStructs = value.every(isText) && value.some((line) => /^\s*struct\s/.test(line));
		return [{ name, abi: hasStructs ? value.join(';\n') : value }];
	}
	if (!isObject(value)) return [];
	if (value.type === 'function') return [{ name, abi: [value] }];
	// Of the files that Sourcify lists, only this one holds the ABI.
	const isMetadata = isText(value.name) && value.name.endsWith('metadata.json');
	const holder = [...HOLDERS, ...(isMetadata ? ['content'] : [])].find((key) => value[key]);
	const abi = holder && value[holder];
	const { contractName = value.ContractName } = value;
	if (abi) return yield* within(abi, isText(contractName) ? contractName : name);
	const members = Object.values(value);
	const isEntry = (one: unknown): boolean =>
		isText(one) ? one.startsWith('function ') : isObject(one) && one.type === 'function';
	if (members.length > 0 && members.every(isEntry)) return [{ name, abi: members }];
	const found: FoundAbi[] = [];
	for (const [key, part] of Object.entries(value))
		if (isObject(part) && (!Array.isArray(part) || hasFiles(part)))
			found.push(...(yield* within(part, key)));
	return found;
}
