const MASK = '[access token removed]';

/**
 * A text without the access token, also where a service echoes it.
 *
 * @param authorization value of the Authorization header that was sent, with or without `Bearer`
 */
export function redact(text: string, authorization: unknown): string {
	const token = typeof authorization === 'string' ? authorization.replace(/^Bearer\s+/i, '') : '';
	if (token === '' || !text.includes(token)) return text;
	return text.replaceAll(token, MASK);
}
