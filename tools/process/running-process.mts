import { createInterface } from 'node:readline';
import { execa, type Options } from 'execa';
import { guardedCommand, type GuardedProgram } from '../../sandbox/src/process/guarded.mts';

/** A program that ends with this process. */
export interface RunningProcess extends AsyncDisposable {
	readonly pid: number;
	/** Resolves to the reason once the program has ended. Never rejects. */
	readonly ended: Promise<string>;
	/** Sends SIGTERM and waits until the program has ended; kills it after a time limit. */
	stop(): Promise<void>;
}

/** A program whose output goes to a file. */
export interface LoggedProcess extends RunningProcess {
	/** File with the program's output. */
	readonly logFile: string;
	/** The line that reported that the program was ready. */
	readonly readyLine: string;
}

interface ProcessOptions {
	readonly cwd?: string;
	/** The whole environment; by default the environment of this process. */
	readonly env?: NodeJS.ProcessEnv;
}

interface LogOptions extends ProcessOptions {
	/** File for the output, in an existing directory. */
	readonly logFile: string;
	/** Part of the line that the program prints when it is ready. */
	readonly readyText: string;
}

/** Maximum number of output lines in an error. */
const SHOWN_LINES = 20;

const COMMON = {
	reject: false,
	buffer: false,
	extendEnv: false,
	stdin: 'ignore',
	/** Time limit for a program to stop after SIGTERM, in milliseconds. */
	forceKillAfterDelay: 20_000,
} as const satisfies Options;

/** The members of execa's promise used here. */
interface Child extends PromiseLike<{ signal?: string; exitCode?: number; shortMessage?: string }> {
	readonly pid?: number;
	kill(signal: NodeJS.Signals): boolean;
}

function watchOver(child: Child): RunningProcess {
	const ended = Promise.resolve(child).then(({ signal, exitCode, shortMessage }) => {
		if (signal !== undefined) return `ended by ${signal}`;
		// Without an exit code, the program never started.
		return exitCode === undefined ? String(shortMessage) : `ended with exit code ${exitCode}`;
	});
	const stop = async () => {
		child.kill('SIGTERM');
		await ended;
	};
	return { pid: child.pid ?? 0, ended, stop, [Symbol.asyncDispose]: stop };
}

/** Starts a program that shares the output of this process. */
export function startProcess(
	file: string,
	args: readonly string[],
	options: ProcessOptions = {},
): RunningProcess {
	const output = ['inherit'] as const;
	return watchOver(execa(file, args, { ...COMMON, ...options, stdout: output, stderr: output }));
}

/** Starts a program whose output goes to a file, and waits until it reports readiness. @throws Error if it ends first. */
export async function startLoggedProcess(
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

/** Like {@link startLoggedProcess}, but under a guard: programs other than Node.js can outlive this process. */
export async function startGuardedProcess(
	program: GuardedProgram,
	options: Omit<LogOptions, 'cwd' | 'env'>,
): Promise<LoggedProcess> {
	const { file, args, env } = guardedCommand(program);
	return await startLoggedProcess(file, args, { ...options, env, stdin: 'pipe' });
}
