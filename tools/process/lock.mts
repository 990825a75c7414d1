import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** True when a process listens behind the socket; a socket file alone is what a crash leaves behind. */
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
 * Takes a directory for this process alone, until the process ends. Written by hand: the lock files of libraries stay behind when
 * a process is killed, and count until they are old; nobody listens behind a socket any more.
 *
 * @throws Error when another process has it.
 */
export async function lockDirectory(directory: string): Promise<void> {
	// A socket's path has to be short, wherever the project lies.
	const name = createHash('sha256').update(directory).digest('hex').slice(0, 16);
	const socketFile = join(tmpdir(), `wallet-service-${name}.sock`);
	if (await isHeld(socketFile)) {
		throw new Error(`Another "npm start" already runs on ${directory}; stop that one first.`);
	}
	await rm(socketFile, { force: true });
	const server = createServer();
	server.listen(socketFile);
	await once(server, 'listening');
	server.unref();
	process.once('exit', () => rmSync(socketFile, { force: true }));
}
