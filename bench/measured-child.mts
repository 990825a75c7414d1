import { execa } from 'execa';

/** What a measured process tells about its run over the items. */
export interface RunMeasurement {
	/** Time for all items. */
	milliseconds: number;
	/** Items that came out. */
	items: number;
	/** Highest resident memory of the process until then. */
	peakMemoryBytes: number;
	/** Message with which it stopped; absent when it ran to its end. */
	error?: string;
}

/**
 * Runs a Node.js process that sends one message with its result, and waits for its end.
 *
 * @param directory - Where it runs.
 * @throws Error with all that it printed when it ends without a message.
 */
export async function messageOf<Message>(
	args: string[],
	env: NodeJS.ProcessEnv,
	directory: string,
): Promise<Message> {
	const { ipcOutput, all, exitCode, signal } = await execa(process.execPath, args, {
		cwd: directory,
		env,
		extendEnv: false,
		ipc: true,
		all: true,
		reject: false,
	});
	const [message] = ipcOutput;
	if (message === undefined) {
		throw new Error(`A process ended with ${signal ?? exitCode} and without a result:\n${all}`);
	}
	// Sent by our own programs.
	return message as Message;
}
