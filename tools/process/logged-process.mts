import type { ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Child } from './child.mts';
import { watchOver } from './child.mts';

/** A child process whose output is kept. */
export interface LoggedProcess extends Child {
	/** File with everything it printed. */
	logFile: string;
}

/** Lines of the output that an error shows. */
const SHOWN_LINES = 20;

/**
 * Watches over a child just started, keeps what it prints in a file, and waits until it says that it is ready.
 *
 * @param child - Started with pipes for its output.
 * @param logFile - In a directory that exists.
 * @param readyText - Part of the line that it prints once it can be used.
 * @throws Error when it ends before.
 */
export async function untilReady(
	child: ChildProcess,
	logFile: string,
	readyText: string,
): Promise<LoggedProcess> {
	const watched = watchOver(child);
	const output = new PassThrough();
	child.stdout?.pipe(output, { end: false });
	child.stderr?.pipe(output, { end: false });
	child.once('close', () => output.end());
	output.pipe(createWriteStream(logFile));
	const lastLines: string[] = [];
	const ready = new Promise<void>((resolve) => {
		createInterface(output).on('line', (line) => {
			lastLines.push(line);
			if (lastLines.length > SHOWN_LINES) lastLines.shift();
			if (line.includes(readyText)) resolve();
		});
	});
	const reason = await Promise.race([ready, watched.ended]);
	if (reason !== undefined) {
		const end = lastLines.join('\n');
		throw new Error(`${child.spawnfile} ${reason} before it was ready; see ${logFile}\n${end}`);
	}
	return { ...watched, logFile };
}
