// Installs the locked dependencies when they are missing or outdated, then runs the command given as arguments.
// It runs on the caller's Node before anything is installed: plain JavaScript, Node built-ins only.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onceNpmIsGone } from './end-with-npm.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');

/** Milliseconds that a command has to end by itself when npm is gone. */
const GRACE = 2_000;
const endWithParent = fileURLToPath(new URL('end-with-parent.cjs', import.meta.url));

/** The environment in which every Node.js process below ends with the one that started it, in the end with this one. */
function inheritedEnvironment() {
	const { NODE_OPTIONS = '', WALLET_SERVICE_STARTED_BY = '', ...others } = process.env;
	const load = `--require ${JSON.stringify(endWithParent)}`;
	return {
		...others,
		NODE_OPTIONS: NODE_OPTIONS.includes(load) ? NODE_OPTIONS : `${NODE_OPTIONS} ${load}`.trim(),
		WALLET_SERVICE_STARTED_BY: [WALLET_SERVICE_STARTED_BY, process.pid].filter(Boolean).join(),
	};
}

/** True when pnpm came to the end of an installation of this very lockfile, whoever started it. */
function isInstalled() {
	const installed = join(modules, '.pnpm', 'lock.yaml');
	// pnpm writes this one last; an installation that was broken off leaves none, or that of an earlier one.
	const end = join(modules, '.pnpm-workspace-state-v1.json');
	if (!existsSync(installed) || !existsSync(end)) return false;
	if (statSync(end).mtimeMs < statSync(installed).mtimeMs) return false;
	return readFileSync(installed).equals(readFileSync(join(root, 'pnpm-lock.yaml')));
}

/** Runs a command to its end; resolves to its exit code. What it prints is shown, or goes to `onLine` instead. */
async function run(command, args, { env = inheritedEnvironment(), onLine } = {}) {
	const stdio = onLine === undefined ? 'inherit' : ['inherit', 'pipe', 'pipe'];
	const child = spawn(command, args, { cwd: root, stdio, env });
	if (onLine !== undefined) {
		for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine);
	}
	// Ctrl-C in a terminal reaches the child by itself; what is sent to this process alone has to be passed on.
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
 * Ends with an error unless the registry's package manager is the one whose hash `package.json` names: npm checks what it downloads by
 * the registry's word alone.
 */
async function assertPinned(packageManager) {
	const [release, hash] = packageManager.split('+sha512.');
	const said = [];
	await run('npm', ['view', release, 'dist.integrity'], { onLine: (line) => said.push(line) });
	if (said.includes(`sha512-${Buffer.from(hash, 'hex').toString('base64')}`)) return;
	console.error(`\n${said.join('\n')}`);
	console.error(`${release} of the registry is not the one whose hash package.json names.`);
	process.exit(1);
}

/**
 * Installs the dependencies with one line of progress. Whatever else the package manager says, nobody who only wants to try the project
 * can act on; it is shown when the installation fails.
 */
async function install() {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	await assertPinned(packageManager);
	const command = ['--yes', packageManager, 'install', '--frozen-lockfile'];
	const said = [];
	// On standard error, because the output of the command that follows may be read by a program.
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
	console.error('The dependencies could not be installed; the reason stands above.');
	process.exit(status);
}

if (!isInstalled()) await install();

const [command, ...args] = process.argv.slice(2);
if (command) {
	const path = [join(modules, 'node', 'bin'), join(modules, '.bin'), process.env.PATH];
	process.exit(
		await run(command, args, { env: { ...inheritedEnvironment(), PATH: path.join(delimiter) } }),
	);
}
