import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InteractionResults } from 'oidc-provider';
import Type from 'typebox';
import type { LinkedService } from '../../../service/src/service.mts';
import { userById, type User } from '../../../service/src/store/users.mts';
import type { AuthorizationServer } from './authorization-server.mts';
import { consentPage, errorPage, loginPage } from '../pages/sign-in.mts';

/** The pages have no scripts and cannot be framed, so nobody can trick a person into pressing an unseen button. */
const PAGE_HEADERS = {
	'content-type': 'text/html; charset=utf-8',
	'content-security-policy':
		"default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
	'cache-control': 'no-store',
	'referrer-policy': 'no-referrer',
};

const DENIED: InteractionResults = {
	error: 'access_denied',
	error_description: 'The person denied the access',
};

/** `as=another` lets a signed-in person choose another user. */
const PageQuery = Type.Object({ as: Type.Optional(Type.String()) });
const LoginForm = Type.Object({ userId: Type.String() });
const ConsentForm = Type.Object({ decision: Type.Enum(['allow', 'deny']) });

/** The errors of oidc-provider, which is loaded on first use. */
const loadErrors = async () => (await import('oidc-provider')).errors;

interface Options {
	server: AuthorizationServer;
	service: LinkedService;
	/** The users to choose from. */
	users: User[];
}

/** The pages for signing in and giving consent. Each is tied to one browser by oidc-provider's own signed cookie. */
export const interactionRoutes: FastifyPluginAsyncTypebox<Options> = async (
	app,
	{ server, service, users: listed },
) => {
	const send = (reply: FastifyReply, page: string) => reply.headers(PAGE_HEADERS).send(page);
	const detailsOf = async ({ raw }: FastifyRequest, reply: FastifyReply) =>
		await (await server.provider).interactionDetails(raw, reply.raw);

	/** Records the person's decision and redirects the browser. */
	async function finish(
		{ raw }: FastifyRequest,
		reply: FastifyReply,
		result: InteractionResults,
	): Promise<FastifyReply> {
		const provider = await server.provider;
		return reply.redirect(await provider.interactionResult(raw, reply.raw, result), 303);
	}

	app.setErrorHandler(async (error, _request, reply) => {
		const { OIDCProviderError } = await loadErrors();
		const { error: code, error_description: description } =
			error instanceof OIDCProviderError
				? error
				: { error: 'invalid_request', error_description: 'The form is incomplete or wrong.' };
		return send(reply.code(400), errorPage(code, description ?? code));
	});

	app.get('/:uid', { schema: { hide: true, querystring: PageQuery } }, async (request, reply) => {
		const { uid, prompt, params, session } = await detailsOf(request, reply);
		const client = await (await server.provider).Client.find(String(params.client_id));
		const clientName = client?.clientName ?? String(params.client_id);
		const path = `/oauth/interaction/${uid}`;
		if (prompt.name === 'login' || request.query.as === 'another') {
			const users = listed.map((user) => ({ user, imageSrc: service.avatarOf(user) }));
			return send(reply, loginPage(`${path}/login`, clientName, users));
		}
		const user = await userById(service.db, session?.accountId ?? '');
		if (!user) throw new (await loadErrors()).SessionNotFound('nobody is signed in');
		const scopes = String(params.scope ?? '').split(' ');
		return send(reply, consentPage(`${path}/consent`, clientName, user, scopes));
	});

	app.post('/:uid/login', { schema: { hide: true, body: LoginForm } }, async (request, reply) => {
		await detailsOf(request, reply);
		const user = await userById(service.db, request.body.userId);
		if (!user) throw new (await loadErrors()).InvalidRequest('unknown user');
		return await finish(request, reply, { login: { accountId: user.id } });
	});

	app.post(
		'/:uid/consent',
		{ schema: { hide: true, body: ConsentForm } },
		async (request, reply) => {
			const { prompt, params, session, grantId } = await detailsOf(request, reply);
			if (request.body.decision === 'deny') return await finish(request, reply, DENIED);
			if (prompt.name !== 'consent' || !session) {
				throw new (await loadErrors()).InvalidRequest('nobody was asked for consent');
			}
			const { Grant } = await server.provider;
			const known = grantId === undefined ? undefined : await Grant.find(grantId);
			const grant =
				known ?? new Grant({ accountId: session.accountId, clientId: String(params.client_id) });
			grant.addOIDCScope(String(params.scope ?? ''));
			return await finish(request, reply, { consent: { grantId: await grant.save() } });
		},
	);
};
