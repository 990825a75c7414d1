/** Every answered write is on the disk: the commits are synced, as counted by strace. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startLoggedProcess } from '../../tools/process/running-process.mts';
import { inTests, useResources } from '../support/resources.mts';
import { findProgram } from '../support/servers.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { walletCommand } from '../../tools/wallet/installed-service.mts';
import { install } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';

const WRITES = 20;
const PATIENCE_MS = 60_000;

const resources = useResources();
const installed = inTests(beforeAll, async () => await install(resources, 'sqlite'));

test('SQLite syncs the disk at least once for each answered write', async () => {
	const { service, payers } = installed();
	const [payer] = payers;
	if (!payer) throw new Error('There is no user');
	const strace = await findProgram('strace', 'strace');
	const { path: folder } = await resources.use(temporaryFolder('strace'));
	const log = join(folder, 'calls');
	const command = await walletCommand();
	const args = ['-f', '-e', 'trace=fsync,fdatasync', '-o', log, process.execPath, command];
	const options = { logFile: join(folder, 'service.log'), readyText: 'Wallet service for' };
	const env = service.environment;
	const traced = await resources.use(startLoggedProcess(strace, args, { ...options, env }));
	const syncs = async () =>
		(await readFile(log, 'utf8')).match(/\b(?:fsync|fdatasync)\(/g)?.length ?? 0;
	const before = await syncs();
	for (let number = 1; number <= WRITES; number++) {
		const told = await pay(service.url, payer, `${number}`, payloadOf(number), PATIENCE_MS);
		expect(told).toMatchObject({ status: 'SUCCESS' });
	}
	expect((await syncs()) - before).toBeGreaterThanOrEqual(WRITES);
	await traced.stop();
});
