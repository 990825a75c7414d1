import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { allowConditions } from './conditions.mts';
import { installFaults } from './faults/install.mts';
import { explorerAt } from './explorer.mts';
import { AuthorizationServer, MOUNT_PATH } from './oauth/authorization-server.mts';
import { oauthRoutes } from './oauth/routes.mts';
import { serveOpenApi } from './open-api.mts';
import { bearerOf, requireAccessToken, tokenOf } from './routes/authorization.mts';
import { contractRoutes } from './routes/contracts.mts';
import { answerErrors } from './routes/errors.mts';
import { healthRoute } from './routes/health.mts';
import { refuseForeignHosts } from './routes/hosts.mts';
import { pageRoutes } from './routes/pages.mts';
import { userRoutes } from './routes/users.mts';
import { serializerCompiler, validatorCompiler } from './schemas/compiler.mts';
import type { LinkedService, Service } from './service.mts';
import type { Settings } from './settings.mts';

/** Maximum length of a path parameter, in characters; a provider's user IDs may have any form. */
const MAX_PARAMETER_LENGTH = 1_000;

/** Builds the HTTP server; it does not listen yet. */
export async function buildApp(
	service: Service,
	options: Pick<Settings, 'logLevel' | 'faults' | 'tokenSeconds' | 'redirectUris'>,
): Promise<FastifyInstance> {
	const app: FastifyInstance = Fastify({
		// Requests are logged without headers, so the log holds no access token.
		logger: { level: options.logLevel, stream: process.stderr },
		routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
		forceCloseConnections: true,
	});
	app.setValidatorCompiler(validatorCompiler);
	app.setSerializerCompiler(serializerCompiler);
	answerErrors(app);
	refuseForeignHosts(app);
	const linked: LinkedService = {
		...service,
		explorer: explorerAt(() => app.listeningOrigin),
		avatarOf: (user) => `${app.listeningOrigin}/avatars/${user.address}.svg`,
	};
	const authorizationServer = new AuthorizationServer(() => app.listeningOrigin, {
		users: service.users,
		avatarOf: linked.avatarOf,
		tokenSeconds: options.tokenSeconds,
		redirectUris: options.redirectUris,
	});
	const tokenVerifiers = [...service.tokenVerifiers, authorizationServer];
	allowConditions(app);
	if (options.faults) {
		const callerOf = (request: FastifyRequest) => bearerOf(request, tokenVerifiers);
		const expireToken = async (request: FastifyRequest) =>
			await authorizationServer.expire(tokenOf(request));
		installFaults(app, { chain: service.chain, callerOf, expireToken });
	}
	await serveOpenApi(app);
	await app.register(healthRoute, { service: linked });
	await app.register(pageRoutes, { service: linked });
	await app.register(oauthRoutes, {
		prefix: MOUNT_PATH,
		server: authorizationServer,
		service: linked,
	});
	await app.register(
		async (v1) => {
			requireAccessToken(v1, tokenVerifiers);
			answerErrors(v1);
			await v1.register(userRoutes, { service: linked });
			await v1.register(contractRoutes, { service: linked });
		},
		{ prefix: '/v1' },
	);
	return app;
}
