import { getAddress } from 'ethers';
import type { INodeListSearchItems } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { isAddress } from '../values/address';
import { isItem } from '../values/objects';

/** A token that can be chosen. Its words come from its contract, which anyone can deploy. */
export interface FoundToken {
	/** With its checksum. */
	readonly address: string;
	/** Empty when the token has none. */
	readonly symbol: string;
	/** Empty when the token has none. */
	readonly name: string;
	/** Its page in a block explorer. */
	readonly url?: string;
}

const MAX_WORDS = 60;
/** Spaces of all kinds, and what cannot be seen or turns the direction of writing. */
const GAPS = /[\s\p{C}]+/gu;

/** The words of a token as a list can show them; empty for what is no text. */
export function wordsOf(value: unknown): string {
	return typeof value === 'string' ? value.replace(GAPS, ' ').trim().slice(0, MAX_WORDS) : '';
}

/** An address of the web that a click may open. */
export function linkOf(value: unknown): string | undefined {
	return typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) ? value : undefined;
}

/** The page of an address, in the explorer that has a page for a transaction. */
function pageBeside(transactionUrl: unknown, hash: unknown, address: string): string | undefined {
	const end = `/tx/${String(hash)}`;
	const link = linkOf(transactionUrl);
	return link?.endsWith(end) === true
		? `${link.slice(0, -end.length)}/address/${address}`
		: undefined;
}

/**
 * The tokens of a history answer (interface, section 4.4), each once. An entry that cannot be read is left out: this only
 * helps to choose.
 *
 * @throws ServiceError when the answer is no list.
 */
export function tokensOfHistory(answer: unknown): FoundToken[] {
	if (!Array.isArray(answer)) throw unexpectedAnswer('a list of transfers', answer);
	const found = new Map<string, FoundToken>();
	for (const entry of answer) {
		if (!isItem(entry) || !isItem(entry.amount)) continue;
		const { tokenAddress, symbol, name } = entry.amount;
		if (!isAddress(tokenAddress)) continue;
		const address = getAddress(tokenAddress.toLowerCase());
		const url = pageBeside(entry.explorerUrl, entry.hash, address);
		found.set(address, { address, symbol: wordsOf(symbol), name: wordsOf(name), url });
	}
	return [...found.values()];
}

/** `SUSD - Sandbox Dollar`. */
function labelOf({ symbol, name, address }: FoundToken): string {
	const words = [...new Set([symbol, name])].filter((one) => one !== '').join(' - ');
	// n8n keeps the label in the parameter, where a text that begins with = is an expression.
	return words.replace(/^=+/, '') || address;
}

/** The entries of the list that match what was typed, by their label; those without words at the end. */
export function entriesOf(tokens: readonly FoundToken[], filter = ''): INodeListSearchItems[] {
	const labels = tokens.map(labelOf);
	const wanted = filter.trim().toLowerCase();
	return tokens
		.map((token, index) => {
			const { address, url } = token;
			const label = labels[index] ?? '';
			const isUnique = labels.indexOf(label) === labels.lastIndexOf(label);
			// Anyone can give a token the words of another one.
			const name = isUnique ? label : `${label} (${address.slice(0, 6)}…${address.slice(-4)})`;
			return { name, value: address, description: address, ...(url !== undefined && { url }) };
		})
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted))
		.sort((one, other) => {
			const isNamed = ({ name, value }: INodeListSearchItems) => name !== value;
			return Number(isNamed(other)) - Number(isNamed(one)) || one.name.localeCompare(other.name);
		});
}
