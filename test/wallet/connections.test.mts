/** Connections that ask for nothing, with few descriptors: whoever has a token, and whoever checks the service, is answered. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import axios from 'axios';
import { inTests, Resources, useResources } from '../support/resources.mts';
import { install } from './support/network-and-service.mts';
import { pay, payloadOf } from './support/payment.mts';

/** Descriptors of the service, and connections of each kind, each of which would be more than the half of them. */
const DESCRIPTORS = 256;
const CONNECTIONS = 300;

const ENDLESS_HEAD = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n';
const ENDLESS_BODY =
	'PUT /v1/writes/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{';

const resources = useResources();
const installed = inTests(beforeAll, async () => await install(resources, 'sqlite'));

/** Opens a connection that sends this, and nothing more. */
async function open(url: string, sent: string): Promise<Socket> {
	const { hostname, port } = new URL(url);
	const socket = connect(Number(port), hostname);
	socket.on('error', () => undefined).resume();
	await once(socket, 'connect');
	socket.write(sent);
	return socket;
}

test.each([
	['are silent', ''],
	['never end their headers', ENDLESS_HEAD],
	['have no token and never end their body', ENDLESS_BODY],
])('of many connections that %s, the oldest ones are closed', async (_what, sent) => {
	const { service, payers } = installed();
	const [payer] = payers;
	if (!payer) throw new Error('There are no users');
	await using running = new Resources();
	await running.use(service.start(undefined, {}, DESCRIPTORS));
	const sockets: Socket[] = [];
	await running.use({
		[Symbol.asyncDispose]: async () => sockets.forEach((socket) => socket.destroy()),
	});
	for (let count = 0; count < CONNECTIONS; count++) sockets.push(await open(service.url, sent));
	expect((await axios.get(`${service.url}/healthz`, { timeout: 20_000 })).status).toBe(200);
	const key = `order ${sent.length}`;
	const told = await pay(service.url, payer, key, payloadOf(sent.length + 1), 60_000);
	expect(told).toMatchObject({ code: 200 });
	expect(sockets.filter(({ closed }) => closed).length).toBeGreaterThan(CONNECTIONS / 2);
});
