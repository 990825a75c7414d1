// Installs the locked dependencies when they are missing or outdated, then runs the command given as arguments.
// It runs on the caller's Node before anything is installed: plain JavaScript, Node built-ins only.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.installed-lockfile');

/** Content that decides what `node_modules` has to hold: any change means a new install. */
function lockfileDigest() {
	const hash = createHash('sha256');
	for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json']) {
		hash.update(readFileSync(join(root, file)));
	}
	return hash.digest('hex');
}

function run(command, args, env) {
	const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env });
	if (error) throw error;
	return signal ? 1 : (status ?? 1);
}

const digest = lockfileDigest();
if (!existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== digest) {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	console.log(`Installing dependencies with ${packageManager} (about two minutes the first time) ...`);
	const status = run('npx', ['--yes', packageManager, 'install', '--frozen-lockfile'], process.env);
	if (status !== 0) {
		console.error('The dependencies could not be installed; the reason stands above.');
		process.exit(status);
	}
	writeFileSync(stampFile, digest);
}

const [command, ...args] = process.argv.slice(2);
if (command) {
	const path = [join(modules, 'node', 'bin'), join(modules, '.bin'), process.env.PATH].join(delimiter);
	// The child owns Ctrl-C: it stops what it started before this process ends.
	process.on('SIGINT', () => {});
	process.exit(run(command, args, { ...process.env, PATH: path }));
}
