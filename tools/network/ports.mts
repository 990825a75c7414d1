import { once } from 'node:events';
import { createServer } from 'node:net';

/** Finds a free port on 127.0.0.1: the preferred one if possible, otherwise any other. */
export async function freePort(preferred = 0): Promise<number> {
	const server = createServer().listen(preferred, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		const isBusy = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
		if (isBusy && preferred !== 0) return await freePort();
		throw error;
	}
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('No TCP port was assigned');
	return address.port;
}
