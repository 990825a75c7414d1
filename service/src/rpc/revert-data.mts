import { Interface } from 'ethers';

/** Codes of an endpoint's own refusals: rate limits (EIP-1474, QuickNode, Base, TheRPC), unknown methods, unreadable requests. */
const REFUSALS: readonly number[] = [-32005, -32007, -32016, -32029, -32601, -32700];

/** The word by which clients say that a contract reverted; an endpoint may itself have reverted *to* something. */
const WORD = /(?<![a-z])revert(?:s|ed)?(?![a-z])(?!\s+(?:back\s+)?to\b)/i;

/** Members in which clients nest what a call returned, or another error. Ganache also nests it under the transaction's hash. */
const NESTING = /^(?:data|result|return|output|error|originalError|message|0x[0-9a-f]{64})$/i;
const DEEPEST = 4;

/** Data as a whole string: with or without `0x`, in quotes, or behind `Reverted`. */
const WHOLE = /^"?(?:reverted:?\s*)?(0x(?:[0-9a-f]{2})*|(?:[0-9a-f]{2}){4,})"?$/i;
/** Data within a message. */
const WITHIN = /(?:revert(?:ed)?|reason|vm error)\W{1,3}(0x(?:[0-9a-f]{2})+)(?![0-9a-f])/i;

/** A reason in words within a message, of a client that does not pass on the data. */
const REASONS = [
	/(?<![a-z])revert(?:ed)?(?: with reason(?: string)?)?: +(\S.*)$/i,
	/VM Exception while processing transaction: revert +(\S.*)$/i,
	/(?:revert reason|vm error)\W{1,3}Error\(([^)]+)\)/i,
];
/** URLs, which may hold any word. */
const URLS = /\b\w{1,20}:\/\/\S+/g;

/** Length up to which a text is searched for words. A contract returns as much as it likes, and a search of all of it takes minutes. */
const MOST_WORDS = 5_000;
const ERROR = new Interface(['error Error(string)']);

/** The strings of an error at the places where clients put data, the outer ones first. */
function stringsIn(value: unknown, depth = 0): string[] {
	if (typeof value === 'string') return [value.trim()];
	if (typeof value !== 'object' || value === null || depth === DEEPEST) return [];
	return Object.entries(value).flatMap(([name, inner]) => {
		return NESTING.test(name) ? stringsIn(inner, depth + 1) : [];
	});
}

/** What the first text that has one of the forms contains. */
function first(texts: string[], forms: RegExp[]): string | undefined {
	return texts.flatMap((text) => forms.map((form) => form.exec(text)?.[1])).find(Boolean);
}

/** Whether data has the form of a Solidity error, a selector and whole words: no hash and no address has. */
const isError = (hex: string): boolean => /^0x[0-9a-f]{8}(?:[0-9a-f]{64})*$/i.test(hex);

function isRefusal(code: number, message: string): boolean {
	const isStatus = code >= 100 && code < 600;
	return isStatus || REFUSALS.includes(code) || /^\s*[45]\d\d\b/.test(message);
}

/**
 * What a contract returned when it reverted, from an endpoint's error in the form of any client. Proof that the contract
 * reverted is the data of an error, the code 3, or the word *revert*; a refusal of the endpoint is never the contract's.
 *
 * @returns data with `0x`, which is `0x` alone if there is none; undefined if the error is not the contract's word
 */
export function revertDataIn(error: {
	code: number;
	message: string;
	data?: unknown;
}): string | undefined {
	const { code, data } = error;
	if (isRefusal(code, error.message)) return undefined;
	const inner = stringsIn(data);
	const texts = [error.message, ...inner].map((text) => text.replace(URLS, ''));
	const words = texts.map((text) => text.slice(0, MOST_WORDS));
	const isReverted = code === 3 || words.some((text) => WORD.test(text));
	if (!isReverted) return inner.find(isError)?.toLowerCase();
	const returned = inner.flatMap((text) => WHOLE.exec(text)?.[1] ?? []);
	const found = returned.find((hex) => hex !== '0x') ?? first(texts, [WITHIN]);
	if (found !== undefined) return `0x${found.replace(/^0x/i, '').toLowerCase()}`;
	const reason = returned.length === 0 ? first(words, REASONS) : undefined;
	return reason === undefined ? '0x' : ERROR.encodeErrorResult('Error', [reason]);
}

const DISPUTED = 'The endpoints disagree about why the contract reverts';

/** What a contract returned when it reverted by several endpoints, some of which do not pass it on. */
export function commonRevertData(all: readonly (string | undefined)[]): string {
	const [data = '0x', ...others] = new Set(all.filter((one) => one !== undefined && one !== '0x'));
	return others.length === 0 ? data : ERROR.encodeErrorResult('Error', [DISPUTED]);
}
