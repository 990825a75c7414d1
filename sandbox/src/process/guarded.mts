import type { ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** A program that does not end by itself with the process that started it: a chain, a database. */
export interface GuardedProgram {
	command: string;
	args: string[];
	cwd?: string;
	/** The user that it runs as, when it is not that of this process. */
	uid?: number;
	gid?: number;
	/** Asks it to end; SIGTERM by default. */
	signal?: NodeJS.Signals;
}

/** The guard of a program: what is signalled to it reaches the program, and it ends with the program. */
export type Guard = ChildProcessByStdio<Writable, Readable, Readable>;

/** What runs a program under a guard, as long as its standard input, a pipe, stays open. */
export function guardedCommand(program: GuardedProgram) {
	return {
		file: process.execPath,
		args: [join(import.meta.dirname, 'guard.mts'), JSON.stringify(program)],
		// Without what ends other programs at once (`tools/end-with-parent.cjs`): this one has something to end first.
		env: { ...process.env, NODE_OPTIONS: '' },
	};
}

/**
 * Starts a program that ends with this process, however that ends. The first line of the output is the program's process id.
 */
export function spawnGuarded(program: GuardedProgram): Guard {
	const { file, args, env } = guardedCommand(program);
	return spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
}
