import { claimsOf } from '../values/json';

const MINUTE_MS = 60_000;
/** Remaining lifetime, in milliseconds, below which a token is about to expire. */
const SHORT_MS = 60 * MINUTE_MS;

const USE_OAUTH =
	'A Wallet Service OAuth2 API credential renews its token by itself and suits workflows that run on a schedule.';

/**
 * When a token expires, in milliseconds since 1970; `undefined` for a token that is not a JWT or has no expiry. The
 * token is only decoded: the service verifies it.
 */
function expiryOf(token: string): number | undefined {
	const { exp } = claimsOf(token) ?? {};
	// RFC 7519, section 4.1.4: seconds.
	return typeof exp === 'number' ? exp * 1000 : undefined;
}

const inMinutes = (milliseconds: number) => {
	const minutes = Math.max(1, Math.round(milliseconds / MINUTE_MS));
	return minutes === 1 ? '1 minute' : `${minutes} minutes`;
};

/**
 * The warning about the expiry of a pasted token; `undefined` if the expiry is unknown or far away.
 *
 * @param now in milliseconds since 1970
 */
export function expiryWarning(token: string, now: number): string | undefined {
	const expiry = expiryOf(token);
	if (expiry === undefined || expiry - now > SHORT_MS) return undefined;
	const time = new Date(expiry).toISOString();
	if (expiry <= now) return `The access token expired at ${time}. Enter a new one. ${USE_OAUTH}`;
	return `The access token works, but expires in ${inMinutes(expiry - now)}, at ${time}: workflows will fail from then on. Enter a newer one. ${USE_OAUTH}`;
}
