import { once } from 'node:events';
import { createServer } from 'node:net';

async function tryToListen(port: number): Promise<number | undefined> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return undefined;
		throw error;
	}
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('No TCP port was assigned');
	return address.port;
}

/** A free port on 127.0.0.1: the preferred one if possible, otherwise any other. */
export async function freePort(preferred = 0): Promise<number> {
	const port = (await tryToListen(preferred)) ?? (await tryToListen(0));
	if (port === undefined) throw new Error('No free port on 127.0.0.1');
	return port;
}
