import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { root } from '../../tools/files/paths.mts';

export interface ProcessEntry {
	pid: number;
	parent: number;
	/** Start time; unique together with the process ID. */
	since: string;
	command: string;
}

/** Maximum time for a process to end once it is no longer needed, in milliseconds. */
const PATIENCE = 30_000;

const LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

async function processes(): Promise<ProcessEntry[]> {
	const columns = 'pid=,ppid=,stat=,lstart=,args=';
	const { stdout } = await execa('ps', ['-A', '-ww', '-o', columns]);
	return stdout.split('\n').flatMap((line) => {
		const [, pid, parent, state, since = '', command = ''] = LINE.exec(line) ?? [];
		// A zombie has ended; its parent has not collected the exit status yet.
		if (pid === undefined || state?.startsWith('Z')) return [];
		return [{ pid: Number(pid), parent: Number(parent), since, command }];
	});
}

/** All descendants of a process. */
export async function descendants(pid: number): Promise<ProcessEntry[]> {
	const all = await processes();
	const below = (parent: number): ProcessEntry[] =>
		all.filter((entry) => entry.parent === parent).flatMap((entry) => [entry, ...below(entry.pid)]);
	return below(pid);
}

/** The processes that are still running, one line each. */
export async function leftOver(started: ProcessEntry[]): Promise<string[]> {
	const line = ({ pid, since, command }: ProcessEntry) => `${pid} ${since} ${command}`;
	const running = await processes();
	return started
		.filter(({ pid, since }) => running.some((one) => one.pid === pid && one.since === since))
		.map(line);
}

/** Waits until the processes have ended, patiently; returns those that have not. */
async function leftAfterPatience(started: ProcessEntry[]): Promise<string[]> {
	const deadline = Date.now() + PATIENCE;
	for (;;) {
		const left = await leftOver(started);
		if (left.length === 0 || Date.now() > deadline) return left;
		await setTimeout(100);
	}
}

/** Time limit for the start, shorter than jest's for a test: a test that times out would leave the programs running. */
const START_TIME = 240_000;

/** Ends processes that should have ended, so that even a failed test leaves nothing behind. */
function killAll(started: ProcessEntry[]): void {
	for (const { pid } of started) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// The process has already ended.
		}
	}
}

/**
 * Runs npm until programs with these parts of command lines are running under it, then sends a signal to npm alone, as
 * `kill %1`, a container or a service manager does. @returns the processes that do not end
 */
export async function leftBySignal(
	args: string[],
	programs: string[],
	signal: NodeJS.Signals,
	cwd = root,
): Promise<string[]> {
	const npm = execa('npm', args, { cwd, stdin: 'ignore', all: true, reject: false });
	let printed = '';
	npm.all.on('data', (data) => (printed += String(data)));
	const ended = once(npm, 'exit');
	let started: ProcessEntry[] = [];
	const isStarted = () =>
		programs.every((program) => started.some(({ command }) => command.includes(program)));
	const latest = Date.now() + START_TIME;
	try {
		while (!isStarted()) {
			if (npm.exitCode !== null || npm.signalCode !== null)
				throw new Error(`npm ended early:\n${printed}`);
			if (Date.now() > latest) {
				const running = started.map(({ command }) => command).join('\n');
				throw new Error(`Not all programs are running, only:\n${running}\n${printed}`);
			}
			await setTimeout(100);
			started = await descendants(npm.pid ?? 0);
		}
		npm.kill(signal);
		await ended;
		return await leftAfterPatience(started);
	} finally {
		npm.kill('SIGKILL');
		killAll(started);
	}
}
