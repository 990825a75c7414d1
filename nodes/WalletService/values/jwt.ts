import { isItem } from './objects';

/**
 * The claims of a JSON Web Token; `undefined` for any other text. It is only decoded: whoever asks must have it from where
 * it can be believed.
 *
 * @example claimsOf('e30.eyJzdWIiOiJESVNDT1JELTEifQ.x') // { sub: 'DISCORD-1' }
 */
export function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
	const [, payload = ''] = token.split('.');
	try {
		const characters = atob(payload.replace(/-/g, '+').replace(/_/g, '/'));
		const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0));
		const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
		return isItem(claims) ? claims : undefined;
	} catch {
		return undefined;
	}
}
