/**
 * Runs a program and ends it as soon as the guard's standard input closes, which happens even if the parent process is
 * killed: the operating system closes it. Written by hand: libraries such as execa clean up in the parent process, which
 * they cannot do once it is killed.
 *
 * Takes one argument (see `guarded.mts`). Prints the program's process ID as the first line, then passes its output through.
 */
import { spawn } from 'node:child_process';
import type { GuardedProgram } from './guarded.mts';

/** Time limit for the program to end normally, in milliseconds. */
const GRACE = 1_500;

// The argument, which `guardedCommand` serialized from the same type.
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
// Ctrl-C in a terminal reaches the whole process group; other processes decide the order of the exits.
process.on('SIGINT', () => undefined);
process.once('exit', () => program.kill('SIGKILL'));
// The process that reads the output may have ended.
process.stdout.on('error', () => undefined);
