import { isObject } from '../../values/objects';

/**
 * A tag, a comment, or the text between them. A comment that is never closed extends to the end, so that each character is
 * read a fixed number of times.
 */
const XML_PIECE =
	/<!--[^]*?(?:-->|$)|<!\[CDATA\[(?<data>[^]*?)(?:\]\]>|$)|<[?!][^>]*>?|<(?<end>\/?)(?<name>[^\s<>/='"]+)(?<rest>[\s/](?:"[^"<]*"|'[^'<]*'|[^<>"'])*)?>|(?<text>[^<]+)|</g;
const ATTRIBUTE = /(?<=\s)([^\s=]+)=(?:"([^"]*)"|'([^']*)')/g;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(lt|gt|amp|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = {
	lt: '<',
	gt: '>',
	amp: '&',
	quot: '"',
	apos: "'",
};
/** A tag of HTML in text, escaped or in CDATA. */
const TAG = /<\/?[a-z][^<>]*>/gi;
/** Elements with which a web page begins, or a part of one. */
const HTML =
	/^(?:html|head|body|title|meta|link|style|script|h[1-6]|p|div|span|center|pre|b|i|a|br|hr|table|ul|ol|font|img|svg|form|main|section)$/i;

/** Maximum length of a body that is read; errors with a stack trace are shorter. */
const MAX_LENGTH = 100_000;
const MAX_DEPTH = 30;

type Clean = (text: string) => string;

/** An element whose end has not been read. */
interface OpenElement {
	readonly name: string;
	/** Its attributes, and the slash of an empty element. */
	readonly rest: string;
	readonly members: [name: string, value: unknown][];
	/** The text in it and in its members. */
	text: string;
	/** Whether some of that text is its own. */
	hasText: boolean;
}

function decoded(text: string): string {
	return text.replace(ENTITY, (_all, decimal?: string, hex?: string, named = '') => {
		const point = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10);
		if (Number.isNaN(point)) return NAMED[named.toLowerCase()] ?? '';
		return point > 0x10ffff ? '' : String.fromCodePoint(point);
	});
}

const plain = (text: string, clean: Clean): string =>
	clean(text.replace(TAG, ' ')).replace(/\s+/g, ' ').trim();

/** The name of an element or an attribute without its namespace. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** The value of an element: its text, or its members by name. Attributes count only if there is nothing else. */
function valueOf({ rest, members, text, hasText }: OpenElement, clean: Clean): unknown {
	if (hasText) return plain(text, clean);
	const own: OpenElement['members'] =
		members.length > 0
			? members
			: [...rest.matchAll(ATTRIBUTE)].map(([, name = '', one, other = '']) => [
					localName(name),
					plain(decoded(one ?? other), clean),
				]);
	if (own.length === 0) return '';
	const lists = new Map<string, unknown[]>();
	for (const [name, value] of own) {
		const list = lists.get(name) ?? [];
		lists.set(name, list);
		list.push(value);
	}
	const [first] = own;
	// An element that only holds another, such as an envelope, says nothing.
	if (own.length === 1 && isObject(first?.[1])) return first[1];
	return Object.fromEntries(
		[...lists].map(([name, list]) => [name, list.length === 1 ? list[0] : list]),
	);
}

/**
 * Reads XML as if it were JSON: an element is an object of its members, or text without markup. Entities that the XML itself
 * declares are not replaced.
 *
 * @param clean removes secrets from a text of the XML
 * @returns `undefined` for a web page, and for anything but well-formed XML of moderate size
 * @example valueOfXml('<Error><Code>17</Code><Message>No gas</Message></Error>', String) // { Code: '17', Message: 'No gas' }
 */
export function valueOfXml(xml: string, clean: Clean): unknown {
	if (xml.length > MAX_LENGTH) return undefined;
	const open: OpenElement[] = [];
	for (const { 0: piece, groups = {} } of xml.matchAll(XML_PIECE)) {
		const { data, end, name, rest = '', text = '' } = groups;
		const parent = open.at(-1);
		// A character that begins no tag.
		if (piece === '<') return undefined;
		if (name === undefined) {
			const said = data ?? decoded(text);
			if (parent === undefined) continue;
			parent.text += said;
			parent.hasText ||= said.trim() !== '';
			continue;
		}
		if (end === '') {
			const isPage = parent === undefined && HTML.test(name);
			if (isPage || open.length === MAX_DEPTH) return undefined;
			open.push({ name, rest, members: [], text: '', hasText: false });
			if (!rest.endsWith('/')) continue;
		}
		const closed = open.pop();
		if (closed?.name !== name) return undefined;
		const value = valueOf(closed, clean);
		const outer = open.at(-1);
		if (outer === undefined) return value;
		outer.text += closed.text;
		const local = localName(name);
		// The headers of SOAP are for programs.
		if (value !== '' && local !== 'Header') outer.members.push([local, value]);
	}
	return undefined;
}
