/** Redis and PostgreSQL, as Debian installs them. */
import { constants } from 'node:fs';
import { access, chown, glob } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import type { GuardedProgram } from '../../sandbox/src/process/guarded.mts';
import { startGuardedProcess } from '../../tools/process/running-process.mts';
import { freePort } from '../../tools/network/ports.mts';
import type { Resources } from './resources.mts';
import { temporaryFolder } from './temporary-folder.mts';

/** Debian's folders for PostgreSQL servers, which are not on the path; one folder for each version. */
const DEBIAN_FOLDERS = '/usr/lib/postgresql/*/bin';

/** Finds a program on the path, or in Debian's folders. @throws Error that names the package to install if it is missing. */
export async function findProgram(name: string, debianPackage: string): Promise<string> {
	const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	for await (const folder of glob(DEBIAN_FOLDERS)) folders.push(folder);
	for (const folder of folders) {
		const program = join(folder, name);
		const isThere = await access(program, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (isThere) return program;
	}
	throw new Error(
		`"${name}" is not installed. Install the Debian package ${debianPackage}: apt-get install ${debianPackage}`,
	);
}

/** A database that exists on every new PostgreSQL server. */
const DATABASE = 'postgres';
const USER = 'n8n';

/** The user to run PostgreSQL as. PostgreSQL refuses root, so for root this is the user that its Debian package creates. */
async function serverUser(): Promise<{ uid?: number; gid?: number }> {
	if (process.getuid?.() !== 0) return {};
	const [uid, gid] = await Promise.all(
		['-u', '-g'].map(async (flag) => Number((await execa('id', [flag, 'postgres'])).stdout)),
	);
	return { uid, gid };
}

/** Starts a PostgreSQL server with an empty database, for this machine only. @returns the settings with which n8n connects to it. */
export async function startPostgres(resources: Resources): Promise<Record<string, string>> {
	const [initdb, postgres] = await Promise.all(
		['initdb', 'postgres'].map((name) => findProgram(name, 'postgresql')),
	);
	const { path: folder } = await resources.use(temporaryFolder('postgres'));
	const user = await serverUser();
	if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	const create = ['--pgdata', data, '--username', USER, '--auth', 'trust', '--no-sync'];
	await execa(initdb, create, { ...user, cwd: folder });
	const port = String(await freePort());
	const program: GuardedProgram = {
		command: postgres,
		args: ['-D', data, '-p', port, '-h', '127.0.0.1', '-k', ''],
		...user,
		cwd: folder,
		// SIGINT also ends n8n's connections, instead of waiting for them to end.
		signal: 'SIGINT',
	};
	await resources.use(
		startGuardedProcess(program, {
			logFile: join(folder, 'postgres.log'),
			readyText: 'database system is ready to accept connections',
		}),
	);
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: port,
		DB_POSTGRESDB_DATABASE: DATABASE,
		DB_POSTGRESDB_USER: USER,
		// On a busy machine, n8n can wait for a free connection for longer than its 20 seconds.
		DB_POSTGRESDB_CONNECTION_TIMEOUT: '600000',
	};
}

/** Starts a Redis server that keeps nothing on disk. @returns the settings with which n8n connects to it. */
export async function startRedis(resources: Resources): Promise<Record<string, string>> {
	const command = await findProgram('redis-server', 'redis-server');
	const { path: folder } = await resources.use(temporaryFolder('redis'));
	const port = String(await freePort());
	const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
	await resources.use(
		startGuardedProcess(
			{ command, args },
			{ logFile: join(folder, 'redis.log'), readyText: 'Ready to accept connections' },
		),
	);
	return { QUEUE_BULL_REDIS_HOST: '127.0.0.1', QUEUE_BULL_REDIS_PORT: port };
}
