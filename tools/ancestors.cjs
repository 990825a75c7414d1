// Plain JavaScript with built-ins only: it runs before anything is installed, and on the older Node.js of an older n8n.
const { execFileSync } = require('node:child_process');
const { existsSync, readFileSync } = require('node:fs');
const { basename } = require('node:path');

/** Interval between checks, in milliseconds. */
const INTERVAL = 250;
const SHELLS = new Set(['sh', 'ash', 'bash', 'dash', 'ksh', 'zsh']);

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** Calls back once when the parent or one of the other ancestors has ended. Returns the timer of the checks. */
function onceGone({ parent, above }, callback) {
	const timer = setInterval(() => {
		if (process.ppid === parent && above.every(isRunning)) return;
		clearInterval(timer);
		callback();
	}, INTERVAL);
	return timer;
}

/** Returns the parent and program of a process. A small container has no `ps`, and macOS has no `/proc`. */
function lookUp(pid) {
	if (existsSync('/proc/self/stat')) {
		// The program's name, in parentheses, may contain spaces and parentheses; the parent is the second field after it.
		const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
			.replace(/^.*\) /s, '')
			.split(' ');
		const [program] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
		return { parent: Number(parent), program };
	}
	const args = ['-o', 'ppid=,args=', '-p', String(pid)];
	const [parent, program] = execFileSync('ps', args, { encoding: 'utf8' }).trim().split(/\s+/);
	return { parent: Number(parent), program };
}

/** Process IDs of the shells above this process, and of npm above them. */
function upToNpm() {
	const pids = [process.ppid];
	try {
		for (;;) {
			const { parent, program } = lookUp(pids.at(-1));
			if (parent <= 0 || !SHELLS.has(basename(program))) return pids;
			pids.push(parent);
		}
	} catch {
		return pids;
	}
}

/**
 * Calls back once when npm, or a shell between npm and this process, has ended. Does nothing without npm. npm starts a
 * command in a shell, forwards signals to the shell only, and forwards nothing if it is killed.
 */
function onceNpmIsGone(callback) {
	if (process.env.npm_lifecycle_event === undefined) return;
	onceGone({ parent: process.ppid, above: upToNpm() }, callback).unref();
}

module.exports = { onceGone, onceNpmIsGone };
