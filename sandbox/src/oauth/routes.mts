import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { LinkedService } from '../../../service/src/service.mts';
import type { User } from '../../../service/src/store/users.mts';
import { MOUNT_PATH, type AuthorizationServer } from './authorization-server.mts';
import { interactionRoutes } from './interactions.mts';

const FORM = 'application/x-www-form-urlencoded';

/** Mounts the authorization server: oidc-provider handles everything except the sign-in and consent pages. */
export const oauthRoutes: FastifyPluginAsyncTypebox<{
	server: AuthorizationServer;
	service: LinkedService;
	/** The users to choose from. */
	users: User[];
}> = async (app, { server, service, users }) => {
	await app.register(
		async (pages) => {
			pages.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
				done(null, Object.fromEntries(new URLSearchParams(String(body))));
			});
			await pages.register(interactionRoutes, { server, service, users });
		},
		{ prefix: '/interaction' },
	);
	await app.register(async (mounted) => {
		// oidc-provider reads the body.
		mounted.removeAllContentTypeParsers();
		mounted.addContentTypeParser('*', (_request, _payload, done) => done(null));
		mounted.all('/*', { schema: { hide: true } }, async ({ raw }, reply) => {
			reply.hijack();
			const url = raw.url ?? MOUNT_PATH;
			// As in Connect: oidc-provider derives its mount path from the difference between the two URLs.
			Object.assign(raw, { originalUrl: url, url: url.slice(MOUNT_PATH.length) });
			await (await server.provider).callback()(raw, reply.raw);
		});
	});
};
