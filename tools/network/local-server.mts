import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Server, Socket } from 'node:net';

/** A web server on this machine. */
export interface LocalServer extends AsyncDisposable {
	/** Base URL, without a trailing slash. */
	readonly url: string;
	/** Ends all connections and stops listening. */
	stop(): Promise<void>;
}

/** Maximum number of pending connections: a benchmark opens thousands at the same time. */
const BACKLOG = 4096;

/**
 * Settings of a server that closes no idle connection: a client on a busy machine could send on one at the same moment, and
 * lose its request.
 */
const PATIENT = { keepAliveTimeout: 0 } as const;

/** Makes a server listen on any free port of this machine. */
export async function listenLocally(server: Server): Promise<LocalServer> {
	const sockets = new Set<Socket>();
	// Node.js does not track connections that became tunnels.
	server.on('connection', (socket) => {
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	await once(server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG }), 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No TCP port was assigned');
	async function stop(): Promise<void> {
		if (!server.listening) return;
		const closed = once(server.close(), 'close');
		for (const socket of sockets) socket.destroy();
		await closed;
	}
	return { url: `http://127.0.0.1:${address.port}`, stop, [Symbol.asyncDispose]: stop };
}

/** Starts a web server on any free port of this machine. */
export const startLocalServer = async (answer: RequestListener): Promise<LocalServer> =>
	await listenLocally(createServer(PATIENT, answer));
