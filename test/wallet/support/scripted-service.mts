/** The real service over a scripted chain: its loops, its history, and its HTTP server, in this process. */
import { join } from 'node:path';
import axios from 'axios';
import { Mnemonic, parseEther } from 'ethers';
import { buildApp } from '../../../service/src/app.mts';
import { createService, type ServiceOptions } from '../../../service/src/create-service.mts';
import { connectChain } from '../../../service/src/identity.mts';
import { SeedSigner } from '../../../service/src/keys/seed.mts';
import { Watch } from '../../../service/src/operation/watch.mts';
import { networkOf, type Network } from '../../../service/src/rpc/networks.mts';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database } from '../../../service/src/store/tables.mts';
import { createToken } from '../../../service/src/store/tokens.mts';
import { addUser } from '../../../service/src/store/users.mts';
import type { Payer } from '../../../tools/wallet/installed-service.mts';
import { LEDGER } from '../../../tools/wallet/network.mts';
import type { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { ScriptedChain } from './scripted-chain.mts';
import { ScriptedEndpoint } from './scripted-endpoint.mts';
import { deployToken, type ScriptedToken } from './scripted-token.mts';

export interface ScriptedOptions {
	/** Parts of the service to replace. */
	replaced?: Partial<ServiceOptions>;
	chain?: ScriptedChain;
	/** Number of endpoints. */
	endpoints?: number;
	/** Number of users. */
	payers?: number;
	/** Blocks above a final one. */
	depth?: number;
	/** Limits of the users' tokens. */
	limits?: NonNullable<Parameters<typeof createToken>[2]['limits']>;
}

/** Native coin below which a wallet is reported, in wei. */
const LOW_GAS = parseEther('0.01');

/** An address of a token with 6 decimals, of which every user has 1,000. */
export const TOKEN = `0x${'70ce'.padStart(40, '0')}`;

/** A service that runs. */
interface Run {
	/** Base URL of its HTTP server. */
	url: string;
	log: string[];
	history: ReturnType<typeof createService>['history'];
	stop(): Promise<void>;
}

export interface ScriptedService {
	chain: ScriptedChain;
	token: ScriptedToken;
	endpoints: ScriptedEndpoint[];
	db: Database;
	payers: Payer[];
	/** The service as it runs now. @throws Error while it does not run */
	run(): Run;
	start(): Promise<void>;
	stop(): Promise<void>;
	/** Requests to the service under `/v1` by its first user; every status is an answer. */
	get(path: string): Promise<{ status: number; data: unknown }>;
	put(key: string, body: object): Promise<{ status: number; data: unknown }>;
}

/** Adds users whose wallets have native coin. */
async function addPayers(
	db: Database,
	signer: SeedSigner,
	{ payers: count = 1, limits }: ScriptedOptions,
): Promise<Payer[]> {
	const payers: Payer[] = [];
	for (let number = 0; number < count; number++) {
		const user = { id: `LOCAL-${number}`, provider: 'LOCAL', username: `${number}`, email: null };
		const { address, index } = await addUser(db, user, (at) => signer.addressOf(`seed:${at}`));
		const { token } = await createToken(db, user.id, { scopes: ['read', 'write'], limits });
		payers.push({ id: user.id, address, token, key: signer.exportKey(`seed:${index}`) });
	}
	return payers;
}

/**
 * Sets up a service on SQLite over a scripted chain, with users who have native coin and tokens; it does not run yet.
 * Its keys are the same in every test.
 */
export async function installScripted(
	resources: Resources,
	options: ScriptedOptions = {},
): Promise<ScriptedService> {
	const { chain = new ScriptedChain(), endpoints: endpointCount = 2, depth = 12 } = options;
	const { path: folder } = await resources.use(temporaryFolder('scripted'));
	await resources.use({ [Symbol.asyncDispose]: async () => chain.stopMining() });
	const starting = Array.from({ length: endpointCount }, () => ScriptedEndpoint.start(chain));
	const endpoints = await Promise.all(starting.map((one) => resources.use(one)));
	const db = await openDatabase(join(folder, 'wallet.db'));
	await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	const signer = new SeedSigner(Mnemonic.fromEntropy(new Uint8Array(32).fill(0x5c)).phrase);
	const payers = await addPayers(db, signer, options);
	for (const { address } of payers) chain.fund(address);
	const minted = Object.fromEntries(payers.map(({ address }) => [address, 10n ** 9n]));
	const token = { address: TOKEN, decimals: 6, symbol: 'USDX', minted };
	deployToken(chain, token);
	chain.deploy(LEDGER);
	const network: Network = { ...networkOf(chain.chainId), depth };
	const urls = endpoints.map(({ url }) => url);
	let running: Run | undefined;
	const run = (): Run => {
		if (!running) throw new Error('The service does not run');
		return running;
	};
	const stop = async (): Promise<void> => {
		await running?.stop();
		running = undefined;
	};
	await resources.use({ [Symbol.asyncDispose]: stop });
	const client = axios.create({
		headers: { authorization: `Bearer ${payers[0]?.token}` },
		validateStatus: () => true,
	});
	return {
		...{ chain, token, endpoints, db, payers, run, stop },
		async start() {
			running = await serveScripted({ db, urls, signer, network }, options.replaced);
		},
		async get(path) {
			const { status, data } = await client.get(`${run().url}/v1${path}`);
			return { status, data };
		},
		async put(key, body) {
			const url = `${run().url}/v1/writes/${encodeURIComponent(key)}`;
			const { status, data } = await client.put(url, body);
			return { status, data };
		},
	};
}

async function serveScripted(
	{
		urls,
		...ports
	}: { db: Database; urls: readonly string[]; signer: SeedSigner; network: Network },
	replaced: Partial<ServiceOptions> = {},
): Promise<Run> {
	const { db, network } = ports;
	const endpoints = await connectChain(db, urls);
	const lines: string[] = [];
	const log = (problem: string, error: unknown) => void lines.push(`${problem}: ${String(error)}`);
	const all = { ...ports, endpoints, log, firstBlock: () => 0, ...replaced };
	const { service, loops, history } = createService(all);
	const watch = new Watch({ db, endpoints, signer: ports.signer, network, lowGas: LOW_GAS });
	const app = await buildApp(service, { logLevel: 'silent', watch, cutsConnections: true });
	await app.listen({ host: '127.0.0.1', port: 0 });
	history.start();
	loops.start();
	return {
		...{ url: app.listeningOrigin, log: lines, history },
		async stop() {
			await Promise.all([app.close(), loops.stop(), history.stop()]);
		},
	};
}
