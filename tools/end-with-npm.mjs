// For `install.mjs`, which npm starts in a shell: npm forwards signals to the shell only, and nothing if it is killed.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Interval between checks, in milliseconds. */
const INTERVAL = 250;
const SHELLS = new Set(['sh', 'ash', 'bash', 'dash', 'ksh', 'zsh']);

/** Parent and program of a process. A small container has no `ps`, macOS no `/proc`. */
function lookUp(pid) {
	if (existsSync('/proc/self/stat')) {
		// The program's name, in parentheses, may contain spaces and parentheses; the parent is the second field after it.
		const [, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
			.replace(/^.*\) /s, '')
			.split(' ');
		const [program] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
		return { parent: Number(parent), program };
	}
	const printed = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
		encoding: 'utf8',
	});
	const [parent, program] = printed.trim().split(/\s+/);
	return { parent: Number(parent), program };
}

/** The shells above this process, and npm above them. */
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

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/** Calls back once when npm, or a shell between npm and this process, has ended. Does nothing without npm. */
export function onceNpmIsGone(callback) {
	if (process.env.npm_lifecycle_event === undefined) return;
	const pids = upToNpm();
	const parent = process.ppid;
	const timer = setInterval(() => {
		if (process.ppid === parent && pids.every(isRunning)) return;
		clearInterval(timer);
		callback();
	}, INTERVAL);
	timer.unref();
}
