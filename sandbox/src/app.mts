import type { FastifyInstance, FastifyRequest } from 'fastify';
import { buildApp } from '../../service/src/app.mts';
import { bearerOf, tokenOf } from '../../service/src/routes/authorization.mts';
import type { DevelopmentChain } from './chain/development-chain.mts';
import { allowConditions } from './conditions.mts';
import { installFaults } from './faults/install.mts';
import { AuthorizationServer, MOUNT_PATH } from './oauth/authorization-server.mts';
import { oauthRoutes } from './oauth/routes.mts';
import type { Settings } from './settings.mts';
import type { Started } from './start-service.mts';
import { forgetUndone } from './wallets/forget-undone.mts';

/** Builds the HTTP server of the sandbox: that of the service, with a sign-in without passwords, and faults. */
export async function buildSandbox(
	{ service, db, users }: Started,
	chain: DevelopmentChain,
	options: Pick<Settings, 'logLevel' | 'faults' | 'tokenSeconds' | 'redirectUris'>,
): Promise<FastifyInstance> {
	return await buildApp(service, {
		logLevel: options.logLevel,
		cutsConnections: true,
		explorerPages: true,
		explorerRows: ({ explorer }) =>
			users.map(({ id, address }) => [id, address, explorer.address(address)]),
		async extend(app, linked) {
			const authorizationServer = new AuthorizationServer(() => app.listeningOrigin, {
				db,
				avatarOf: linked.avatarOf,
				tokenSeconds: options.tokenSeconds,
				redirectUris: options.redirectUris,
			});
			const tokenVerifiers = [...linked.tokenVerifiers, authorizationServer.verify];
			allowConditions(app);
			if (options.faults) {
				installFaults(app, {
					chain,
					callerOf: async (request: FastifyRequest) =>
						(await bearerOf(request, tokenVerifiers))?.user,
					expireToken: async (request: FastifyRequest) =>
						await authorizationServer.expire(tokenOf(request)),
					afterReorganisation: async () => await forgetUndone(db, chain),
				});
			}
			await app.register(oauthRoutes, {
				prefix: MOUNT_PATH,
				server: authorizationServer,
				service: linked,
				users,
			});
			return [authorizationServer.verify];
		},
	});
}
