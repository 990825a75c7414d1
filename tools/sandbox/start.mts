import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import { bundled } from '../process/bundled.mts';

/** A sandbox in its own process. */
export interface RunningSandbox extends AsyncDisposable {
	ready: SandboxReady;
	pid: number;
	/** Ends the process and waits for its exit. */
	stop(): Promise<void>;
}

/** Maximum number of log lines in an error. */
const LAST_LINES = 20;

/**
 * Starts the sandbox as a child process and waits until it is ready. It ends with the calling
 * process, even if the calling process is killed.
 *
 * @param options.port TCP port, 0 (default) for any free one
 * @param options.env environment variables added to those of this process
 * @param options.onLog receives each line of the log
 * @throws Error with the last lines of the log if the sandbox ends before it is ready
 */
export async function startSandbox(
	options: { port?: number; env?: Record<string, string>; onLog?: (line: string) => void } = {},
): Promise<RunningSandbox> {
	const program = await bundled('sandbox', 'sandbox/src/server.mts');
	const child = spawn(process.execPath, [program], {
		env: { LOG_LEVEL: 'warn', ...process.env, PORT: String(options.port ?? 0), ...options.env },
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	const { pid, stdout, stderr } = child;
	if (pid === undefined || !stdout || !stderr) throw new Error('The sandbox could not be started');
	// Not "exit": the last lines of the log may come after it.
	const ended = once(child, 'close');
	const log: string[] = [];
	createInterface({ input: stderr }).on('line', (line) => {
		log.push(line);
		if (log.length > LAST_LINES) log.shift();
		options.onLog?.(line);
	});
	const firstLine = once(createInterface({ input: stdout }), 'line');
	const [line] = await Promise.race([firstLine, ended.then(() => [undefined])]);
	if (typeof line !== 'string') {
		throw new Error(`The sandbox ended before it was ready:\n${log.join('\n')}`);
	}
	// The server prints a value of this type.
	const ready: SandboxReady = JSON.parse(line);
	const stop = async () => {
		child.kill('SIGTERM');
		await ended;
	};
	return { ready, pid, stop, [Symbol.asyncDispose]: stop };
}
