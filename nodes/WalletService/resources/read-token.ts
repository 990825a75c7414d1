import { CONTRACT_PAGE, parseAddressOrPage } from '../values/urls';
import { refuse } from '../values/invalid-input';
import { isItem } from '../values/objects';
import { quote } from '../values/quote';
import { tokenParameter } from './parameters';

const MODES = (tokenParameter.modes ?? []).map(({ name }) => name);

/**
 * What a locator holds. n8n's own `extractValue` is not used: it takes a mode that nobody knows for one without a rule, does
 * not reach into a collection such as Filters, and its errors name neither parameter nor item.
 */
function heldBy(given: unknown): unknown {
	// By hand, or by an expression for the whole parameter, a token is also given as plain text.
	if (!isItem(given)) return given;
	const { mode, value } = given;
	if (typeof mode === 'string' && MODES.includes(mode)) return value;
	const hint = `Choose one of ${MODES.join(', ')}, or give the address as text`;
	return refuse(tokenParameter.name, given, `${quote(mode)} is not a way to choose a token`, hint);
}

const parse = (value: unknown): string =>
	parseAddressOrPage(value, tokenParameter.name, CONTRACT_PAGE, 'a token');

/** The contract address of the token, in whichever way it was chosen. @throws InvalidInputError also when there is none. */
export function parseToken(given: unknown): string {
	const value = heldBy(given);
	if (value !== '' && value !== undefined && value !== null) return parse(value);
	const hint =
		'Choose one from the list, or give the address of its contract: 0x and 40 hexadecimal digits';
	return refuse(tokenParameter.name, value, 'No token is given', hint);
}

/** The same where Token may be left empty, as a filter: then it is `undefined`. */
export function parseTokenFilter(given: unknown): string | undefined {
	const value = given === undefined ? '' : heldBy(given);
	return value === '' ? undefined : parse(value);
}
