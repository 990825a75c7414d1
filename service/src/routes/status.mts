import helmet from '@fastify/helmet';
import { PROGRAM } from '../config/program.mts';
import type { Watch } from '../operation/watch.mts';
import { HTML, page, pageHeaders } from '../pages/html.mts';
import { STATUS_STYLE, statusPage } from '../pages/status.mts';
import type { TokenVerifier } from '../store/tokens.mts';
import { callerWith } from './authorization.mts';
import type { RateLimits } from './rate-limits.mts';
import type { Routes } from './routes.mts';

const BASIC = /^Basic +([A-Za-z0-9+/=]+) *$/i;

/** The password that a browser sends after it has asked a person. */
function passwordIn(authorization = ''): string | undefined {
	const [, encoded = ''] = BASIC.exec(authorization) ?? [];
	const text = Buffer.from(encoded, 'base64').toString();
	return text.includes(':') ? text.slice(text.indexOf(':') + 1) : undefined;
}

const SIGN_IN = page('Sign in to see the wallet service', [
	['User name', 'any'],
	['Password', 'the token of an operator'],
	['New token', `${PROGRAM} token create <user ID> --scope operator`],
]);

/**
 * Shows how the service is. The browser asks for an operator's token as the password, and forgets it when it is closed:
 * the page changes nothing, so it needs no session.
 */
export const statusRoutes: Routes<{
	watch: Watch;
	tokenVerifiers: TokenVerifier[];
	limits: RateLimits | undefined;
}> = async (app, { service, watch, tokenVerifiers, limits }) => {
	await app.register(helmet, pageHeaders(STATUS_STYLE));
	app.get('/', { schema: { hide: true } }, async (request, reply) => {
		reply.type(HTML).header('cache-control', 'no-store');
		const token = passwordIn(request.headers.authorization);
		const caller = token === undefined ? undefined : await callerWith(token, tokenVerifiers);
		if (caller?.scopes.includes('operator')) {
			return statusPage(await watch.read(), service.explorer.address);
		}
		if (token !== undefined) await limits?.failed(request);
		reply.code(401).header('www-authenticate', 'Basic realm="Wallet service", charset="UTF-8"');
		return SIGN_IN;
	});
};
