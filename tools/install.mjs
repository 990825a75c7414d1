// Installs the locked dependencies if they are missing or outdated, then runs the command given as arguments.
// It runs on the caller's Node.js before anything is installed, so it is plain JavaScript with built-ins only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onceNpmIsGone } from './ancestors.cjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');

/** Time limit for a command to end once npm has ended, in milliseconds. */
const GRACE = 2_000;
const endWithParent = fileURLToPath(new URL('end-with-parent.cjs', import.meta.url));

/**
 * Folder of the Node.js that `tools/package.json` installs, because n8n needs a newer one than this program. On a system
 * without one, the commands run on the caller's.
 */
function nodeFolder() {
	const system = process.platform === 'win32' ? 'win' : process.platform;
	const name = `${system}-${process.arch}`;
	const packageName = name === 'darwin-arm64' ? `node-bin-${name}` : `node-${name}`;
	return join(root, 'tools', 'node_modules', packageName, 'bin');
}

/** The environment in which every Node.js descendant ends with the process that started it. */
function inheritedEnvironment() {
	const { NODE_OPTIONS = '', WALLET_SERVICE_STARTED_BY = '', ...others } = process.env;
	const load = `--require ${JSON.stringify(endWithParent)}`;
	return {
		...others,
		NODE_OPTIONS: NODE_OPTIONS.includes(load) ? NODE_OPTIONS : `${NODE_OPTIONS} ${load}`.trim(),
		WALLET_SERVICE_STARTED_BY: [WALLET_SERVICE_STARTED_BY, process.pid].filter(Boolean).join(),
	};
}

/** True if pnpm has completed an installation of exactly this lockfile. */
function isInstalled() {
	const installed = join(modules, '.pnpm', 'lock.yaml');
	// pnpm writes this file last; an interrupted installation leaves none, or an older one.
	const end = join(modules, '.pnpm-workspace-state-v1.json');
	if (!existsSync(installed) || !existsSync(end)) return false;
	if (statSync(end).mtimeMs < statSync(installed).mtimeMs) return false;
	return readFileSync(installed).equals(readFileSync(join(root, 'pnpm-lock.yaml')));
}

/** Runs a command to its end; resolves to its exit code. Its output is shown, or passed to `onLine`. */
async function run(command, args, { env = inheritedEnvironment(), onLine } = {}) {
	const stdio = onLine === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'];
	const child = spawn(command, args, { cwd: root, stdio, env });
	if (onLine !== undefined) {
		for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
	}
	// Ctrl-C in a terminal reaches the child too; a signal to this process alone must be forwarded.
	const passOn = (signal) => {
		if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn);
	onceNpmIsGone(() => {
		child.kill('SIGTERM');
		setTimeout(() => child.kill('SIGKILL'), GRACE).unref();
	});
	const [code, signal] = await once(child, 'close');
	return code ?? 128 + (constants.signals[signal] ?? 0);
}

/**
 * Exits with an error unless the registry's package manager has the hash in `package.json`: npm itself trusts the
 * registry's hash.
 */
async function assertPinned(packageManager) {
	const [release, hash] = packageManager.split('+sha512.');
	const said = [];
	await run('npm', ['view', release, 'dist.integrity'], { onLine: (line) => said.push(line) });
	if (said.includes(`sha512-${Buffer.from(hash, 'hex').toString('base64')}`)) return;
	console.error(`\n${said.join('\n')}`);
	console.error(`${release} of the registry does not have the hash in package.json.`);
	process.exit(1);
}

/** Installs the dependencies with one line of progress; the package manager's other output appears only after a failure. */
async function install() {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	await assertPinned(packageManager);
	const command = ['--yes', packageManager, 'install', '--frozen-lockfile'];
	const said = [];
	// On standard error, because a program may read the output of the command.
	const { stderr } = process;
	const doing = 'Installing dependencies, which takes about two minutes the first time';
	stderr.write(`${doing} ...`);
	const onLine = (line) => {
		said.push(line);
		const [, resolved, added] = /^Progress: resolved (\d+),.* added (\d+)/.exec(line) ?? [];
		if (resolved === undefined || !stderr.isTTY) return;
		stderr.write(`\r\x1b[K${doing}: ${added} of ${resolved} packages ...`);
	};
	const status = await run('npx', [...command, '--reporter=append-only'], { onLine });
	stderr.write(status === 0 ? ' done\n' : '\n');
	if (status === 0) return;
	console.error(said.join('\n'));
	console.error('The dependencies could not be installed; see above for the reason.');
	process.exit(status);
}

if (!isInstalled()) await install();

const [command, ...args] = process.argv.slice(2);
if (command) {
	const path = [nodeFolder(), join(modules, '.bin'), process.env.PATH];
	process.exit(
		await run(command, args, { env: { ...inheritedEnvironment(), PATH: path.join(delimiter) } }),
	);
}
