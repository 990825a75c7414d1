import { CONTRACT_PAGE, parseAddressOrPage } from '../values/urls';
import { refuse } from '../values/invalid-input';
import { isItem } from '../values/objects';
import { quote } from '../values/quote';
import { ALL_TOKENS, tokenParameter } from './parameters';

const MODES = (tokenParameter.modes ?? []).map(({ name }) => name);

/**
 * Reads the value of a resource locator. n8n's own `extractValue` is not used: it accepts unknown modes, does not work in
 * collections such as Filters, and its errors name neither parameter nor item.
 */
function heldBy(given: unknown): unknown {
	// An expression for the whole parameter, or hand-edited JSON, can also yield plain text.
	if (!isItem(given)) return given;
	const { mode, value } = given;
	if (typeof mode === 'string' && MODES.includes(mode)) return value;
	const hint = `Choose one of ${MODES.join(', ')}, or enter the address as text`;
	return refuse(tokenParameter.name, `${quote(mode)} is not a way to choose a token`, hint);
}

function parse(value: unknown): string {
	const token = parseAddressOrPage(value, tokenParameter.name, CONTRACT_PAGE, 'a token');
	if (!/^0xe{40}$/i.test(token)) return token;
	const problem = `${quote(token)} stands for the network's native coin, which is not a token`;
	const hint =
		'Balance: Get Native reads its balance; a payable function of Contract: Write sends it';
	return refuse(tokenParameter.name, problem, hint);
}

const CHOOSE_ONE =
	'Choose a token from the list, or paste its contract address: 0x and 40 hexadecimal digits';

/** Reads the contract address of the chosen token. @throws InvalidInputError also if no token is chosen. */
export function parseToken(given: unknown, hint = CHOOSE_ONE): string {
	const value = heldBy(given);
	if (value !== '' && value !== undefined && value !== null) return parse(value);
	return refuse(tokenParameter.name, 'No token is selected', hint);
}

/** Reads a choice of one token or all; `undefined` for all. @throws InvalidInputError also if neither is chosen. */
export function parseTokenOrAll(given: unknown): string | undefined {
	if (heldBy(given) === ALL_TOKENS.value) return undefined;
	return parseToken(given, `Choose a token from the list, or "${ALL_TOKENS.name}" at its top`);
}

/**
 * Reads the contract address of an optional token; `undefined` if empty.
 *
 * @throws InvalidInputError also for a token that n8n has emptied, which leaves the name behind: nobody chose all tokens.
 */
export function parseTokenFilter(given: unknown): string | undefined {
	const value = given === undefined ? '' : heldBy(given);
	if (value !== '') return parse(value);
	if (!isItem(given) || !('cachedResultName' in given)) return undefined;
	const hint = 'Choose the token again; for all tokens, choose Address and leave it empty';
	const problem = 'The token was emptied when another credential was selected';
	return refuse(tokenParameter.name, problem, hint);
}
