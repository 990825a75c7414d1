/** Which connection is closed when there are too many. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Connections } from '../../service/src/routes/connections.mts';

const MOST = 5;
/** More than the buffers of a connection hold. */
const LONG = 20_000_000;

const sockets: Socket[] = [];
const server = createServer(async ({ url }, response) => {
	if (url === '/slow') await setTimeout(500);
	response.end('x'.repeat(url === '/long' ? LONG : 1));
});

beforeAll(async () => {
	new Connections(server, MOST);
	await once(server.listen(0), 'listening');
});

afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

afterAll(() => server.close());

async function ask(path: string, more = ''): Promise<Socket> {
	const { port } = server.address() as AddressInfo;
	const socket = connect(port, '127.0.0.1').on('error', () => undefined);
	sockets.push(socket);
	await once(socket, 'connect');
	socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n${more}`);
	return socket;
}

/** The beginning of an answer; empty if the connection is closed without one. */
async function answerTo(socket: Socket): Promise<string> {
	if (socket.closed) return '';
	const [part] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as unknown[];
	return Buffer.isBuffer(part) ? part.toString('latin1', 0, 12) : '';
}

test.each([
	['read no answer', ''],
	['read no answer, and never end their next request', 'PUT / HTTP/1.1\r\nHost: localhost\r\n'],
])('callers who %s shut out nobody, and cut no open request', async (_what, more) => {
	const first = answerTo(await ask('/slow'));
	for (let count = 0; count < 2 * MOST; count++) (await ask('/long', more)).pause();
	await setTimeout(200);
	const answers = [await first, await answerTo(await ask('/short'))];
	expect(answers).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
});
