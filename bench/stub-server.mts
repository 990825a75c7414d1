/**
 * The service of the benchmark, as a process of its own: it answers like the reference service but does no work, so that what is
 * measured is the client. `node bench/stub-server.mts`; the first line it prints is its address.
 *
 *   <address>/<n>/v1/...    the interface, each answer held back for n milliseconds
 *   <address>/items?count=  so many input items; starts a new count of requests
 *   <address>/counts        requests to the interface since then, and how many of them were in flight at most
 */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { listItems } from './items.mts';

const NATIVE_BALANCE = JSON.stringify({
	ETH: {
		balance: '1234500000000000000',
		balanceBn: { type: 'BigNumber', hex: '0x1121d33597384000' },
		formatted: '1.2345',
		decimals: 18,
		symbol: 'ETH',
		name: 'Ether',
		tokenAddress: null,
		network: 'sandbox',
		chainId: 31337,
	},
});

const READ_RESULT = JSON.stringify({
	status: 'SUCCESS',
	explorerUrl: 'http://127.0.0.1/explorer/address/0x5FbDB2315678afecb367f032d93F642f64180aa3',
	response: { type: 'BigNumber', hex: '0x1121d33597384000' },
});

const counts = { requests: 0, inFlight: 0, mostInFlight: 0 };

function send(response: ServerResponse, body: string, status = 200): void {
	response.writeHead(status, {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
	});
	response.end(body);
}

/** Reads the whole request first, as a real service does. */
function answer(request: IncomingMessage, response: ServerResponse, latency: number): void {
	counts.requests += 1;
	counts.inFlight += 1;
	counts.mostInFlight = Math.max(counts.mostInFlight, counts.inFlight);
	const isAuthorized = request.headers.authorization?.startsWith('Bearer ') === true;
	const reply = () => {
		counts.inFlight -= 1;
		if (isAuthorized) send(response, request.method === 'POST' ? READ_RESULT : NATIVE_BALANCE);
		else send(response, '{"error":"Unauthorized"}', 401);
	};
	request.resume().on('end', () => {
		// Not at once, so that what has arrived at the same time counts as in flight together.
		if (latency === 0) setImmediate(reply);
		else setTimeout(reply, latency);
	});
}

const server = createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
	const [, first = '', version] = pathname.split('/');
	if (version === 'v1') {
		answer(request, response, Number(first));
	} else if (first === 'items') {
		Object.assign(counts, { requests: 0, mostInFlight: 0 });
		send(response, JSON.stringify(listItems(Number(searchParams.get('count')))));
	} else {
		send(response, JSON.stringify(counts));
	}
});
// Thousands of connections can be opened at the same moment.
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No TCP port was assigned');
	console.log(`http://127.0.0.1:${address.port}`);
});
