/** The commands of the wallet service: what they refuse, and that nothing is half made. */
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { HDNodeWallet, Mnemonic } from 'ethers';
import { startLocalServer } from '../../tools/network/local-server.mts';
import { inTests, useResources } from '../support/resources.mts';
import { startNetwork } from '../../tools/wallet/network.mts';
import { emptyHome, run } from './support/command-line.mts';
import { install } from './support/network-and-service.mts';

const PHRASE = `${'test '.repeat(11)}junk`;

/** The environment of `npm run service`. */
const BY_NPM = { npm_lifecycle_event: 'service' };
const LIMIT = ['--per-day', '1 native'];

const resources = useResources();
const installed = inTests(beforeAll, async () => await install(resources, 'sqlite'));

/** A new service from a phrase, and the wallets that it must have. */
async function ofPhrase() {
	const { folder, env } = await emptyHome(resources);
	const phrase = HDNodeWallet.createRandom().mnemonic?.phrase ?? '';
	await writeFile(join(folder, 'phrase'), `${phrase}\n`);
	const { rpcUrl } = installed().network;
	const from = ['--phrase-file', join(folder, 'phrase')];
	expect((await run(['init', '--yes', '--rpc', rpcUrl, ...from], env)).exitCode).toBe(0);
	const walletAt = (index: number) =>
		HDNodeWallet.fromPhrase(phrase, undefined, `m/44'/60'/${index}'/0/0`);
	return { env, rpcUrl, walletAt };
}

describe('a service', () => {
	const environment = () => installed().service.environment;

	test('the key file, the settings and the database can be read by their owner only', async () => {
		const { WALLET_HOME: home = '' } = environment();
		for (const file of ['seed.json', 'config.json', 'wallet-service.sqlite']) {
			expect((await stat(join(home, file))).mode & 0o777).toBe(0o600);
		}
	});

	test('wallets have the addresses of the recovery phrase, one hardened account each', async () => {
		const { env, walletAt } = await ofPhrase();
		for (const [index, name] of ['LOCAL-a', 'LOCAL-b'].entries()) {
			const { lines } = await run(['user', 'add', name], env);
			expect(lines.at(-1)).toContain(walletAt(index).address);
		}
	});

	test('a new user whose wallet was used before is pointed out', async () => {
		const { env, rpcUrl, walletAt } = await ofPhrase();
		const params = [walletAt(1).address, '0x7'];
		const body = { jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params };
		await axios.post(rpcUrl, body);
		const added = [];
		for (const name of ['LOCAL-a', 'LOCAL-b']) added.push(await run(['user', 'add', name], env));
		const isPointedOut = added.map(({ lines }) =>
			lines.some((line) => line.startsWith('This wallet was used before: 0 transactions')),
		);
		expect(isPointedOut).toEqual([false, true]);
	});

	test('users, tokens and wallets are listed; tokens are not kept', async () => {
		const env = environment();
		const [token = ''] = (await run(['token', 'create', 'LOCAL-0'], env)).lines.slice(-1);
		expect(token).toMatch(/^wsp_[\w-]{43}[0-9a-z]{7}$/);
		const { lines } = await run(['token', 'list', 'LOCAL-0'], env);
		expect(lines.at(-1)).toContain(token.slice(0, 10));
		const database = await readFile(join(env.WALLET_HOME ?? '', 'wallet-service.sqlite'), 'latin1');
		expect(database).not.toContain(token);
		expect((await run(['user', 'list'], env)).lines[0]).toMatch(/^LOCAL-0 {2}0x[0-9a-fA-F]{40}/);
		expect((await run(['wallet', 'list'], env)).lines[0]).toMatch(/^seed:0 {2}0x/);
		expect((await run(['status'], env)).lines.join('\n')).toMatch(/Users +1, 0 disabled/);
		const { lines: keys } = await run(['wallet', 'export', 'LOCAL-0', '--yes'], env);
		expect(keys.at(-1)).toMatch(/^0x[0-9a-f]{64}$/);
	});

	test('a disabled user gets no token, until the user is enabled again', async () => {
		const env = environment();
		await run(['user', 'disable', 'LOCAL-0'], env);
		const create = ['token', 'create', 'LOCAL-0'];
		const refused = await run(create, env);
		expect(refused.lines).toEqual([
			expect.stringMatching(/^User LOCAL-0 is disabled: .* user enable LOCAL-0$/),
		]);
		expect((await run(['user', 'enable', 'LOCAL-0'], env)).lines[0]).toMatch(/ is enabled: /);
		expect((await run(create, env)).exitCode).toBe(0);
		expect((await run(['user', 'list'], env)).lines[0]).not.toContain('disabled');
	});

	test.each<[args: string[], env: NodeJS.ProcessEnv, line: RegExp]>([
		[['nonsense'], {}, /^There is no command "nonsense": see wallet-service --help$/],
		[['nonsense'], BY_NPM, /^There is no command "nonsense": see npm run service -- --help$/],
		[['user', 'add'], {}, /^"user add" takes one argument/],
		[['user', 'add', 'anna'], {}, /^"anna" is not a user ID/],
		[['user', 'add', 'LOCAL-0'], {}, /^User LOCAL-0 exists already$/],
		...[' ', '\u00a0', '\t', '\u200b', '\u202e', '\u3164', '\ufe0f', '\u2800', '\u00ad'].map(
			(unseen): [string[], NodeJS.ProcessEnv, RegExp] => [
				['user', 'add', `LOCAL-an${unseen}na`],
				{},
				/^"LOCAL-an·na" is not a user ID: it has a space or an invisible character/,
			],
		),
		[['user', 'add', 'LOCAL-anna '], {}, /^"LOCAL-anna·" is not a user ID/],
		[['user', 'add', 'LOCAL-a\nna'], {}, /^"LOCAL-a·na" is not a user ID/],
		...['', ' ', 'a\nb', 'a\u001b[2Jb', 'a\u2028b', 'a\u202eb', 'a'.repeat(201)].flatMap((text) =>
			['name', 'email'].map((option): [string[], NodeJS.ProcessEnv, RegExp] => [
				['user', 'add', 'LOCAL-named', `--${option}`, text],
				{},
				new RegExp(`^--${option} must be one line`),
			]),
		),
		[['user', 'disable', 'LOCAL-9'], {}, /^There is no user LOCAL-9$/],
		[['user', 'enable', 'LOCAL-9'], {}, /^There is no user LOCAL-9$/],
		[['token', 'create', 'LOCAL-9'], {}, /^There is no user LOCAL-9$/],
		[['token', 'create', 'LOCAL-0', '--expires', 'soon'], {}, /^"soon" is not a lifetime/],
		[['token', 'create', 'LOCAL-0', '--scope', 'all'], {}, /^"all" is not a scope/],
		[
			['token', 'create', 'LOCAL-0', '--scope', 'operator', ...LIMIT],
			{},
			/^The scope "operator" does not write/,
		],
		[
			['token', 'create', 'LOCAL-0', '--scope', 'read', ...LIMIT],
			{},
			/^The scope "read" does not write/,
		],
		[['verify-backup', 'x', '--phrase-file', '/nowhere'], {}, /^x cannot be read$/],
		[['backup', ''], {}, /^The file name is empty$/],
		[['backup', '/nowhere/copy'], {}, /^There is no folder \/nowhere: create it first/],
		[['token', 'revoke', '1'], {}, /^There is no valid token 1$/],
		[['wallet', 'export', 'LOCAL-0'], {}, /^The export of a private key needs --yes$/],
		[['status', '--name', 'x'], {}, /^"status" has no option --name$/],
		[['status', '--nam', 'x'], {}, /^Unknown option '--nam'/],
		[['init', '--yes', '--rpc', 'http://127.0.0.1:1'], {}, /is not empty: set WALLET_HOME/],
		[[], { PORT: 'http' }, /^The setting "port" \(PORT\)/],
		[[], { LOG_LEVEL: 'loud' }, /^The setting "logLevel" \(LOG_LEVEL\)/],
		[[], { RPC_URL: 'wss://rpc.example' }, /^The setting "rpc" \(RPC_URL\)/],
		[[], { DATABASE_URL: 'mysql://x' }, /^The setting "database" \(DATABASE_URL\)/],
		[[], { WALLET_PASWORD_FILE: '/x' }, /^There is no setting WALLET_PASWORD_FILE$/],
		[[], { RPC_URL: 'http://127.0.0.1:1' }, /^No chain answers at 127\.0\.0\.1:1$/],
		[[], { WALLET_PASSWORD_FILE: '/nowhere' }, /^The password file \/nowhere cannot be read$/],
		[[], { WALLET_PASSWORD_FILE: '' }, /^There is no password: set WALLET_PASSWORD_FILE/],
		[[], { WALLET_PASSWORD_FILE: '', WALLET_PASSWORD: 'wrong one' }, /does not open the key file/],
		[[], { HOST: '192.0.2.1' }, /^This machine has no address 192\.0\.2\.1; set HOST/],
		[[], { WALLET_HOME: '/nowhere' }, /in \/nowhere: run "wallet-service init" first$/],
		[[], { WALLET_HOME: '/nowhere', ...BY_NPM }, /: run "npm run service -- init" first$/],
	])('%j with %j ends with one line and exit code 1', async (args, env, line) => {
		const { exitCode, lines } = await run(args, { ...environment(), ...env });
		expect(exitCode).toBe(1);
		expect(lines.at(-1)).toMatch(line);
		expect(lines.filter((one) => !one.startsWith('WALLET_PASSWORD'))).toHaveLength(1);
	});

	test('a busy port, and a key or password file that others can read, are refused', async () => {
		const env = environment();
		await using server = await startLocalServer((_request, response) => void response.end());
		const port = new URL(server.url).port;
		expect((await run([], { ...env, PORT: port })).lines).toEqual([
			`Port ${port} is in use; set PORT to another port, or to 0 for any free port`,
		]);
		const file = join(env.WALLET_HOME ?? '', 'seed.json');
		await chmod(file, 0o644);
		const { lines } = await run([], env);
		await chmod(file, 0o600);
		expect(lines).toEqual([`The key file ${file} can be read by others: chmod 600 ${file}`]);
		const { WALLET_PASSWORD_FILE: password = '' } = env;
		await chmod(password, 0o640);
		const { lines: ofPassword } = await run([], env);
		await chmod(password, 0o600);
		const shown = `The password file ${password} can be read by others: chmod 600 ${password}`;
		expect(ofPassword).toEqual([shown]);
	});

	test('another chain with the same ID is refused: its nonces would be wrong', async () => {
		await using other = await startNetwork(0);
		const { exitCode, lines } = await run([], { ...environment(), RPC_URL: other.rpcUrl });
		expect(exitCode).toBe(1);
		expect(lines.at(-1)).toMatch(/belongs to another chain with the ID 31337/);
	});
});

describe('init', () => {
	test.each<[args: string[], line: RegExp]>([
		[[], /^--rpc URL is missing$/],
		[['--rpc', 'nonsense'], /^The setting "rpc" \(RPC_URL\)/],
		[['--rpc', 'http://127.0.0.1:1'], /^No chain answers at 127\.0\.0\.1:1$/],
		[['--rpc', 'NETWORK', '--phrase-file', '/nowhere'], /^\/nowhere does not exist$/],
	])('%j is refused, and leaves nothing', async (args, line) => {
		const { folder, env } = await emptyHome(resources);
		const all = args.map((arg) => (arg === 'NETWORK' ? installed().network.rpcUrl : arg));
		const { exitCode, lines } = await run(['init', '--yes', ...all], env);
		expect(exitCode).toBe(1);
		expect(lines).toEqual([expect.stringMatching(line)]);
		expect(await readdir(folder)).toEqual(['password']);
	});

	test('a public or wrong phrase, and a short password, are refused', async () => {
		const { folder, env } = await emptyHome(resources);
		const file = join(folder, 'phrase');
		const rpc = ['--rpc', installed().network.rpcUrl];
		const ofBytes = (byte: number, size: number) =>
			Mnemonic.fromEntropy(new Uint8Array(size).fill(byte)).phrase;
		for (const [phrase, line] of [
			[PHRASE, /is public/],
			[ofBytes(0x7f, 16), /is public/],
			[ofBytes(0x80, 32), /is public/],
			[ofBytes(0xff, 24), /is public/],
			['All '.repeat(12), /is public/],
			['candy maple cake sugar pudding cream honey rich smooth crumble sweet treat', /is public/],
			['announce room limb pattern dry unit scale effort smooth jazz weasel alcohol', /is public/],
			['bottom drive obey lake curtain smoke basket hold race lonely fit walk', /is public/],
			['anna '.repeat(12), /is not a recovery phrase/],
		] as const) {
			await writeFile(file, phrase);
			const { lines } = await run(['init', '--yes', ...rpc, '--phrase-file', file], env);
			expect(lines).toEqual([expect.stringMatching(line)]);
		}
		await writeFile(join(folder, 'short'), 'short', { mode: 0o600 });
		const args = ['init', '--yes', ...rpc, '--password-file', join(folder, 'short')];
		expect((await run(args, env)).lines.at(-1)).toMatch(/at least 8 characters/);
		expect((await readdir(folder)).sort()).toEqual(['password', 'phrase', 'short']);
	});

	test('a database of another chain leaves nothing half made', async () => {
		const { env } = await emptyHome(resources);
		const home = env.WALLET_HOME;
		await mkdir(home);
		const url = 'postgres://nobody@127.0.0.1:1/none';
		const args = ['init', '--yes', '--rpc', installed().network.rpcUrl];
		const { exitCode } = await run(args, { ...env, DATABASE_URL: url });
		expect(exitCode).toBe(1);
		expect(await readdir(home)).toEqual([]);
	});
});
