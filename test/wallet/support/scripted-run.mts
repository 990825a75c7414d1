/** A service that runs in this process, over the endpoints of a scripted chain. */
import { inspect } from 'node:util';
import { parseEther } from 'ethers';
import { buildApp } from '../../../service/src/app.mts';
import { createService, type ServiceOptions } from '../../../service/src/create-service.mts';
import { connectChain } from '../../../service/src/identity.mts';
import { Watch } from '../../../service/src/operation/watch.mts';

/** Native coin below which a wallet is reported, in wei. */
const LOW_GAS = parseEther('0.01');

/** A request to the service; a POST or PUT carries its JSON. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'PUT';
	url: string;
	headers: Record<string, string>;
	payload?: object;
}

export interface ScriptedRun {
	/** Base URL of its HTTP server. */
	url: string;
	/** What it has logged. */
	log: string[];
	history: ReturnType<typeof createService>['history'];
	/** Sends a request without a connection. */
	ask(request: ServiceRequest): Promise<{ status: number; data: unknown }>;
	stop(): Promise<void>;
}

/**
 * Starts a service as `serve` does.
 *
 * @param replaced parts of it to replace
 * @throws Error if the chain cannot be reached, or is another one
 */
export async function runScripted(
	{
		urls,
		...ports
	}: Pick<ServiceOptions, 'db' | 'signer' | 'network'> & { urls: readonly string[] },
	replaced: Partial<ServiceOptions> = {},
): Promise<ScriptedRun> {
	const endpoints = await connectChain(ports.db, urls);
	const lines: string[] = [];
	const log = (problem: string, error: unknown) => void lines.push(`${problem}: ${inspect(error)}`);
	const all = { ...ports, endpoints, log, firstBlock: () => 0, ...replaced };
	const { service, loops, history, questions } = createService(all);
	const watch = new Watch({ ...ports, endpoints, lowGas: LOW_GAS, questions, history });
	const app = await buildApp(service, {
		logLevel: 'silent',
		watch,
		cutsConnections: true,
		explorerPages: true,
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	history.start();
	loops.start();
	return {
		url: app.listeningOrigin,
		log: lines,
		history,
		async ask(request) {
			const { statusCode, body } = await app.inject(request);
			const data: unknown = body === '' ? undefined : JSON.parse(body);
			return { status: statusCode, data };
		},
		async stop() {
			await Promise.all([app.close(), loops.stop(), history.stop()]);
		},
	};
}
