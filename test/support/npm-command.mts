import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { root } from '../../tools/files/paths.mts';
import type { ProcessEntry } from './processes.mts';
import { descendants, leftAfterPatience } from './processes.mts';

/** Shorter than the time limit of a test, which would leave the programs running. */
const START_TIME = 100_000;

/** Ends processes that should have ended, so that even a failed test leaves nothing behind. */
function killAll(started: ProcessEntry[]): void {
	for (const { pid } of started) {
		try {
			process.kill(pid, 'SIGKILL');
		} catch {
			// It has ended.
		}
	}
}

/**
 * Runs npm until the named programs run below it, and sends npm itself a signal, as `kill %1`, a container or a service manager does.
 *
 * @param programs - Parts of their command lines.
 * @param cwd - The project by default; otherwise a copy.
 * @returns the processes that still run five seconds later.
 * @throws Error with all that npm printed when it ends before that, or takes too long.
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
				throw new Error(`Not all programs run, only:\n${running}\n${printed}`);
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
