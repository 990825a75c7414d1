import { refuse } from '../../values/invalid-input';
import { parseJson } from '../../values/json';
import { isObject } from '../../values/objects';
import { quote } from '../../values/quote';

/** Maximum depth of an ABI in a file; JSON that is text in JSON counts as a level. */
const MAX_DEPTH = 10;

export interface FoundAbi {
	/** The name of its contract, or of the entry with the ABI. */
	readonly name: string;
	/** A list of entries, or text with declarations. */
	readonly abi: string | readonly unknown[];
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a list holds contracts or files, rather than the entries of an ABI. */
const hasFiles = (list: readonly unknown[]): boolean =>
	list.some((part) => isObject(part) && (part.abi ?? part.ABI ?? part.content ?? part.contracts));

/** The start of JSON or of a list, after what precedes it in a script: `const abi: Abi = `, `parseAbi(`, `"abi": `. */
const START =
	/^(?:(?:`{3}\w*|export default|"abi" ?:|[\w$. ]{1,99}(?::[\w$. <>[\]]{1,99})?[=:(])\s*(?:\w{1,99}\()?(?=[[{]))?(?=[[{"'`])/;

/** Parses JSON, also as it is written in a script. @throws InvalidInputError for anything else. */
function parsed(text: string, parameter: string): unknown {
	try {
		return parseJson(text, parameter, 'The contract ABI');
	} catch {
		const list = text.replace(START, '').replace(/^["'`][^]*/, '[$&]');
		const json = list
			.slice(0, Math.max(list.lastIndexOf(']'), list.lastIndexOf('}')) + 1)
			.replace(/^[ \t]*\/\/.*$/gm, '')
			.replace(/['`]/g, '"')
			.replace(/[^\S\n]/g, ' ')
			.replace(/([{,]\s*)([A-Za-z_$][\w$]*)(?=\s*:)/g, '$1"$2"')
			.replace(/,(?=\s*[\]}])/g, '');
		return parseJson(json, parameter, 'The contract ABI');
	}
}

/**
 * Finds the ABIs in pasted text or values: an ABI itself, or the output of a compiler, an explorer or Sourcify, also as
 * JSON that is text in JSON, or in a script.
 *
 * @param parameter the node parameter that holds it, for errors
 * @throws InvalidInputError if the text is not JSON but begins like it, or a sentence of an explorer.
 * @example abisIn('{"contracts":{"a.sol":{"A":{"abi":"[]"}}}}', 'contractAbi') // [{ name: 'A', abi: [] }]
 */
export function abisIn(value: unknown, parameter: string, name = '', depth = 0): FoundAbi[] {
	if (depth > MAX_DEPTH) return [];
	const within = (part: unknown, key = name) => abisIn(part, parameter, key, depth + 1);
	if (isText(value)) {
		const text = value.trim();
		// JSON that was text in JSON, without the quotes around it.
		if (/^[[{\s]+\\"/.test(text)) return within(`"${text}"`);
		if (START.test(text)) return within(parsed(text, parameter));
		if (depth === 0 || text.includes('(')) return [{ name, abi: text }];
		const hint =
			'Check that the explorer knows the source of the contract, or paste the ABI itself';
		return refuse(parameter, `There is ${quote(text)} in place of an ABI`, hint);
	}
	if (Array.isArray(value) && !hasFiles(value)) {
		// Lines use each other's structs.
		const hasStructs = value.every(isText) && value.some((line) => /^\s*struct\s/.test(line));
		return [{ name, abi: hasStructs ? value.join(';\n') : value }];
	}
	if (!isObject(value)) return [];
	if (value.type === 'function') return [{ name, abi: [value] }];
	// Of the files that Sourcify lists, only this one holds the ABI.
	const isMetadata = isText(value.name) && value.name.endsWith('metadata.json');
	const abi = value.abi ?? value.ABI ?? value.result ?? (isMetadata ? value.content : undefined);
	const { contractName = value.ContractName } = value;
	if (abi) return within(abi, isText(contractName) ? contractName : name);
	return Object.entries(value).flatMap(([key, part]) =>
		isObject(part) && (!Array.isArray(part) || hasFiles(part)) ? within(part, key) : [],
	);
}
