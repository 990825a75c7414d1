import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { listenLocally, type LocalServer } from './local-server.mts';

/** An HTTP proxy to servers on this machine only. */
export interface Proxy extends LocalServer {
	/** Targets of all requests, in order: a URL, or the host and port of a tunnel. */
	readonly targets: readonly string[];
}

/**
 * Starts a proxy that forwards requests and opens tunnels (RFC 9110, section 9.3.6: CONNECT) to the given hosts and ports
 * only, each mapped to a port of 127.0.0.1. The library `proxy-chain` cannot open a tunnel to a port other than the
 * requested one.
 *
 * @param refusal - The answer to the request for any other tunnel; `undefined` closes the connection.
 */
export async function startProxy(
	ports: Readonly<Record<string, number>>,
	refusal: string | undefined = 'HTTP/1.1 403 Forbidden\r\n\r\n',
): Promise<Proxy> {
	const targets: string[] = [];
	const server = createServer((incoming, answer) => {
		const { url = '', method, headers } = incoming;
		const port = ports[new URL(url, 'http://none').host];
		if (port === undefined) return void answer.writeHead(403).end();
		targets.push(url);
		const target = { hostname: '127.0.0.1', port };
		const outgoing = request(url, { ...target, method, headers }, (response) => {
			answer.writeHead(response.statusCode ?? 502, response.headers);
			response.pipe(answer);
		});
		outgoing.once('error', () => answer.destroy());
		incoming.pipe(outgoing);
	});
	server.on('connect', ({ url = '' }, client, head) => {
		const port = ports[url];
		if (port === undefined) return void client.end(refusal);
		targets.push(url);
		const target = connect(port, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			target.write(head);
			// If one side closes the connection, the other is closed too.
			pipeline(client, target, client, () => undefined);
		});
		target.once('error', () => client.destroy());
	});
	return { ...(await listenLocally(server)), targets };
}
