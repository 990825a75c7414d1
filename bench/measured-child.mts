import { execa } from 'execa';

/** The result of a measured process. */
export interface RunMeasurement {
	/** Time for all items. */
	milliseconds: number;
	/** Number of output items. */
	items: number;
	/** Peak resident memory of the process. */
	peakMemoryBytes: number;
	/** The error that stopped the process, if any. */
	error?: string;
}

/**
 * Runs a Node.js process until it ends, and returns its only message: the result.
 *
 * @param directory - Working directory of the process.
 * @throws Error with the output of the process if it ends without a message.
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
	// The type is certain: the sender is our own program.
	return message as Message;
}
