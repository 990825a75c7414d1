import { setTimeout } from 'node:timers/promises';
import { parseEther } from 'ethers';
import { buildApp, buildMetricsApp } from '../app.mts';
import { createService, type ServiceOptions } from '../create-service.mts';
import { connectChain, gasCapsIn, networkFor, silentAmong } from '../identity.mts';
import { listen, untilStopped } from '../listen.mts';
import { GasStation } from '../operation/gas-station.mts';
import { logWrite } from '../operation/log.mts';
import { UNKNOWN, UNKNOWN_COIN } from '../rpc/networks.mts';
import { Watch } from '../operation/watch.mts';
import { untilReplaced } from '../store/database-file.mts';
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
	const { settings, db, file } = open;
	const [endpoints, signer] = await Promise.all([
		connectChain(db, settings.rpc),
		unlock(open, environment),
	]);
	const network = networkFor(endpoints.identity.chainId, settings);
	const { lowGas = '0', metricsPort, logLevel, publicUrl, requestsPerMinute, proxies } = settings;
	const { gasStation, explorerPages } = settings;
	const metrics =
		metricsPort === undefined
			? undefined
			: new (await import('../operation/metrics.mts')).Metrics();
	const log = (problem: string, error: unknown) => app.log.error({ err: error }, problem);
	const { service, loops, history, questions } = createService({
		db,
		endpoints,
		network,
		signer,
		observe(event) {
			logWrite(app.log, event);
			metrics?.observe(event);
		},
		gasCaps: gasCapsIn(settings, network),
		ttlMs: settings.writeTtlSeconds * 1_000,
		firstBlock: (final) => final - settings.historyBlocks + 1,
		log,
		...replaced,
	});
	const watch = new Watch({
		db,
		endpoints,
		signer,
		network,
		gasStation,
		lowGas: parseEther(lowGas),
		questions,
		history,
	});
	const { topUpEveryMs } = replaced;
	const ports = { ...service, endpoints, network, log, topUpEveryMs };
	const topUps = gasStation && (await GasStation.open(gasStation, ports));
	const limits = { requestsPerMinute, proxies };
	const app = await buildApp(service, { logLevel, publicUrl, watch, explorerPages, ...limits });
	const metricsApp = metrics && buildMetricsApp(async () => await metrics.text(await watch.read()));
	if (metricsApp) await listen(metricsApp, '127.0.0.1', metricsPort ?? 0, '"metricsPort"');
	if (network.symbol === UNKNOWN) app.log.warn(UNKNOWN_COIN);
	// Not waited for: the others serve meanwhile.
	void silentAmong(endpoints, settings.rpc).then((problems) => {
		for (const problem of problems) app.log.warn(problem);
	});
	history.start();
	await listen(app, settings.host, settings.port);
	loops.start();
	topUps?.start();
	process.stdout.write(
		`Wallet service for ${network.name} at ${publicUrl ?? app.listeningOrigin}\n`,
	);
	const ends = file ? [untilReplaced(file)] : [];
	try {
		await Promise.race([stopped, ...ends]);
	} finally {
		await Promise.race([
			Promise.all([app.close(), metricsApp?.close(), loops.stop(), history.stop(), topUps?.stop()]),
			setTimeout(GRACE_MS, undefined, { ref: false }),
		]);
	}
}

export const commands: Commands = {
	serve: async (_argument, _options, environment) => await serve(environment),
};
