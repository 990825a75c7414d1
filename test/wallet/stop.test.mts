/** A stop by a signal, and the log: one line for each write, without secrets. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { spawn } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import axios from 'axios';
import { Transaction, toQuantity } from 'ethers';
import { Resources } from '../support/resources.mts';
import { until } from '../support/until.mts';
import { walletCommand } from '../../tools/wallet/installed-service.mts';
import { openHome } from '../../service/src/cli/open-home.mts';
import { untilReplaced } from '../../service/src/store/database-file.mts';
import { openDatabase } from '../../service/src/store/open.mts';
import { startEndpoint } from './support/endpoint.mts';
import { useInstallation } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';

const PATIENCE_MS = 60_000;
const GRACE_MS = 10_000;
const LONG_KEY = 'order of somebody whose name is in the key';

const installed = useInstallation('sqlite');

/** Whether a service accepts no connections. */
async function isRefused(url: string): Promise<boolean> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	try {
		await once(socket, 'connect');
		return false;
	} catch {
		return true;
	} finally {
		socket.destroy();
	}
}

test('SIGTERM: open requests are answered, no new ones accepted, and the service ends with 0', async () => {
	const { service, network, payers } = installed();
	const [payer] = payers;
	if (!payer) throw new Error('There is no user');
	await using resources = new Resources();
	let isHeld = false;
	const held = Promise.withResolvers<undefined>();
	const sending = Promise.withResolvers<undefined>();
	const endpoint = await resources.use(
		startEndpoint(network.rpcUrl, ({ method }) => {
			if (method !== 'eth_sendRawTransaction' || isHeld) return undefined;
			isHeld = true;
			sending.resolve(undefined);
			return held.promise.then(() => ({ error: { code: -1, message: 'busy' } }));
		}),
	);
	const running = await service.start(undefined, { RPC_URL: endpoint.url });
	const answer = pay(service.url, payer, 'held', payloadOf(1), PATIENCE_MS);
	await sending.promise;
	const begun = performance.now();
	process.kill(running.pid, 'SIGTERM');
	await until(async () => await isRefused(service.url));
	held.resolve(undefined);
	expect(await answer).toMatchObject({ hash: expect.stringMatching(/^0x/) });
	expect(await running.ended).toEqual([0, null]);
	// It does not wait for the connection that the caller keeps open.
	expect(performance.now() - begun).toBeLessThan(GRACE_MS);
});

test('a request that is still arriving at a stop is answered as any other', async () => {
	const { service, payers } = installed();
	const running = await service.start();
	const { hostname, port } = new URL(service.url);
	const socket = connect(Number(port), hostname);
	await once(socket, 'connect');
	socket.write(`GET /v1/users/LOCAL-0 HTTP/1.1\r\nHost: localhost\r\n`);
	// The service has the first half when it answers a later request.
	await axios.get(`${service.url}/healthz`);
	process.kill(running.pid, 'SIGTERM');
	await until(async () => await isRefused(service.url));
	socket.write(`Authorization: Bearer ${payers[0]?.token}\r\n\r\n`);
	expect(await text(socket)).toMatch(/^HTTP\/1.1 200 .*"id":"LOCAL-0"/s);
	expect(await running.ended).toEqual([0, null]);
});

test('it ends with 1 if its database file is replaced, and starts again once it is back', async () => {
	const { service } = installed();
	const running = await service.start();
	const aside = `${service.database}-aside`;
	await rename(service.database, aside);
	await writeFile(service.database, '');
	expect(await running.ended).toEqual([1, null]);
	await rename(aside, service.database);
	await using again = await service.start();
	expect(await isRefused(service.url)).toBe(false);
	expect(again.pid).toBeGreaterThan(0);
});

test('a database file that is replaced while the service still starts is noticed too', async () => {
	const { service } = installed();
	await using open = await openHome(service.environment);
	const aside = `${service.database}-aside`;
	await rename(service.database, aside);
	await writeFile(service.database, '');
	if (!open.file) throw new Error('The database is not a file');
	await expect(untilReplaced(open.file)).rejects.toThrow('was replaced or moved');
	await rename(aside, service.database);
});

/** Starts the service with its log. */
async function startLogging() {
	const env = { ...installed().service.environment, LOG_LEVEL: 'info' };
	const child = spawn(process.execPath, [await walletCommand()], { env });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (text: Buffer) => (output += String(text)));
	}
	await until(async () => output.includes('Wallet service for'));
	return {
		output: () => output,
		lines: () =>
			output.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])),
		async stop(): Promise<void> {
			child.kill('SIGTERM');
			await once(child, 'exit');
		},
	};
}

test('the log has a line for each write and its end, and no token, phrase, key, data or signed bytes', async () => {
	const { service, network, payers } = installed();
	const [payer] = payers;
	if (!payer) throw new Error('There is no user');
	const { output, lines, stop } = await startLogging();
	const payload = payloadOf(2);
	const told = await pay(service.url, payer, LONG_KEY, payload, PATIENCE_MS);
	const refused = { ...payer, token: 'wsp_wrong' };
	await pay(service.url, refused, 'refused', payload, PATIENCE_MS);
	await axios.get(`${service.url}/v1/users/${payer.id}`, {
		headers: { authorization: `Bearer ${payer.token}` },
	});
	await network.provider.send('anvil_mine', [toQuantity(70)]);
	await until(async () => lines().some(({ msg, outcome }) => msg === 'write ended' && outcome));
	await stop();
	const [line, ...others] = lines().filter(({ msg }) => msg === 'write');
	expect(others).toEqual([]);
	expect(line).toMatchObject({ user: payer.id, hash: told.hash, state: 'accepted' });
	expect(line.key).toBe(`${LONG_KEY.slice(0, 20)}...`);
	expect(line.contract).toMatch(/^0x/);
	const db = await openDatabase(service.database);
	const attempts = await db.selectFrom('attempts').select('raw').execute();
	await db.destroy();
	const signed = attempts.map(({ raw }) => Transaction.from(raw));
	for (const secret of [
		...[payer.token, payer.key.slice(2), payload.slice(2), LONG_KEY, 'wsp_wrong'],
		...signed.flatMap(({ serialized, signature }) => [serialized, signature?.r.slice(2) ?? '']),
	]) {
		expect(output()).not.toContain(secret);
	}
});

test('the log has a line for a wallet that is closed at the start', async () => {
	const { network, payers } = installed();
	const [{ address } = {}] = payers;
	await network.provider.send('anvil_setNonce', [address, '0x63']);
	const { lines, stop } = await startLogging();
	const closed = () => lines().filter(({ msg }) => msg === 'wallet closed');
	await until(async () => closed().length > 0);
	await stop();
	expect(closed()).toMatchObject([
		{ level: 40, wallet: address, reason: expect.stringMatching(/^The chain has 99 transactions/) },
	]);
});
