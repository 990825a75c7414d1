/** The real service over a scripted chain: its loops, its history, and its HTTP server, in this process. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { Mnemonic } from 'ethers';
import { execa } from 'execa';
import { homeOf, type Home } from '../../../service/src/config/settings.mts';
import type { ServiceOptions } from '../../../service/src/create-service.mts';
import { SeedSigner } from '../../../service/src/keys/seed.mts';
import { networkOf, type Network } from '../../../service/src/rpc/networks.mts';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database } from '../../../service/src/store/tables.mts';
import { createToken } from '../../../service/src/store/tokens.mts';
import { addUser } from '../../../service/src/store/users.mts';
import { walletCommand, type Payer } from '../../../tools/wallet/installed-service.mts';
import { LEDGER } from '../../../tools/wallet/network.mts';
import type { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { ScriptedChain } from './scripted-chain.mts';
import { ScriptedEndpoint } from './scripted-endpoint.mts';
import { runScripted, type ScriptedRun } from './scripted-run.mts';
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
	/** A database file to begin with, of a service with as many users. */
	database?: string;
}

export interface ScriptedService {
	chain: ScriptedChain;
	token: ScriptedToken;
	endpoints: ScriptedEndpoint[];
	db: Database;
	/** File of the database. */
	database: string;
	payers: Payer[];
	/** The service as it runs now. @throws Error while it does not run */
	run(): ScriptedRun;
	start(): Promise<void>;
	stop(): Promise<void>;
	/** Runs a command of the service in a process of its own. @returns its output @throws Error with its message */
	command(...args: string[]): Promise<string>;
	/** Requests to the service under `/v1` by its first user; every status is an answer. */
	get(path: string): Promise<Told>;
	put(key: string, body: object): Promise<Told>;
	post(path: string, body: object): Promise<Told>;
}

/** What the service answered. */
export interface Told {
	status: number;
	data: unknown;
}

/** A token with 6 decimals, of which every user has 1,000. */
export const TOKEN = `0x${'70ce'.padStart(40, '0')}`;
const MINTED = 10n ** 9n;

/** Symbol of the native coin. */
export const COIN = 'TST';

/** Access token of the user with a number. */
const tokenOf = (number: number): string => `wsp_scripted_${number}`;

/** The keys are the same in every test. */
const newSigner = (): SeedSigner =>
	new SeedSigner(Mnemonic.fromEntropy(new Uint8Array(32).fill(0x5c)).phrase);

async function payerAt(signer: SeedSigner, number: number): Promise<Payer> {
	const source = `seed:${number}`;
	const [address, key] = [await signer.addressOf(source), signer.exportKey(source)];
	return { id: `LOCAL-${number}`, address, token: tokenOf(number), key };
}

async function addPayers(
	db: Database,
	payers: readonly Payer[],
	limits: ScriptedOptions['limits'],
): Promise<void> {
	for (const { id, address, token } of payers) {
		const user = { id, provider: 'LOCAL', username: id, email: null };
		await addUser(db, user, async () => address);
		await createToken(db, id, { scopes: ['read', 'write'], token, limits });
	}
}

/** The data folder of a service, with its database. */
async function newHome(
	folder: string,
	{ urls, depth, from }: { urls: readonly string[]; depth: number; from: string | undefined },
): Promise<{ home: Home; environment: NodeJS.ProcessEnv }> {
	const environment = { ...process.env, WALLET_HOME: `${folder}/home`, LOG_LEVEL: 'fatal' };
	const home = homeOf(environment);
	await mkdir(home.folder, { mode: 0o700 });
	await writeFile(home.config, JSON.stringify({ rpc: urls, depth, symbol: COIN }));
	if (from !== undefined) await copyFile(from, home.database);
	return { home, environment };
}

/** Sets up a service on SQLite over a scripted chain, with users who have native coin and tokens; it does not run yet. */
export async function installScripted(
	resources: Resources,
	options: ScriptedOptions = {},
): Promise<ScriptedService> {
	const { chain = new ScriptedChain(), endpoints: count = 2, depth = 12 } = options;
	const { payers: payerCount = 1, database: from, limits, replaced } = options;
	const { path: folder } = await resources.use(temporaryFolder('scripted'));
	await resources.use({ [Symbol.asyncDispose]: async () => chain.stopMining() });
	const starting = Array.from({ length: count }, () => ScriptedEndpoint.start(chain));
	const endpoints = await Promise.all(starting.map((one) => resources.use(one)));
	const urls = endpoints.map(({ url }) => url);
	const { home, environment } = await newHome(folder, { urls, depth, from });
	const db = await openDatabase(home.database);
	await resources.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	const signer = newSigner();
	const numbers = Array.from({ length: payerCount }, (_unused, number) => number);
	const payers = await Promise.all(numbers.map((number) => payerAt(signer, number)));
	if (from === undefined) await addPayers(db, payers, limits);
	for (const { address } of payers) chain.fund(address);
	const minted = Object.fromEntries(payers.map(({ address }) => [address, MINTED]));
	const token = { address: TOKEN, decimals: 6, symbol: 'USDX', minted };
	deployToken(chain, token);
	chain.deploy(LEDGER);
	const network: Network = { ...networkOf(chain.chainId), depth, symbol: COIN, coin: COIN };
	let running: ScriptedRun | undefined;
	const run = (): ScriptedRun => {
		if (!running) throw new Error('The service does not run');
		return running;
	};
	const stop = async (): Promise<void> => {
		await running?.stop();
		running = undefined;
	};
	await resources.use({ [Symbol.asyncDispose]: stop });
	const headers = { authorization: `Bearer ${tokenOf(0)}` };
	return {
		chain,
		token,
		endpoints,
		db,
		database: home.database,
		payers,
		run,
		stop,
		async start() {
			running = await runScripted({ db, urls, signer, network }, replaced);
		},
		async command(...args) {
			const options = { env: environment, extendEnv: false, stdin: 'ignore' } as const;
			const { stdout } = await execa(process.execPath, [await walletCommand(), ...args], options);
			return stdout;
		},
		get: async (path) => await run().ask({ method: 'GET', url: `/v1${path}`, headers }),
		async put(key, payload) {
			const url = `/v1/writes/${encodeURIComponent(key)}`;
			return await run().ask({ method: 'PUT', url, headers, payload });
		},
		post: async (path, payload) =>
			await run().ask({ method: 'POST', url: `/v1${path}`, headers, payload }),
	};
}
