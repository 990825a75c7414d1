import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { PassThrough } from 'node:stream';
import { watchOver } from '../tools/process/child.mts';

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
	const started = spawn(process.execPath, args, {
		cwd: directory,
		env,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	const output = new PassThrough();
	started.stdout?.pipe(output, { end: false });
	started.stderr?.pipe(output, { end: false });
	const printed = text(output);
	const child = watchOver(started);
	const messages: Message[] = [];
	started.on('message', (message: Message) => messages.push(message));
	await once(started, 'close');
	output.end();
	const [message] = messages;
	if (message === undefined) {
		throw new Error(`A process ${await child.ended} without a result:\n${await printed}`);
	}
	return message;
}
