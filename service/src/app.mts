import { LogController, type FastifyInstance, type FastifyRequest } from 'fastify';
import { explorerAt } from './explorer.mts';
import { serveOpenApi } from './open-api.mts';
import type { Watch } from './operation/watch.mts';
import type { Row } from './pages/html.mts';
import { requireAccessToken } from './routes/authorization.mts';
import { contractRoutes } from './routes/contracts.mts';
import { answerErrors } from './routes/errors.mts';
import { executionRoutes } from './routes/executions.mts';
import { refuseForeignHosts } from './routes/hosts.mts';
import { avatarRoutes, explorerRoutes } from './routes/pages.mts';
import { limitRates } from './routes/rate-limits.mts';
import { readinessRoutes } from './routes/readiness.mts';
import { createServer } from './routes/server.mts';
import { serviceRoutes } from './routes/service.mts';
import { statusRoutes } from './routes/status.mts';
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
	/** Requests that a token may send in a minute; 0, the default, for any number. */
	requestsPerMinute?: number;
	/** Addresses of proxies, which report the addresses of their callers. */
	proxies?: string[];
	/** For the checks and the status page; without it, there are none. */
	watch?: Watch;
	/** Whether a stop cuts the connections of open requests, instead of waiting for their answers. */
	cutsConnections?: boolean;
	/** Adds to the app before its routes, for example for tests. @returns further verifiers of access tokens */
	extend?(app: FastifyInstance, service: LinkedService): Promise<TokenVerifier[]>;
	/** Whether a network without a block explorer gets pages of the service's own. */
	explorerPages?: boolean | undefined;
	/** Rows of their first page. */
	explorerRows?(service: LinkedService): Row[];
}

/** A request in the log: without headers and query, in which a client may have put its access token. */
const loggedRequest = ({ method, url, host, ip }: FastifyRequest) => ({
	method,
	url: url.split('?')[0],
	host,
	remoteAddress: ip,
});

/** Builds the HTTP server; it does not listen yet. */
export async function buildApp(service: Service, options: AppOptions): Promise<FastifyInstance> {
	const app = createServer({
		logger: {
			level: options.logLevel,
			stream: process.stderr,
			serializers: { req: loggedRequest },
		},
		// Each write has a line of its own.
		logController: new LogController({
			disableRequestLogging: !/^(debug|trace)$/.test(options.logLevel),
		}),
		trustProxy: options.proxies ?? [],
		routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
		bodyLimit: MAX_BODY_BYTES,
		requestTimeout: ARRIVAL_MS,
		forceCloseConnections: options.cutsConnections === true ? true : 'idle',
	});
	app.setValidatorCompiler(validatorCompiler);
	app.setSerializerCompiler(serializerCompiler);
	refuseForeignHosts(app, options.publicUrl);
	const { requestsPerMinute = 0, watch } = options;
	const limits = requestsPerMinute > 0 ? await limitRates(app, requestsPerMinute) : undefined;
	let isClosing = false;
	app.addHook('preClose', async () => {
		isClosing = true;
	});
	// A connection that is kept open would hold up the stop.
	app.addHook('onSend', async (_request, reply) => {
		if (isClosing) reply.header('connection', 'close');
	});
	// Requests that are still answered during a stop need it, too.
	let listeningOrigin = '';
	app.addHook('onListen', async () => {
		listeningOrigin = app.listeningOrigin;
	});
	const origin = () => options.publicUrl ?? listeningOrigin;
	const { explorer } = service.chain;
	const linked: LinkedService = {
		...service,
		explorer: explorerAt(() => explorer ?? `${origin()}/explorer`),
		avatarOf: (user) => `${origin()}/avatars/${user.address}.svg`,
	};
	const more = (await options.extend?.(app, linked)) ?? [];
	const tokenVerifiers = [...service.tokenVerifiers, ...more];
	await serveOpenApi(app);
	await app.register(serviceRoutes, { service: { ...linked, tokenVerifiers } });
	if (watch) {
		await app.register(readinessRoutes, { service: linked, watch });
		await app.register(statusRoutes, { service: linked, watch, tokenVerifiers, limits });
	}
	await app.register(avatarRoutes, { service: linked });
	if (options.explorerPages === true && explorer === undefined) {
		const rows = () => options.explorerRows?.(linked) ?? [];
		await app.register(explorerRoutes, { service: linked, limits, rows });
	}
	await app.register(
		async (v1) => {
			requireAccessToken(v1, tokenVerifiers, limits);
			answerErrors(v1);
			await v1.register(userRoutes, { service: linked });
			await v1.register(contractRoutes, { service: linked });
			if (service.description.writes !== false) {
				await v1.register(writeRoutes, { service: linked });
				await v1.register(executionRoutes, { service: linked });
			}
			if (service.description.transactions) {
				await v1.register(transactionRoutes, { service: linked });
			}
		},
		{ prefix: '/v1' },
	);
	return app;
}

/** Builds the server of the metrics, for programs on this machine. */
export function buildMetricsApp(read: () => Promise<string>): FastifyInstance {
	const app = createServer({ forceCloseConnections: true });
	refuseForeignHosts(app, undefined);
	app.get('/metrics', async (_request, reply) => {
		return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await read());
	});
	return app;
}
