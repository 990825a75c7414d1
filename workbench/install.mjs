// Installs the locked dependencies when they are missing or outdated, then runs the command given as arguments.
// It runs on the caller's Node before anything is installed: plain JavaScript, Node built-ins only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
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

/** Runs a command to its end; resolves to its exit code. Its output goes where `stdio` says. */
async function run(command, args, { env = process.env, stdio = 'inherit' } = {}) {
	const child = spawn(command, args, { cwd: root, stdio, env });
	// Ctrl-C in a terminal reaches the child by itself; what is sent to this process alone has to be passed on.
	const passOn = (signal) => {
		if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, passOn);
	const [code, signal] = await once(child, 'close');
	return code ?? 128 + (constants.signals[signal] ?? 0);
}

const digest = lockfileDigest();
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== digest) {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	// On standard error, because the output of the command that follows may be read by a program.
	console.error(
		`Installing dependencies with ${packageManager} (about two minutes the first time) ...`,
	);
	const status = await run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], {
		stdio: ['inherit', process.stderr, 'inherit'],
	});
	if (status !== 0) {
		console.error('The dependencies could not be installed; the reason stands above.');
		process.exit(status);
	}
	writeFileSync(stampFile, digest);
}

const [command, ...args] = process.argv.slice(2);
if (command) {
	const path = [join(modules, 'node', 'bin'), join(modules, '.bin'), process.env.PATH];
	process.exit(await run(command, args, { env: { ...process.env, PATH: path.join(delimiter) } }));
}
