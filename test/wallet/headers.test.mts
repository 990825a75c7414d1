/** Headers that a proxy in front of the service could read in another way. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { refuseForeignHosts } from '../../service/src/routes/hosts.mts';
import { createServer } from '../../service/src/routes/server.mts';

const app = createServer({ logger: false });
refuseForeignHosts(app, 'https://wallet.example');
app.post('/', async () => ({ status: 'ok' }));
beforeAll(async () => await app.listen({ port: 0, host: '127.0.0.1' }));
afterAll(async () => await app.close());

/** Sends a request as it is. @returns the status line and the body */
async function send(target: string, ...headers: string[]): Promise<string> {
	const { port } = new URL(app.listeningOrigin);
	const socket = connect(Number(port), '127.0.0.1');
	const all = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close'];
	socket.write([`POST ${target} HTTP/1.1`, ...headers, ...all, '', '{}'].join('\r\n'));
	const answer = await text(socket);
	return `${answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)} ${answer.split('\r\n\r\n')[1]}`;
}

const LOCAL = 'Host: localhost';

test.each<[what: string, target: string, headers: string[], answer: RegExp]>([
	['a request', '/', [LOCAL], /^200 /],
	['a URL with the own host', 'http://localhost/', [LOCAL], /^200 /],
	['a URL with the public host', 'https://wallet.example/', [LOCAL], /^200 /],
	['the public host with the port of https', '/', ['Host: Wallet.example:443'], /^200 /],
	['the public host at another port', '/', ['Host: wallet.example:80'], /^421 /],
	['a URL with another host', 'http://evil.example/', [LOCAL], /^421 .*not evil\.example/],
	['a second host', '/', [LOCAL, 'host: evil.example'], /^400 .*host must be sent once/],
	['a second token', '/', [LOCAL, 'Authorization: a', 'Authorization: b'], /^400 .*authorization/],
	['a second type', '/', [LOCAL, 'Content-Type: text/plain'], /^400 .*content-type must/],
	['a compressed body', '/', [LOCAL, 'Content-Encoding: gzip'], /^415 .*must not be compressed/],
	['a body that is not compressed', '/', [LOCAL, 'Content-Encoding: identity'], /^200 /],
])('%s', async (_what, target, headers, answer) => {
	expect(await send(target, ...headers)).toMatch(answer);
});
