/** The start of a list of entries or declarations, or of an object whose names are in quotes. */
const START =
	/\[\s*(?:\{\s*["'\w\\]|["'`]\s*(?:function|event|error|struct)\b)|\{\s*["']\w+["']\s*:/;
/** A function before a list, and Solidity on a line around it: the list is in a comment, or a value. */
const FUNCTION = /\bfunction\s{1,99}\w+\s{0,99}\(/;
const SOLIDITY =
	/^[ \t]*(?:abstract[ \t]{1,9})?(?:interface|contract|library)\s{1,9}(?=(\w+))\1(?:\s{1,9}is\s[^{}\n"'[\]]{1,200})?\s{0,9}\{/m;
const HTML_TAG = /<[^<>]*>/g;

/**
 * Returns the text behind other text in which an ABI begins: a sentence, the heading of an explorer, a call with the ABI as an
 * argument.
 *
 * @example abiBehind('Contract ABI: [{"type":"function"}]') // '[{"type":"function"}]'
 */
export function abiBehind(text: string): string | undefined {
	const at = text.search(START);
	const isOther = at <= 0 || FUNCTION.test(text.slice(0, at)) || SOLIDITY.test(text);
	return isOther ? undefined : text.slice(at);
}

/**
 * Removes the elements of a web page around copied text. Other text does not begin with one.
 *
 * @example withoutTags('<pre class="a">[]</pre>') // '[]'
 */
export function withoutTags(text: string): string {
	return text.startsWith('<') ? text.replace(HTML_TAG, '').trim() : text;
}
