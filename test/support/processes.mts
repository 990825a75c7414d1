import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';

/** A process of this machine. */
export interface ProcessEntry {
	pid: number;
	parent: number;
	/** Start time: together with the ID, it is unique. */
	since: string;
	command: string;
}

/** Maximum time for a process to end once it is no longer needed, in milliseconds. */
const PATIENCE = 5_000;

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

/** Those of the processes that still run, as lines. */
export async function leftOver(started: ProcessEntry[]): Promise<string[]> {
	const line = ({ pid, since, command }: ProcessEntry) => `${pid} ${since} ${command}`;
	const running = await processes();
	return started
		.filter(({ pid, since }) => running.some((one) => one.pid === pid && one.since === since))
		.map(line);
}

/** Waits until the processes have ended, for at most five seconds; returns those that have not. */
export async function leftAfterPatience(started: ProcessEntry[]): Promise<string[]> {
	const deadline = Date.now() + PATIENCE;
	for (;;) {
		const left = await leftOver(started);
		if (left.length === 0 || Date.now() > deadline) return left;
		await setTimeout(100);
	}
}
