/**
 * Runs a program that knows nothing of whoever needs it, and ends it as soon as standard input closes, which the operating system
 * does also when that process is killed. So nothing outlives what it was started for. It is written by hand: the clean-up of
 * libraries such as execa runs in the process that needs the program, and so not when that one is killed.
 *
 * Takes one argument (see `guarded.mts`). Prints the program's process id as the first line, then passes its output through.
 */
import { spawn } from 'node:child_process';
import type { GuardedProgram } from './guarded.mts';

/** How long the program may take to end by itself when nobody needs it any more, in milliseconds. */
const GRACE = 1_500;

// Written by our own `guardedCommand` from this very type.
const {
	command,
	args,
	signal = 'SIGTERM',
	...options
}: GuardedProgram = JSON.parse(process.argv[2] ?? '');
const program = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
program.once('spawn', () => process.stdout.write(`${program.pid}\n`));
program.once('error', (error) => {
	process.stderr.write(`${error.message}\n`);
	process.exit(1);
});
program.once('exit', (code) => process.exit(code ?? 0));

process.stdin.once('close', () => {
	program.kill(signal);
	setTimeout(() => program.kill('SIGKILL'), GRACE);
});
process.stdin.resume();
process.on('SIGTERM', () => program.kill(signal));
// A terminal's Ctrl-C reaches the whole process group; the order of ending is for others to decide.
process.on('SIGINT', () => undefined);
process.once('exit', () => program.kill('SIGKILL'));
// Its output may have gone with those who read it.
process.stdout.on('error', () => undefined);
