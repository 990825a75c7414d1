/** Every answered write is on the disk: the commits are synced, as counted by strace. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '../../tools/files/paths.mts';
import { inTests, useResources } from '../support/resources.mts';
import { findProgram } from '../support/servers.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
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
	const command = join(root, 'service', 'src', 'cli', 'main.mts');
	const args = ['-f', '-e', 'trace=fsync,fdatasync', '-o', log, process.execPath, command];
	const traced = execa(strace, args, {
		env: service.environment,
		extendEnv: false,
		stdin: 'ignore',
		lines: true,
		reject: false,
	});
	for await (const line of traced) if (line.startsWith('Wallet service')) break;
	const syncs = async () =>
		(await readFile(log, 'utf8')).match(/\b(?:fsync|fdatasync)\(/g)?.length ?? 0;
	const before = await syncs();
	for (let number = 1; number <= WRITES; number++) {
		const told = await pay(service.url, payer, `${number}`, payloadOf(number), PATIENCE_MS);
		expect(told).toMatchObject({ status: 'SUCCESS' });
	}
	expect((await syncs()) - before).toBeGreaterThanOrEqual(WRITES);
	traced.kill('SIGTERM');
	await traced;
});
