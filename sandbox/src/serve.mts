import { listen, untilStopped } from '../../service/src/listen.mts';
import { buildSandbox } from './app.mts';
import type { Anvil } from './chain/anvil.mts';
import { connectTo, SANDBOX_NETWORK } from './chain/development-chain.mts';
import { mineEvery } from './chain/development.mts';
import { MNEMONIC, MNEMONIC_NOTE } from './chain/phrase.mts';
import { oauthEndpointsAt } from './oauth/authorization-server.mts';
import { N8N_CLIENT_ID } from './oauth/clients.mts';
import type { SandboxReady } from './ready.mts';
import type { Settings } from './settings.mts';
import { startService, type Started } from './start-service.mts';
import { fixedTokenOf } from './wallets/access-tokens.mts';

function readyLine(baseUrl: string, rpcUrl: string, started: Started): SandboxReady {
	const { chainId } = started.service.chain;
	return {
		ready: true,
		baseUrl,
		oauth: { ...oauthEndpointsAt(baseUrl), clientId: N8N_CLIENT_ID },
		rpcUrl,
		chainId,
		network: SANDBOX_NETWORK.name,
		nativeSymbol: SANDBOX_NETWORK.symbol,
		explorerUrl: `${baseUrl}/explorer`,
		users: started.users.map((user) => ({
			id: user.id,
			provider: user.provider,
			username: user.username,
			address: user.address,
			accessToken: fixedTokenOf(user),
		})),
		contracts: started.contracts,
		mnemonic: MNEMONIC,
		note: MNEMONIC_NOTE,
	};
}

/**
 * Serves until a signal.
 *
 * @param anvil the sandbox's own chain; undefined if the settings name another one
 * @throws Error if the chain or the contracts are unusable, or the port is taken
 */
export async function serve(settings: Settings, anvil: Promise<Anvil> | undefined): Promise<void> {
	const chain = await connectTo(anvil ? await anvil : (settings.rpcUrl ?? ''));
	try {
		const stopped = Promise.race([untilStopped(), chain.ended]);
		const started = await startService(chain, settings);
		// Only after the setup, which waits for about thirty blocks, one after the other.
		if (settings.blockSeconds > 0) await mineEvery(chain.provider, settings.blockSeconds);
		const app = await buildSandbox(started, chain, settings);
		await listen(app, '127.0.0.1', settings.port);
		started.loops.start();
		const ready = readyLine(app.listeningOrigin, chain.rpcUrl, started);
		process.stdout.write(`${JSON.stringify(ready)}\n`);
		await stopped;
		await app.close();
		await started.loops.stop();
		await started.db.destroy();
	} finally {
		await chain.stop();
	}
}
