/**
 * The service of the benchmark, in its own process: it answers like the reference service but does no work, so that only
 * the client is measured. `node bench/stub-server.mts` prints its address first.
 *
 *   <address>/<service>/v1/...   the interface of a kind of service (see service-profiles.mts); the service `n`, a number,
 *                                delays each answer by n milliseconds
 *   <address>/items?count=       input items; resets the counts
 *   <address>/counts             the counts since then, see `StubCounts`
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer } from '../tools/network/local-server.mts';
import { SERVICE_TOKEN } from './calls.mts';
import { listItems } from './items.mts';
import type { Clock, Service } from './service-profiles.mts';
import { isProfileName, SERVICE_PROFILES, steady } from './service-profiles.mts';

/** Counts since the input items were requested. */
export interface StubCounts {
	/** Requests of the measured client, and the maximum in flight. */
	requests: number;
	mostInFlight: number;
	/** Share of refused requests in the last two thirds of a run, after it has settled. */
	refusedShare: number;
	/** Answered requests of another client, per second. */
	otherPerSecond: number;
}

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

const TOO_MANY = '{"error":"Too many requests"}';

const clock: Clock = {
	get now() {
		return performance.now();
	},
	after(milliseconds, run) {
		// Deferred, so that requests arriving at the same time count as in flight together.
		if (milliseconds === 0) setImmediate(run);
		else setTimeout(run, milliseconds);
	},
};

const services = new Map<string, Service>();

function serviceOf(name: string): Service {
	const known = services.get(name);
	if (known !== undefined) return known;
	const profile = isProfileName(name) ? SERVICE_PROFILES[name].profile : steady(Number(name));
	const service = profile(clock, Math.random);
	services.set(name, service);
	return service;
}

let mostInFlight = 0;
let inFlight = 0;
let others = 0;
let statuses: number[] = [];
let countedSince = clock.now;

function startCount(): void {
	mostInFlight = 0;
	others = 0;
	statuses = [];
	countedSince = clock.now;
}

function counts(): StubCounts {
	const settled = statuses.slice(Math.ceil(statuses.length / 3));
	const refused = settled.filter((status) => status !== 200);
	return {
		requests: statuses.length,
		mostInFlight,
		refusedShare: settled.length === 0 ? 0 : refused.length / settled.length,
		otherPerSecond: (1000 * others) / (clock.now - countedSince),
	};
}

function send(response: ServerResponse, body: string, status = 200): void {
	response.writeHead(status, {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
		...(status === 429 && { 'retry-after': '1' }),
	});
	response.end(body);
}

/** Answers a request; like a real service, only after reading all of it. */
function answer(request: IncomingMessage, response: ServerResponse, service: Service): void {
	const isMeasured = request.headers.authorization === `Bearer ${SERVICE_TOKEN}`;
	if (isMeasured) {
		inFlight += 1;
		mostInFlight = Math.max(mostInFlight, inFlight);
	}
	const reply = (status: number) => {
		if (isMeasured) {
			inFlight -= 1;
			statuses.push(status);
		} else if (status === 200) others += 1;
		const body = request.method === 'POST' ? READ_RESULT : NATIVE_BALANCE;
		send(response, status === 200 ? body : TOO_MANY, status);
	};
	request.resume().on('end', () => service(reply));
}

const { url } = await startLocalServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
	const [, first = '', version] = pathname.split('/');
	if (version === 'v1') {
		if (request.headers.authorization?.startsWith('Bearer ') === true)
			answer(request, response, serviceOf(first));
		else send(response, '{"error":"Unauthorized"}', 401);
	} else if (first === 'items') {
		startCount();
		const contract = searchParams.get('contract') ?? undefined;
		send(response, JSON.stringify(listItems(Number(searchParams.get('count')), contract)));
	} else {
		send(response, JSON.stringify(counts()));
	}
});
console.log(url);
