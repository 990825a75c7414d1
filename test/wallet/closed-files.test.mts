/** Who else may read what the service keeps: nobody, however it is installed. */
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inTests, useResources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { emptyHome, run } from './support/command-line.mts';
import { install } from './support/network-and-service.mts';

const resources = useResources();
const installed = inTests(beforeAll, async () => await install(resources, 'sqlite'));

test('a data folder that others can read or change is refused', async () => {
	const env = installed().service.environment;
	const { WALLET_HOME: home = '' } = env;
	for (const mode of [0o755, 0o770, 0o702]) {
		await chmod(home, mode);
		const { lines: ofFolder } = await run(['status'], env);
		await chmod(home, 0o700);
		expect(ofFolder).toEqual([`The data folder ${home} can be read by others: chmod 700 ${home}`]);
	}
});

test('a password of systemd or of a container may show rights of a group', async () => {
	const { WALLET_PASSWORD_FILE: password = '', ...env } = installed().service.environment;
	const { path: folder } = await resources.use(temporaryFolder('credentials'));
	const file = join(folder, 'wallet-password');
	await writeFile(file, await readFile(password));
	await chmod(file, 0o440);
	const add = async (id: string, more: NodeJS.ProcessEnv) =>
		(await run(['user', 'add', id], { ...env, ...more })).lines.at(-1);
	const own = { CREDENTIALS_DIRECTORY: folder };
	expect(await add('LOCAL-s', own)).toMatch(/^User LOCAL-s has the wallet/);
	expect(await add('LOCAL-t', { ...own, WALLET_PASSWORD_FILE: file })).toMatch(/^User LOCAL-t/);
	expect(await add('LOCAL-u', { WALLET_PASSWORD_FILE: file })).toMatch(/chmod 600/);
});

test('an empty folder that others can read, as a new volume of a container is, is closed', async () => {
	const { env } = await emptyHome(resources);
	await mkdir(env.WALLET_HOME, { mode: 0o755 });
	const rpc = ['--rpc', installed().network.rpcUrl];
	expect((await run(['init', '--yes', ...rpc], env)).exitCode).toBe(0);
	expect((await stat(env.WALLET_HOME)).mode & 0o777).toBe(0o700);
	expect((await run(['user', 'list'], env)).exitCode).toBe(0);
});
