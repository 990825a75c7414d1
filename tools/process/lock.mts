import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOfText } from '../files/digest.mts';

/** True if a process listens on the socket; after a crash only the socket's file remains. */
async function isHeld(socketFile: string): Promise<boolean> {
	const socket = connect(socketFile);
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

/**
 * Locks a directory until this process ends. Uses a socket, because a library's lock file remains valid for a while after
 * its process is killed.
 *
 * @throws Error if another process has locked the directory.
 */
export async function lockDirectory(directory: string): Promise<void> {
	// The path of a socket must be short.
	const name = digestOfText(directory).slice(0, 16);
	const socketFile = join(tmpdir(), `wallet-service-${name}.sock`);
	if (await isHeld(socketFile)) {
		throw new Error(`Another "npm start" is already running on ${directory}; stop that one first.`);
	}
	await rm(socketFile, { force: true });
	const server = createServer().listen(socketFile).unref();
	await once(server, 'listening');
	process.once('exit', () => rmSync(socketFile, { force: true }));
}
