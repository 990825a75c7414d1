/** PostgreSQL whose machine, or the machine of another process, falls silent: no connection ends, and none answers. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { openDatabase } from '../../service/src/store/open.mts';
import type { Database } from '../../service/src/store/tables.mts';
import { addUser, allUsers } from '../../service/src/store/users.mts';
import { lockWallet } from '../../service/src/store/wallets.mts';
import { inTests, Resources, useResources } from '../support/resources.mts';
import { postgresUrl } from './support/network-and-service.mts';

/** An answer to a write is due. */
const ANSWER_MS = 25_000;

const resources = useResources();
const url = inTests(beforeAll, async () => await postgresUrl(resources));

async function opened(own: Resources, location: string): Promise<Database> {
	const db = await openDatabase(location);
	await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	return db;
}

/** A network between the service and PostgreSQL, whose connections can fall silent. */
async function startCable(own: Resources) {
	const { port, hostname } = new URL(url());
	const pairs: [Socket, Socket][] = [];
	const server = createServer((socket) => {
		const other = connect(Number(port), hostname);
		for (const one of [socket, other]) one.on('error', () => undefined);
		socket.pipe(other).pipe(socket);
		pairs.push([socket, other]);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	await own.use({
		async [Symbol.asyncDispose]() {
			for (const socket of pairs.flat()) socket.destroy();
			server.close();
		},
	});
	const through = new URL(url());
	through.port = String((server.address() as AddressInfo).port);
	return {
		url: String(through),
		cut(): void {
			for (const [socket, other] of pairs) {
				socket.unpipe(other).pause();
				other.unpipe(socket).pause();
			}
		},
	};
}

test('a connection that has fallen silent is given up, and another one is used', async () => {
	await using own = new Resources();
	const cable = await startCable(own);
	const db = await opened(own, cable.url);
	expect(await allUsers(db)).toEqual([]);
	cable.cut();
	const begun = performance.now();
	await expect(allUsers(db)).rejects.toThrow(Error);
	expect(performance.now() - begun).toBeLessThan(ANSWER_MS + 1_000);
	expect(await allUsers(db)).toEqual([]);
});

test('a process that stops within a transaction does not lock a wallet for ever', async () => {
	await using own = new Resources();
	const [stopped, other] = [await opened(own, url()), await opened(own, url())];
	const user = { id: 'LOCAL-anna', provider: 'LOCAL', username: 'anna', email: null };
	const { index } = await addUser(other, user, async () => `0x${'1'.repeat(40)}`);
	const locked = Promise.withResolvers<undefined>();
	const resumed = Promise.withResolvers<undefined>();
	await own.use({ [Symbol.asyncDispose]: async () => resumed.resolve(undefined) });
	const transaction = stopped.transaction().execute(async (queries) => {
		await lockWallet(queries, index);
		locked.resolve(undefined);
		await resumed.promise;
		await lockWallet(queries, index);
	});
	await locked.promise;
	await lockWallet(other, index);
	resumed.resolve(undefined);
	await expect(transaction).rejects.toThrow(Error);
});
