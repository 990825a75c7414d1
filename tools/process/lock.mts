import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** True if a process listens on the socket; after a crash only its file remains. */
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
 * Locks a directory until this process ends. A socket instead of a library's lock file, which remains valid for a while after its
 * process is killed.
 *
 * @throws Error if another process has locked it.
 */
export async function lockDirectory(directory: string): Promise<void> {
	// The path of a socket must be short.
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
