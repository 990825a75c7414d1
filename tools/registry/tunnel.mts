import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { freePort } from '../network/ports.mts';

/** An HTTPS proxy (RFC 9110, section 9.3.6: CONNECT) that leads to servers of this machine only. */
export interface Tunnel {
	/** What `HTTPS_PROXY` takes. */
	url: string;
	stop(): Promise<void>;
}

/**
 * Starts a proxy that passes the bytes for some hosts on, and refuses every other host.
 *
 * @param ports - Host and port as they are asked for, to the port on 127.0.0.1 that answers instead.
 */
export async function startTunnel(ports: Record<string, number>): Promise<Tunnel> {
	const sockets = new Set<Socket>();
	const server = createServer((_request, response) => response.writeHead(403).end());
	server.on('connect', (request, client, head) => {
		const port = ports[request.url ?? ''];
		if (port === undefined) {
			client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		const target = connect(port, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			target.write(head);
			// Either side may hang up at any time; then the other one is closed.
			pipeline(client, target, client, () => sockets.delete(target));
		});
		sockets.add(target);
		target.once('error', () => client.destroy());
	});
	const port = await freePort();
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${port}`,
		async stop() {
			for (const socket of sockets) socket.destroy();
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
