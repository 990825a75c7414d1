import type { IDataObject } from 'n8n-workflow';

import { unexpectedAnswer } from '../../request/http/answer';
import { parseDecimals } from '../../values/decimals';
import { parseBigNumber } from '../../values/integers';
import { isItem } from '../../values/objects';
import { formatUnitsExact } from '../../values/units';

function simplifyTransfer(entry: unknown, userId: string): IDataObject {
	if (!isItem(entry) || !isItem(entry.to) || !isItem(entry.amount)) {
		throw unexpectedAnswer('a transfer with to and amount', entry);
	}
	const { type, to, amount, timestamp, hash, explorerUrl } = entry;
	const value = parseBigNumber(amount.valueBn);
	const decimals = parseDecimals(amount.decimals);
	return {
		type,
		toUsername: to.username,
		toPlatform: to.platform,
		toAddress: to.address,
		value: value.toString(),
		// The service's own `formatted` is a JSON number, which cannot hold every amount.
		formatted: formatUnitsExact(value, decimals),
		decimals,
		symbol: amount.symbol,
		name: amount.name,
		tokenAddress: amount.tokenAddress,
		network: String(amount.network).toLowerCase(),
		chainId: amount.chainId,
		timestamp,
		hash,
		explorerUrl,
		userId,
	};
}

/** One flat item per transfer (interface, sections 2.4 and 2.5), in the order of the service. */
export function simplifyHistory(
	answer: unknown,
	{ userId = '' }: Readonly<Record<string, string>>,
): IDataObject[] {
	if (!Array.isArray(answer)) throw unexpectedAnswer('a list of transfers', answer);
	return answer.map((entry) => simplifyTransfer(entry, userId));
}
