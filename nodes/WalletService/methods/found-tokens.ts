import { getAddress } from 'ethers';
import type { INodeListSearchItems } from 'n8n-workflow';

import { unexpectedAnswer } from '../request/http/answer';
import { isAddress, shortAddress } from '../values/address';
import { foreignWords } from '../values/quote';
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
		found.set(address, { address, symbol: foreignWords(symbol), name: foreignWords(name), url });
	}
	return [...found.values()];
}

/** `SUSD - Sandbox Dollar (0xd8dA…6045)`: anyone can give a token the words of another one. */
function labelOf({ symbol, name, address }: FoundToken): string {
	const all = [...new Set([symbol, name])].filter((one) => one !== '').join(' - ');
	// n8n keeps the label in the parameter, where a text that begins with = is an expression.
	const words = all.replace(/^[= ]+/, '');
	return words === '' ? address : `${words} (${shortAddress(address)})`;
}

/** The entries of the list that match what was typed, by their label; those without words at the end. */
export function entriesOf(tokens: readonly FoundToken[], filter = ''): INodeListSearchItems[] {
	const wanted = filter.trim().toLowerCase();
	return tokens
		.map((token) => {
			const { address: value, url } = token;
			const entry = { name: labelOf(token), value, description: value };
			return { ...entry, ...(url !== undefined && { url }) };
		})
		.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(wanted))
		.sort((one, other) => {
			const isNamed = ({ name, value }: INodeListSearchItems) => name !== value;
			return Number(isNamed(other)) - Number(isNamed(one)) || one.name.localeCompare(other.name);
		});
}
