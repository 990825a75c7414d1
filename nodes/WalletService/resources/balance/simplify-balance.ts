import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../../request/http/answer';
import { formatUnitsExact, parseDecimals } from '../../values/decimal';
import { parseBigNumber, readInteger } from '../../values/integers';
import { defined, isItem } from '../../values/objects';
import { plainText } from '../../values/plain-text';

/** The fields of an item, in order; `compared` adds `comparison` and `difference`. */
export const BALANCE_FIELDS: readonly string[] = [
	...['userId', 'symbol', 'amount', 'comparison', 'difference', 'name'],
	...['baseUnits', 'decimals', 'tokenAddress', 'tokenId', 'network', 'chainId'],
];

function simplifyEntry(entry: IDataObject, userId: string): IDataObject {
	const { symbol, name, tokenAddress, network, chainId } = entry;
	const balance = parseBigNumber(entry.balance ?? entry.balanceBn);
	const decimals = parseDecimals(entry.decimals);
	const isNamed = network !== undefined && network !== null;
	// Human-readable fields first.
	return {
		...defined({ userId, symbol: plainText(symbol) }),
		...defined({ amount: formatUnitsExact(balance, decimals), name: plainText(name) }),
		baseUnits: balance.toString(),
		decimals,
		tokenAddress: tokenAddress ?? null,
		...defined({ tokenId: readInteger(entry.tokenId)?.toString() }),
		...defined({ network: isNamed ? String(network).toLowerCase() : undefined, chainId }),
	};
}

/**
 * Returns one flat item per entry of a balance answer (interface, sections 4.2 and 4.3). The property key is dropped: it
 * is the coin's symbol or the token's address, which the entry also contains.
 *
 * @param values of the route; without a token address, the balance is the native coin's
 * @throws ServiceError or InvalidInputError if the answer is malformed or for another asset.
 */
export function simplifyBalance(
	answer: unknown,
	{ userId = '', tokenAddress = '' }: Readonly<Record<string, string>>,
): IDataObject[] {
	const entries = isItem(answer) ? Object.values(answer) : [];
	if (entries.length === 0 || !entries.every(isItem)) {
		throw unexpectedAnswer('an object with a balance entry', answer);
	}
	const requested = tokenAddress.toLowerCase();
	if (entries.some((entry) => String(entry.tokenAddress ?? '').toLowerCase() !== requested)) {
		throw unexpectedAnswer('the balance of the requested asset', answer);
	}
	return entries.map((entry) => simplifyEntry(entry, userId));
}
