import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';

/** A web server of this machine, stopped by `stop` or at the end of an `await using`. */
export interface LocalServer extends AsyncDisposable {
	/** Its address, without a trailing slash. */
	readonly url: string;
	/** Ends all connections and waits until nothing listens any more. */
	stop(): Promise<void>;
}

/** Connections that wait to be taken: a benchmark opens thousands at the same moment. */
const BACKLOG = 4096;

/** Lets a server listen on any free port of this machine. */
export async function listenLocally(server: Server): Promise<LocalServer> {
	const sockets = new Set<Socket>();
	// Node.js forgets the connections that became tunnels.
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
	await listenLocally(createServer(answer));
