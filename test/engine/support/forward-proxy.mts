import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { once } from 'node:events';

/** An HTTP proxy on this machine, as companies have them. */
export interface ForwardProxy {
	readonly url: string;
	/** Targets of what went through it, in order: a URL, or host and port of a tunnel. */
	readonly targets: readonly string[];
	stop(): Promise<void>;
}

/** Starts a proxy on a free port; it forwards requests and opens tunnels. */
export async function startForwardProxy(): Promise<ForwardProxy> {
	const targets: string[] = [];
	const server = createServer((incoming, answer) => {
		const { url = '', method, headers } = incoming;
		targets.push(url);
		const outgoing = request(url, { method, headers }, (response) => {
			answer.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(answer);
		});
		incoming.pipe(outgoing);
	});
	server.on('connect', ({ url = '' }, client) => {
		targets.push(url);
		const { hostname, port } = new URL(`http://${url}`);
		const target = connect(Number(port), hostname, () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			client.pipe(target).pipe(client);
		});
		target.on('error', () => client.destroy());
		client.on('error', () => target.destroy());
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		targets,
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
