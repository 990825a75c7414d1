import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** How long a child may take to stop by itself, in milliseconds. */
const PATIENCE = 20_000;

/** A child process that this process is responsible for. */
export interface Child {
	pid: number;
	/** Settles when the child has ended, with the reason in words. Never rejects. */
	ended: Promise<string>;
	/** Asks the child to stop (SIGTERM), waits until it has, and kills it when it does not. */
	stop(): Promise<void>;
}

/** Watches over a started child: it never outlives this process, however that ends. */
export function watchOver(child: ChildProcess): Child {
	const { pid } = child;
	if (pid === undefined) throw new Error(`${child.spawnfile} could not be started`);
	const killAtExit = () => child.kill('SIGTERM');
	process.once('exit', killAtExit);
	const ended = once(child, 'exit').then(([code, signal]: (number | string | null)[]) => {
		process.removeListener('exit', killAtExit);
		return signal ? `ended by ${signal}` : `ended with exit code ${code}`;
	});
	const stop = async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill('SIGTERM');
		const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE);
		await ended;
		clearTimeout(timer);
	};
	return { pid, ended, stop };
}
