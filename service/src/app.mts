import Fastify, { type FastifyInstance } from 'fastify';
import { explorerAt } from './explorer.mts';
import { serveOpenApi } from './open-api.mts';
import type { Row } from './pages/html.mts';
import { requireAccessToken } from './routes/authorization.mts';
import { contractRoutes } from './routes/contracts.mts';
import { answerErrors } from './routes/errors.mts';
import { refuseForeignHosts } from './routes/hosts.mts';
import { pageRoutes } from './routes/pages.mts';
import { serviceRoutes } from './routes/service.mts';
import { transactionRoutes } from './routes/transactions.mts';
import { userRoutes } from './routes/users.mts';
import { writeRoutes } from './routes/writes.mts';
import { serializerCompiler, validatorCompiler } from './schemas/compiler.mts';
import type { LinkedService, Service } from './service.mts';
import type { TokenVerifier } from './store/tokens.mts';

/** Maximum length of a path parameter, in characters; a provider's user IDs may have any form. */
const MAX_PARAMETER_LENGTH = 1_000;

/** Maximum size of a request, in bytes: nodes refuse transactions of more than 128 KiB, which are twice as long as text. */
export const MAX_BODY_BYTES = 512 * 1024;

/** Time within which a request must arrive, in milliseconds. */
const ARRIVAL_MS = 30_000;

export interface AppOptions {
	/** Lowest level that is logged, as a pino level name. */
	logLevel: string;
	/** Address at which callers reach the service, without a trailing slash; by default where it listens. */
	publicUrl?: string | undefined;
	/** Whether a stop cuts the connections of open requests, instead of waiting for their answers. */
	cutsConnections?: boolean;
	/** Adds to the app before its routes, for example for tests. @returns further verifiers of access tokens */
	extend?(app: FastifyInstance, service: LinkedService): Promise<TokenVerifier[]>;
	/** Rows of the explorer's first page. */
	explorerRows?(service: LinkedService): Row[];
}

/** Builds the HTTP server; it does not listen yet. */
export async function buildApp(service: Service, options: AppOptions): Promise<FastifyInstance> {
	const app: FastifyInstance = Fastify({
		// Requests are logged without headers, so the log holds no access token.
		logger: { level: options.logLevel, stream: process.stderr },
		routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
		bodyLimit: MAX_BODY_BYTES,
		requestTimeout: ARRIVAL_MS,
		forceCloseConnections: options.cutsConnections === true ? true : 'idle',
	});
	app.setValidatorCompiler(validatorCompiler);
	app.setSerializerCompiler(serializerCompiler);
	answerErrors(app);
	refuseForeignHosts(app, options.publicUrl);
	const origin = () => options.publicUrl ?? app.listeningOrigin;
	const { explorer } = service.chain;
	const linked: LinkedService = {
		...service,
		explorer: explorerAt(() => explorer ?? `${origin()}/explorer`),
		avatarOf: (user) => `${origin()}/avatars/${user.address}.svg`,
	};
	const more = (await options.extend?.(app, linked)) ?? [];
	const tokenVerifiers = [...service.tokenVerifiers, ...more];
	await serveOpenApi(app);
	await app.register(serviceRoutes, { service: linked });
	await app.register(pageRoutes, {
		service: linked,
		rows: () => options.explorerRows?.(linked) ?? [],
	});
	await app.register(
		async (v1) => {
			requireAccessToken(v1, tokenVerifiers);
			answerErrors(v1);
			await v1.register(userRoutes, { service: linked });
			await v1.register(contractRoutes, { service: linked });
			if (service.description.writes !== false) {
				await v1.register(writeRoutes, { service: linked });
			}
			if (service.description.transactions) {
				await v1.register(transactionRoutes, { service: linked });
			}
		},
		{ prefix: '/v1' },
	);
	return app;
}
