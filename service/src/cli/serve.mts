import { setTimeout } from 'node:timers/promises';
import { buildApp } from '../app.mts';
import { createService, type ServiceOptions } from '../create-service.mts';
import { connectChain, gasCapsIn, networkFor } from '../identity.mts';
import { listen, untilStopped } from '../listen.mts';
import type { Commands } from './command-line.mts';
import { openHome, unlock } from './open-home.mts';

/** Time limit for the answers to open requests after a signal, in milliseconds. */
const GRACE_MS = 10_000;

/**
 * Serves until a signal. The state is in the database at all times, so a crash needs no other start than a stop.
 *
 * @param replaced parts to replace in tests
 * @throws Error on one line that says what to do
 */
export async function serve(
	environment: NodeJS.ProcessEnv,
	replaced: Partial<ServiceOptions> = {},
): Promise<void> {
	const stopped = untilStopped();
	await using open = await openHome(environment);
	const { settings, db } = open;
	const [endpoints, signer] = await Promise.all([
		connectChain(db, settings.rpc),
		unlock(open, environment),
	]);
	const network = networkFor(endpoints.identity.chainId, settings);
	const { service, loops, history } = createService({
		...{ db, endpoints, network, signer },
		gasCaps: gasCapsIn(settings),
		ttlMs: settings.writeTtlSeconds * 1_000,
		firstBlock: (final) => final - settings.historyBlocks + 1,
		log: (problem, error) => app.log.error({ err: error }, problem),
		...replaced,
	});
	const { logLevel, publicUrl } = settings;
	const app = await buildApp(service, { logLevel, publicUrl });
	history.start();
	await listen(app, settings.host, settings.port);
	loops.start();
	process.stdout.write(
		`Wallet service for ${network.name} at ${publicUrl ?? app.listeningOrigin}\n`,
	);
	await stopped;
	await Promise.race([
		Promise.all([app.close(), loops.stop(), history.stop()]),
		setTimeout(GRACE_MS, undefined, { ref: false }),
	]);
}

export const commands: Commands = {
	serve: async (_argument, _options, environment) => await serve(environment),
};
