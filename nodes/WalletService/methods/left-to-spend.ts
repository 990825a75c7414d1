import { formatUnitsExact, readDecimals } from '../values/decimal';
import { isItem } from '../values/objects';
import { foreignWords } from '../values/quote';

/** What an access token may still spend, as a sentence; empty if the service reports no limit per day. */
export function leftInWords(service: unknown): string {
	const { token } = isItem(service) ? service : {};
	const amounts: unknown = isItem(token) ? token.amounts : undefined;
	const words = (Array.isArray(amounts) ? amounts : []).flatMap((amount: unknown) => {
		const { left, decimals, symbol } = isItem(amount) ? amount : {};
		const places = readDecimals(decimals);
		if (places === undefined || typeof left !== 'string' || !/^\d{1,99}$/.test(left)) return [];
		return [`${formatUnitsExact(BigInt(left), places)} ${foreignWords(symbol)}`.trim()];
	});
	if (words.length === 0) return '';
	return `This token may still spend ${new Intl.ListFormat('en').format(words)} today.`;
}
