import { CONTRACT_PAGE, parseAddressOrPage } from '../values/urls';
import { refuse } from '../values/invalid-input';
import { isItem } from '../values/objects';
import { quote } from '../values/quote';
import { tokenParameter } from './parameters';

const MODES = (tokenParameter.modes ?? []).map(({ name }) => name);

/**
 * The value of a locator. n8n's own `extractValue` is not used: it accepts unknown modes, does not reach into collections
 * such as Filters, and its errors name neither parameter nor item.
 */
function heldBy(given: unknown): unknown {
	// An expression for the whole parameter, or JSON edited by hand, may also hold plain text.
	if (!isItem(given)) return given;
	const { mode, value } = given;
	if (typeof mode === 'string' && MODES.includes(mode)) return value;
	const hint = `Choose one of ${MODES.join(', ')}, or enter the address as text`;
	return refuse(tokenParameter.name, given, `${quote(mode)} is not a way to choose a token`, hint);
}

const parse = (value: unknown): string =>
	parseAddressOrPage(value, tokenParameter.name, CONTRACT_PAGE, 'a token');

/** The token's contract address, however it was chosen. @throws InvalidInputError also if none is given. */
export function parseToken(given: unknown): string {
	const value = heldBy(given);
	if (value !== '' && value !== undefined && value !== null) return parse(value);
	const hint =
		'Choose one from the list, or paste the address of its contract: 0x and 40 hexadecimal digits';
	return refuse(tokenParameter.name, value, 'No token is selected', hint);
}

/** The same for an optional Token, such as a filter; `undefined` if empty. */
export function parseTokenFilter(given: unknown): string | undefined {
	const value = given === undefined ? '' : heldBy(given);
	return value === '' ? undefined : parse(value);
}
