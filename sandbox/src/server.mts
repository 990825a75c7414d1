/**
 * Runs the reference service until SIGINT or SIGTERM. Prints one line of JSON on standard output once it is
 * ready (see `ready.mts`); everything else goes to standard error.
 */
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.mts';
import { openChain, type Chain } from './chain/chain.mts';
import { mineEvery } from './chain/development.mts';
import { oauthEndpointsAt } from './oauth/authorization-server.mts';
import { N8N_CLIENT_ID } from './oauth/clients.mts';
import type { SandboxContracts, SandboxReady } from './ready.mts';
import type { Service } from './service.mts';
import { readSettings, type Settings } from './settings.mts';
import { startService } from './start-service.mts';
import { fixedTokenOf } from './wallets/access-tokens.mts';
import { MNEMONIC, MNEMONIC_NOTE } from './chain/mnemonic.mts';

async function listen(app: FastifyInstance, port: number): Promise<void> {
	try {
		await app.listen({ host: '127.0.0.1', port });
	} catch (cause) {
		if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) throw cause;
		throw new Error(`Port ${port} is in use; set PORT to another port, or to 0 for any free port`, {
			cause,
		});
	}
}

function readyLine(baseUrl: string, service: Service, contracts: SandboxContracts): SandboxReady {
	const { rpcUrl, chainId, network, nativeSymbol } = service.chain;
	return {
		ready: true,
		baseUrl,
		oauth: { ...oauthEndpointsAt(baseUrl), clientId: N8N_CLIENT_ID },
		rpcUrl,
		chainId,
		network,
		nativeSymbol,
		explorerUrl: `${baseUrl}/explorer`,
		users: service.users.users.map((user) => ({
			id: user.id,
			provider: user.provider,
			username: user.username,
			address: user.address,
			accessToken: fixedTokenOf(user),
		})),
		contracts,
		mnemonic: MNEMONIC,
		note: MNEMONIC_NOTE,
	};
}

/** Resolves when the service has to end: on a signal, or when its parent process or its chain has ended. */
function untilStopped(chain: Chain): Promise<void> {
	return new Promise((resolve) => {
		process.once('SIGINT', () => resolve());
		process.once('SIGTERM', () => resolve());
		process.once('disconnect', () => resolve());
		void chain.ended.then(resolve);
	});
}

async function run(settings: Settings): Promise<void> {
	const chain = await openChain(settings.rpcUrl);
	try {
		const stopped = untilStopped(chain);
		const { service, contracts } = await startService(chain, settings);
		// Only after the setup, which waits for about thirty blocks, one after the other.
		if (settings.blockSeconds > 0) await mineEvery(chain.provider, settings.blockSeconds);
		const app = await buildApp(service, settings);
		await listen(app, settings.port);
		const ready = readyLine(app.listeningOrigin, service, contracts);
		process.stdout.write(`${JSON.stringify(ready)}\n`);
		await stopped;
		await app.close();
	} finally {
		await chain.stop();
	}
}

try {
	await run(readSettings(process.env));
	process.exit(0);
} catch (error) {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
}
