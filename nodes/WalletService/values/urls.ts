import { addressesIn, parseAddress } from './address';
import { isHash } from './hashes';
import { refuse } from './invalid-input';
import { quote } from './quote';

/**
 * A regular expression for an explorer page about an address. Its only group is the address, as n8n's `extractValue`
 * requires.
 */
const pageOf = (kinds: string): RegExp =>
	new RegExp(
		String.raw`^\s*https?://[^\s/?#@]+/(?:[^\s?#]*/)?(?:${kinds})/(0x[0-9a-fA-F]{40})(?:[/?#]\S*)?\s*$`,
	);

/** Pages of block explorers (such as Etherscan and Blockscout) about a contract, such as a token. */
export const CONTRACT_PAGE = pageOf('token|address|contract|nft');
/** Pages about a wallet, not a token, because tokens sent to a token contract are lost. */
export const WALLET_PAGE = pageOf('address');

/**
 * Reads an address from text or from the URL of a block explorer page. Only the path of the URL counts, not the parts
 * after `?` and `#`, and it must contain exactly one address.
 *
 * @param parameter the node parameter that holds the text, for errors
 * @param page regular expression with the address as its only group
 * @param about the subject of the pages, for errors
 * @throws InvalidInputError that names `parameter`.
 * @example parseAddressOrPage('https://etherscan.io/token/0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045?a=0x12', 'token', CONTRACT_PAGE, 'a token') // '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
 */
export function parseAddressOrPage(
	value: unknown,
	parameter: string,
	page: RegExp,
	about: string,
): string {
	if (typeof value !== 'string' || !/^\s*https?:/i.test(value)) {
		return parseAddress(value, parameter);
	}
	const [, address] = page.exec(value) ?? [];
	const [path = ''] = value.split(/[?#]/);
	const named = addressesIn(path);
	if (address !== undefined && named.length === 1) return parseAddress(address, parameter);
	const problem =
		named.length > 1
			? `contains ${named.length} addresses`
			: `is not a block explorer page of ${about}`;
	const hint = 'Copy only the address from the page: 0x and 40 hexadecimal digits';
	return refuse(parameter, `${quote(value)} ${problem}`, hint);
}

/**
 * Parses text as a URL; `undefined` if it is not one. `URL.parse` does the same, but is missing from the oldest Node.js
 * that n8n runs on (20.15).
 *
 * @example urlOf('https://wallet.example.com/v1')?.host // 'wallet.example.com'
 */
export function urlOf(text: string): URL | undefined {
	return URL.canParse(text) ? new URL(text) : undefined;
}

const BYTES32 = /0x[0-9a-f]{64}(?![0-9a-f])/gi;
/** The kind of a page, in its path: the only other word of 32 bytes on explorers is the hash of a block. */
const TRANSACTION = /^(?:txn?s?|transactions?)$/i;

/**
 * Reads a transaction hash from text or from the URL of a block explorer page. Only the path of the URL counts, and it must
 * contain exactly one hash, behind a part such as `tx`.
 *
 * @param parameter the node parameter that holds the text, for errors
 * @returns the hash in lower case
 * @throws InvalidInputError that names `parameter`.
 * @example parseHashOrPage(`https://etherscan.io/tx/0x${'AB'.repeat(32)}#eventlog`, 'transactionHash') // '0xabab…'
 */
export function parseHashOrPage(value: unknown, parameter: string): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (!/^https?:/i.test(text)) {
		if (isHash(text)) return text.toLowerCase();
		const hint =
			'Enter the hash from Send or Write (0x and 64 hexadecimal digits), for example {{ $json.hash }}';
		return refuse(parameter, `${quote(value)} is not a transaction hash`, hint);
	}
	const path = urlOf(text)?.pathname ?? '';
	const parts = path.split('/');
	const kind = parts.findIndex((part) => TRANSACTION.test(part));
	const hash = kind < 0 ? undefined : parts.slice(kind).find(isHash);
	const count = path.match(BYTES32)?.length ?? 0;
	if (hash !== undefined && count === 1) return hash.toLowerCase();
	const problem =
		count > 1 ? `contains ${count} hashes` : 'is not a block explorer page of a transaction';
	const hint = 'Copy only the hash from the page: 0x and 64 hexadecimal digits';
	return refuse(parameter, `${quote(value)} ${problem}`, hint);
}

/** A web address without a user, in the characters that URLs have (RFC 3986): others could end a link in a message or a page. */
const LINK =
	/^https?:\/\/(?:\[[\da-f:.]+\]|[\w.~%-]+)(?::\d*)?(?:[/?#][\w.~:/?#@!$&'()*+,;=%-]*)?$/i;

/**
 * Returns a web address of a service or form if it is one; a link opens it.
 *
 * @example linkOf('javascript:alert(1)') // undefined
 */
export function linkOf(value: unknown): string | undefined {
	return typeof value === 'string' && LINK.test(value) ? value : undefined;
}
