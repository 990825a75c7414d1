import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';
import { listenLocally, type LocalServer } from './local-server.mts';

/** Starts a web server on any free port of this machine, with a certificate that no client accepts: it is self-signed. */
export async function startTlsServer(answer: RequestListener): Promise<LocalServer> {
	const subject = [{ name: 'commonName', value: '127.0.0.1' }];
	const { private: key, cert } = await generate(subject, { keyType: 'ec', algorithm: 'sha256' });
	const server = await listenLocally(createServer({ key, cert }, answer));
	return { ...server, url: server.url.replace('http:', 'https:') };
}
