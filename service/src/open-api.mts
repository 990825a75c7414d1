import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

/** Generates the OpenAPI document from the routes' schemas and serves it at `/openapi.json`. */
export async function serveOpenApi(app: FastifyInstance): Promise<void> {
	await app.register(swagger, {
		openapi: {
			openapi: '3.1.0',
			info: {
				title: 'Wallet and contract service',
				version: '1',
				description:
					"Users' wallets on one EVM chain: profile, balances, transfer history, and calls of any contract function.",
				license: { name: 'MIT', identifier: 'MIT' },
			},
			servers: [{ url: '/' }],
			tags: ['users', 'contracts', 'writes', 'transactions', 'service'].map((name) => ({ name })),
			components: {
				securitySchemes: {
					accessToken: {
						type: 'http',
						scheme: 'bearer',
						description:
							"A user's access token. Reads are open to any; writes act for its own user.",
					},
				},
			},
			security: [{ accessToken: [] }],
		},
	});
	app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
