// Installs the locked dependencies when they are missing or outdated, then runs the command given as arguments.
// It runs on the caller's Node before anything is installed: plain JavaScript, Node built-ins only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.installed-lockfile');

/** Content that decides what `node_modules` has to hold: any change means a new install. */
function lockfileDigest() {
	const hash = createHash('sha256');
	for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) {
		hash.update(readFileSync(join(root, file)));
	}
	return hash.digest('hex');
}

/** Runs a command to its end; resolves to its exit code. What it prints is shown, or goes to `onLine` instead. */
async function run(command, args, { env = process.env, onLine } = {}) {
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
	const [code, signal] = await once(child, 'close');
	return code ?? 128 + (constants.signals[signal] ?? 0);
}

/**
 * Installs the dependencies with one line of progress. Whatever else the package manager says, nobody who only wants to try the project
 * can act on; it is shown when the installation fails.
 */
async function install() {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
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

const digest = lockfileDigest();
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== digest) {
	await install();
	writeFileSync(stampFile, digest);
}

const [command, ...args] = process.argv.slice(2);
if (command) {
	const path = [join(modules, 'node', 'bin'), join(modules, '.bin'), process.env.PATH];
	process.exit(await run(command, args, { env: { ...process.env, PATH: path.join(delimiter) } }));
}
