/** PostgreSQL as people set it up: other encodings, wrong URLs, passwords with any characters, and connections that end. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { openDatabase } from '../../service/src/store/open.mts';
import { addUser, allUsers } from '../../service/src/store/users.mts';
import { startNetwork } from '../../tools/wallet/network.mts';
import { inTests, Resources, useResources } from '../support/resources.mts';
import { findProgram } from '../support/servers.mts';
import { until } from '../support/until.mts';
import { emptyHome, run } from './support/command-line.mts';
import { postgresUrl } from './support/network-and-service.mts';

const PASSWORD = 'S3cret/with@all:of#it?100%';
const resources = useResources();
const url = inTests(beforeAll, async () => await postgresUrl(resources));
const network = inTests(beforeAll, async () => await resources.use(startNetwork(0)));

async function opened(own: Resources, location: string) {
	const db = await openDatabase(location);
	await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	return db;
}

/** Asks the server as an administrator. */
async function ask(statement: string): Promise<string> {
	const psql = await findProgram('psql', 'postgresql-client');
	return (
		await execa(psql, [url(), '--no-psqlrc', '--tuples-only', '-c', statement])
	).stdout.trim();
}

/** Makes the server ask a new user for a password. */
async function userWithPassword(): Promise<void> {
	await ask(`CREATE USER anna SUPERUSER PASSWORD '${PASSWORD}'`);
	const rules = ['host all anna 127.0.0.1/32 scram-sha-256', 'host all all 127.0.0.1/32 trust'];
	const values = rules.map((rule) => `('${rule}')`).join();
	await ask(`COPY (VALUES ${values}) TO '${await ask('SHOW hba_file')}'`);
	await ask('SELECT pg_reload_conf()');
}

/** The URL of the server with other parts. */
function urlWith(parts: Partial<Pick<URL, 'username' | 'password' | 'host' | 'pathname'>>): string {
	return String(Object.assign(new URL(url()), parts));
}

/** What `init` prints with a database. */
async function initWith(database: string) {
	const { env } = await emptyHome(resources);
	const { rpcUrl } = network();
	return await run(['init', '--yes', '--rpc', rpcUrl], { ...env, DATABASE_URL: database });
}

test('a database with another encoding is refused, by init and at the start', async () => {
	await ask("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'");
	const latin = urlWith({ pathname: '/latin' });
	const line =
		/^The PostgreSQL database has the encoding LATIN1, not UTF8: create one with createdb/;
	expect(await initWith(latin)).toEqual({ exitCode: 1, lines: [expect.stringMatching(line)] });
	const { env } = await emptyHome(resources);
	expect((await run(['init', '--yes', '--rpc', network().rpcUrl], env)).exitCode).toBe(0);
	const started = await run([], { ...env, DATABASE_URL: latin });
	expect(started).toEqual({ exitCode: 1, lines: [expect.stringMatching(line)] });
});

describe('a user with a password', () => {
	beforeAll(userWithPassword);

	test('any character works percent-encoded', async () => {
		await using own = new Resources();
		const encoded = urlWith({ username: 'anna', password: encodeURIComponent(PASSWORD) });
		expect(await allUsers(await opened(own, encoded))).toEqual([]);
	});

	const UNREADABLE = /^The setting "database" \(DATABASE_URL\) is not a URL that can be read: /;
	test.each<[what: string, database: () => string, line: RegExp]>([
		[
			'a wrong password',
			() => urlWith({ username: 'anna', password: 'S3cret%2Fwith' }),
			/^PostgreSQL refuses the user name or the password in the setting "database" \(DATABASE_URL\)$/,
		],
		['no password', () => urlWith({ username: 'anna' }), /^PostgreSQL refuses the user name or/],
		[
			'a host that is part of the password',
			() => urlWith({ username: 'anna', host: 's3cret.invalid:1' }),
			/^No PostgreSQL server answers at the address in the setting "database" \(DATABASE_URL\)/,
		],
		[
			'a port that is part of the password',
			() => urlWith({ host: '127.0.0.1:1' }),
			/^No PostgreSQL server answers at the address in .+ \(ECONNREFUSED\)$/,
		],
		[
			'a database that is part of the password',
			() => urlWith({ pathname: '/S3cret' }),
			/^PostgreSQL has no database with the name in the setting "database" \(DATABASE_URL\)$/,
		],
		['a password as it is', () => url().replace('n8n@', `anna:${PASSWORD}@`), UNREADABLE],
		['a slash behind digits', () => url().replace('n8n@', 'anna:12/S3cret@'), UNREADABLE],
		['a percent sign alone', () => url().replace('n8n@', 'anna:S3cret%@'), UNREADABLE],
		['no UTF-8', () => url().replace('n8n@', 'anna:S3cret%ff@'), UNREADABLE],
	])('%s is reported on one line without the password', async (_what, database, line) => {
		const { exitCode, lines } = await initWith(database());
		expect(exitCode).toBe(1);
		expect(lines).toEqual([expect.stringMatching(line)]);
		expect(lines.join()).not.toMatch(/S3cret|with@|all:of|:12|:1\b/i);
	});
});

test.each(['RPC_URL', 'DATABASE_URL'])('a percent sign alone in %s names it', async (variable) => {
	const { env } = await emptyHome(resources);
	const { rpcUrl } = network();
	expect((await run(['init', '--yes', '--rpc', rpcUrl], env)).exitCode).toBe(0);
	const wrong = variable === 'RPC_URL' ? rpcUrl : url().replace('n8n@', '');
	const given = { ...env, [variable]: wrong.replace('//', '//anna:S3cret%@') };
	const { exitCode, lines } = await run([], given);
	expect(exitCode).toBe(1);
	expect(lines).toEqual([expect.stringMatching(`\\(${variable}\\) is not a URL that can be read`)]);
	expect(lines.join()).not.toContain('S3cret');
});

/** A network between the service and PostgreSQL, whose connections can be cut. */
async function startCable(own: Resources) {
	const { port, hostname } = new URL(url());
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		const other = connect(Number(port), hostname);
		for (const one of [socket, other]) sockets.add(one.on('error', () => undefined));
		socket.pipe(other).pipe(socket);
	});
	const listen = async (at = 0) => {
		await once(server.listen(at, '127.0.0.1'), 'listening');
		const { port: used } = server.address() as AddressInfo;
		return used;
	};
	const used = await listen();
	const cut = () => {
		for (const socket of sockets) socket.destroy();
		sockets.clear();
	};
	await own.use({
		async [Symbol.asyncDispose]() {
			cut();
			server.close();
		},
	});
	return {
		url: urlWith({ host: `127.0.0.1:${used}` }),
		cut,
		/** Refuses connections for a moment, as a server does that restarts. */
		async restart(ms: number): Promise<void> {
			cut();
			server.close();
			await setTimeout(ms);
			await listen(used);
		},
	};
}

describe('a connection that ended', () => {
	const ANNA = { id: 'LOCAL-anna', provider: 'LOCAL', username: 'anna', email: null };
	const addressOf = async () => `0x${'1'.repeat(40)}`;
	/** More than the pool has. */
	const MANY = Array.from({ length: 30 });

	test('is replaced for reads, and for transactions that begin', async () => {
		await using own = new Resources();
		const cable = await startCable(own);
		const db = await opened(own, cable.url);
		const readMany = async () => await Promise.all(MANY.map(async () => await allUsers(db)));
		await readMany();
		cable.cut();
		expect(new Set((await readMany()).map(({ length }) => length))).toEqual(new Set([0]));
		cable.cut();
		expect(await addUser(db, ANNA, addressOf)).toMatchObject({ address: await addressOf() });
		expect(await allUsers(db)).toHaveLength(1);
	});

	test('is replaced while a statement reads, and while the server restarts', async () => {
		await using own = new Resources();
		const cable = await startCable(own);
		const db = await opened(own, cable.url);
		const sleep = async () =>
			await db.selectNoFrom(({ fn, val }) => fn('pg_sleep', [val(0.5)]).as('slept')).execute();
		const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%"slept"'`;
		const slept = sleep();
		await until(async () => (await ask(end)) === 't');
		expect(await slept).toHaveLength(1);
		const restarted = cable.restart(300);
		expect(await allUsers(db)).toHaveLength(1);
		await restarted;
	});

	test('is not replaced for a statement that may have written', async () => {
		await using own = new Resources();
		const cable = await startCable(own);
		const db = await opened(own, cable.url);
		const add = async () =>
			await db.insertInto('meta').values({ name: 'probe', value: '1' }).execute();
		await allUsers(db);
		cable.cut();
		await expect(add()).rejects.toThrow(/terminated|ECONNRESET|EPIPE|not queryable/);
		await add();
	});
});
