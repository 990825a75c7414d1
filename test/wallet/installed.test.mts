/** The service as an operator installs it: the built file, and the units of systemd. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '../../tools/files/paths.mts';
import { inTests, useResources } from '../support/resources.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { install } from './support/network-and-service.mts';

const FILE = join(root, 'service/dist/wallet-service.mjs');

/** Has a process take itself for one of Node.js 20. */
const OLD = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
Object.defineProperty(process, 'version', { value: 'v20.20.2' });`;

const resources = useResources();
const installed = inTests(beforeAll, async () => await install(resources, 'sqlite'));

beforeAll(async () => {
	await execa(process.execPath, [join(root, 'tools/process/build-service.mts')]);
});

test('the built file says on one line that Node.js is too old', async () => {
	const options = { reject: false, all: true } as const;
	const { all: help, exitCode } = await execa(process.execPath, [FILE, '--help'], options);
	expect(help).toMatch(/^wallet-service <command>/);
	expect(exitCode).toBe(0);
	const old = ['--import', `data:text/javascript,${encodeURIComponent(OLD)}`];
	const refused = await execa(process.execPath, [...old, FILE, 'status'], options);
	expect(refused.exitCode).toBe(1);
	expect(refused.all).toBe('The wallet service needs Node.js 24 or newer; this is v20.20.2');
	// What an older one would have to read contains nothing that it does not know.
	const text = await readFile(FILE, 'utf8');
	expect(text).not.toMatch(/node:sqlite|\busing\b/);
});

test('the nightly backup is verified with the password of the service', async () => {
	const { service } = installed();
	const { path: folder } = await resources.use(temporaryFolder('units'));
	const unit = await readFile(join(root, 'service/wallet-service-backup.service'), 'utf8');
	const copies = join(folder, 'copies');
	const credentials = join(folder, 'credentials');
	const setting = (name: string) =>
		new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]?.replaceAll(/([%$])\1/g, '$1') ?? '';
	// As systemd does it.
	const [credential = '', source] = setting('LoadCredential').split(':');
	expect(source).toBe('/etc/wallet-service/password');
	for (const one of [copies, credentials]) await mkdir(one);
	const { WALLET_PASSWORD_FILE: password = '', ...environment } = service.environment;
	await writeFile(join(credentials, credential), await readFile(password), { mode: 0o600 });
	const [, script = ''] = /^\/bin\/sh -ec '(.*)'$/.exec(setting('ExecStart')) ?? [];
	const run = async () => {
		const here = script
			.replaceAll('/usr/bin/node /opt/wallet-service/service/dist/wallet-service.mjs', '"$0" "$1"')
			.replaceAll('/var/backups/wallet-service', copies);
		const env = { ...environment, CREDENTIALS_DIRECTORY: credentials };
		const args = ['-ec', here, process.execPath, FILE];
		return await execa('/bin/sh', args, { env, extendEnv: false, reject: false });
	};
	const done = await run();
	expect(done.stdout).toMatch(/^Intact +SQLite.*\n[^]*^Keys +fit all 1 wallets/m);
	expect(done.exitCode).toBe(0);
	const [copy = '', ...others] = await readdir(copies);
	expect(others).toEqual([`${copy}.sha256`]);
	await writeFile(join(credentials, credential), 'another one');
	expect((await run()).exitCode).toBe(1);
});
