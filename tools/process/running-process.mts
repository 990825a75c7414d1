import { createInterface } from 'node:readline';
import type { Options } from 'execa';
import { execa } from 'execa';
import type { GuardedProgram } from '../../sandbox/src/process/guarded.mts';
import { guardedCommand } from '../../sandbox/src/process/guarded.mts';

/** A program that this process is responsible for: it is asked to end when this process does. */
export interface RunningProcess extends AsyncDisposable {
	readonly pid: number;
	/** Settles when the program has ended, with the reason in words. Never rejects. */
	readonly ended: Promise<string>;
	/** Asks the program to end (SIGTERM), waits until it has, and kills it when it does not. */
	stop(): Promise<void>;
}

/** A program whose output is kept. */
export interface LoggedProcess extends RunningProcess {
	/** File with everything that it printed. */
	readonly logFile: string;
	/** The line by which it said that it was ready. */
	readonly readyLine: string;
}

/** How to start a program. */
export interface ProcessOptions {
	readonly cwd?: string;
	/** The whole environment; that of this process when left out. */
	readonly env?: NodeJS.ProcessEnv;
}

/** Where the output goes, and when the program can be used. */
export interface LogOptions extends ProcessOptions {
	/** In a directory that exists. */
	readonly logFile: string;
	/** Part of the line that the program prints once it can be used. */
	readonly readyText: string;
}

/** Lines of the output that an error shows. */
const SHOWN_LINES = 20;

const COMMON = {
	reject: false,
	buffer: false,
	extendEnv: false,
	stdin: 'ignore',
	/** How long a program may take to stop by itself, in milliseconds. */
	forceKillAfterDelay: 20_000,
} as const satisfies Options;

/** What has to be known of the promise that execa gives. */
interface Child extends PromiseLike<{ signal?: string; exitCode?: number; shortMessage?: string }> {
	readonly pid?: number;
	kill(signal: NodeJS.Signals): boolean;
}

function watchOver(child: Child): RunningProcess {
	const ended = Promise.resolve(child).then(({ signal, exitCode, shortMessage }) => {
		if (signal !== undefined) return `ended by ${signal}`;
		// Without an exit code it was not even started.
		return exitCode === undefined ? String(shortMessage) : `ended with exit code ${exitCode}`;
	});
	const stop = async () => {
		child.kill('SIGTERM');
		await ended;
	};
	return { pid: child.pid ?? 0, ended, stop, [Symbol.asyncDispose]: stop };
}

/** Starts a program that prints where this process does. */
export function startProcess(
	file: string,
	args: readonly string[],
	options: ProcessOptions = {},
): RunningProcess {
	const output = ['inherit'] as const;
	return watchOver(execa(file, args, { ...COMMON, ...options, stdout: output, stderr: output }));
}

async function startLogging(
	file: string,
	args: readonly string[],
	{ logFile, readyText, ...options }: LogOptions & { readonly stdin?: 'pipe' },
): Promise<LoggedProcess> {
	const output = ['pipe', { file: logFile }] as const;
	const settings = { ...COMMON, ...options, stdout: output, stderr: output, all: true } as const;
	const child = execa(file, args, settings);
	const watched = watchOver(child);
	const lastLines: string[] = [];
	const ready = new Promise<{ line: string }>((resolve) => {
		createInterface(child.all).on('line', (line) => {
			lastLines.push(line);
			if (lastLines.length > SHOWN_LINES) lastLines.shift();
			if (line.includes(readyText)) resolve({ line });
		});
	});
	const first = await Promise.race([ready, watched.ended]);
	if (typeof first === 'string') {
		const end = lastLines.join('\n');
		throw new Error(`${file} ${first} before it was ready; see ${logFile}\n${end}`);
	}
	return { ...watched, logFile, readyLine: first.line };
}

/**
 * Starts a program, keeps what it prints in a file, and waits until it says that it is ready.
 *
 * @throws Error when it ends before.
 */
export async function startLoggedProcess(
	file: string,
	args: readonly string[],
	options: LogOptions,
): Promise<LoggedProcess> {
	return await startLogging(file, args, options);
}

/** The same for a program that is no Node.js program, and would outlive this process when that is killed. */
export async function startGuardedProcess(
	program: GuardedProgram,
	options: Omit<LogOptions, 'cwd' | 'env'>,
): Promise<LoggedProcess> {
	const { file, args, env } = guardedCommand(program);
	return await startLogging(file, args, { ...options, env, stdin: 'pipe' });
}
