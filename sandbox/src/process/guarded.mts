import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { SANDBOX } from './folder.mts';

/** A program that would outlive the process that started it, such as a chain or a database. */
export interface GuardedProgram {
	command: string;
	args: string[];
	cwd?: string;
	/** ID of the user that runs the program; by default the user of this process. */
	uid?: number;
	gid?: number;
	/** Signal that ends the program; SIGTERM by default. */
	signal?: NodeJS.Signals;
}

/** The guard of a program: it forwards signals to the program, and ends with it. */
export type Guard = ChildProcessByStdio<Writable, Readable, Readable>;

/** Command that runs a program under a guard for as long as the guard's standard input, a pipe, is open. */
export function guardedCommand(program: GuardedProgram) {
	return {
		file: process.execPath,
		args: [join(SANDBOX, 'src', 'process', 'guard.mts'), JSON.stringify(program)],
		// Cleared, because `tools/end-with-parent.cjs` would end the guard before the guard can end its program.
		env: { ...process.env, NODE_OPTIONS: '' },
	};
}

/**
 * Starts a program that ends with this process, even if this process is killed. The first line of the output is the
 * program's process ID.
 */
export function spawnGuarded(program: GuardedProgram): Guard {
	const { file, args, env } = guardedCommand(program);
	return spawn(file, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
}
