/** A wallet service on this machine, as a person sets it up: its folder, its users, and its process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { encryptKeystoreJson, HDNodeWallet } from 'ethers';
import { execa } from 'execa';
import { unlockSeed } from '../../service/src/keys/seed.mts';
import { homeOf } from '../../service/src/config/settings.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { createToken } from '../../service/src/store/tokens.mts';
import { addUser } from '../../service/src/store/users.mts';
import { freePort } from '../network/ports.mts';
import { bundled } from '../process/bundled.mts';

/** The command `wallet-service`. */
export const walletCommand = async () => await bundled('service', 'service/src/cli/main.mts');

const PASSWORD = 'only for this test';

const PHRASE = /^(?:[a-z]+ ){23}[a-z]+$/m;

/** A user with a token. */
export interface Payer {
	id: string;
	address: string;
	token: string;
	/** Private key of the wallet. */
	key: string;
}

/** The files of a service, and its commands. */
export class InstalledService {
	readonly environment: NodeJS.ProcessEnv;
	readonly url: string;
	#phrase = '';

	private constructor(environment: NodeJS.ProcessEnv, url: string) {
		this.environment = environment;
		this.url = url;
	}

	/**
	 * Runs `wallet-service init` in an empty folder.
	 *
	 * @param databaseUrl URL of a PostgreSQL server; SQLite if undefined
	 */
	static async create(
		folder: string,
		rpcUrls: readonly string[],
		databaseUrl?: string,
	): Promise<InstalledService> {
		const passwordFile = join(folder, 'password');
		await writeFile(passwordFile, `${PASSWORD}\n`, { mode: 0o600 });
		const port = await freePort();
		const environment = {
			...process.env,
			WALLET_HOME: join(folder, 'home'),
			WALLET_PASSWORD_FILE: passwordFile,
			PORT: String(port),
			LOG_LEVEL: 'fatal',
			...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
		};
		const service = new InstalledService(environment, `http://127.0.0.1:${port}`);
		const options = ['--yes', '--rpc', rpcUrls.join(','), '--password-file', passwordFile];
		[service.#phrase = ''] = PHRASE.exec(await service.run('init', ...options)) ?? [];
		return service;
	}

	/** Runs a command of the service. @returns its output @throws Error with its message */
	async run(...args: string[]): Promise<string> {
		const { stdout } = await execa(process.execPath, [await walletCommand(), ...args], {
			env: this.environment,
			extendEnv: false,
			stdin: 'ignore',
		});
		return stdout;
	}

	/** Makes the password cheap to check, which takes most of the time of a start, for tests that start often. */
	async weakenKeyFile(): Promise<void> {
		const { address, privateKey, mnemonic } = HDNodeWallet.fromPhrase(this.#phrase);
		const account = { address, privateKey, mnemonic: { entropy: mnemonic?.entropy ?? '' } };
		const file = await encryptKeystoreJson(account, PASSWORD, { scrypt: { N: 1_024 } });
		await writeFile(homeOf(this.environment).keys, file);
	}

	/** Where the database is. */
	get database(): string {
		return this.environment.DATABASE_URL ?? homeOf(this.environment).database;
	}

	/** Adds users faster than one command for each. */
	async addPayers(count: number): Promise<Payer[]> {
		const signer = await unlockSeed(homeOf(this.environment).keys, PASSWORD);
		const db = await openDatabase(this.database);
		const payers: Payer[] = [];
		for (let number = 0; number < count; number++) {
			const user = { id: `LOCAL-${number}`, provider: 'LOCAL', username: `${number}`, email: null };
			const { address, index: wallet } = await addUser(db, user, (index) =>
				signer.addressOf(`seed:${index}`),
			);
			const { token } = await createToken(db, user.id, { scopes: ['read', 'write'] });
			payers.push({ id: user.id, address, token, key: signer.exportKey(`seed:${wallet}`) });
		}
		await db.destroy();
		return payers;
	}

	/**
	 * Starts the service.
	 *
	 * @param entry a program that serves with hooks for tests, relative to the root
	 * @param descriptors how many files and connections it may have open, if not as many as the system allows
	 */
	async start(
		entry?: string,
		env: NodeJS.ProcessEnv = {},
		descriptors?: number,
	): Promise<RunningService> {
		const program = await (entry === undefined ? walletCommand() : bundled('service', entry));
		const started = performance.now();
		const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors} && `;
		const command = ['-c', `${limit}exec "$0" "$1"`, process.execPath, program];
		const child = spawn('/bin/sh', command, {
			env: { ...this.environment, ...env },
			stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
		});
		const exit = once(child, 'exit');
		const { stdout } = child;
		if (!stdout) throw new Error('The output of the service cannot be read');
		const line = once(createInterface({ input: stdout }), 'line');
		const [first] = await Promise.race([line, exit.then(() => [])]);
		if (typeof first !== 'string') throw new Error('The service ended before it was ready');
		return new RunningService(child, performance.now() - started, exit);
	}
}

/** The process of a service. */
export class RunningService implements AsyncDisposable {
	/** Time from the start to readiness, in milliseconds. */
	readonly startMs: number;
	/** Resolves when the process has ended. */
	readonly ended: Promise<unknown>;
	readonly #child: ChildProcess;

	constructor(child: ChildProcess, startMs: number, ended: Promise<unknown>) {
		this.#child = child;
		this.startMs = startMs;
		this.ended = ended;
	}

	get pid(): number {
		return this.#child.pid ?? 0;
	}

	async kill(): Promise<void> {
		this.#child.kill('SIGKILL');
		await this.ended;
	}

	/** Ends the process as an operator does. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#child.kill('SIGTERM');
		await Promise.race([this.ended, setTimeout(20_000, undefined, { ref: false })]);
		await this.kill();
	}
}
