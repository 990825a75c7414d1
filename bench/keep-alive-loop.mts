/**
 * The floor: the same requests from a plain loop over keep-alive connections, without n8n.
 *
 *   node bench/keep-alive-loop.mts <stub URL> <latency in ms> <balance|read> <items> <in flight>
 */
import { Agent, request } from 'node:http';
import type { RunMeasurement } from './measured-child.mts';
import axios from 'axios';
import { CALLS, plainRequests } from './calls.mts';
import type { PlainRequest } from './calls.mts';
import type { BenchmarkItem } from './items.mts';
import { WARM_UP_ITEMS } from './workflows.mts';

const [, , stubUrl = '', latency = '0', callName, count, inFlight] = process.argv;
const call = CALLS.find((name) => name === callName) ?? CALLS[0];
const agent = new Agent({ keepAlive: true, maxSockets: Number(inFlight) });

async function send({ method, path, body }: PlainRequest): Promise<unknown> {
	const headers = {
		authorization: 'Bearer benchmark',
		...(body === '' ? {} : { 'content-type': 'application/json' }),
	};
	return await new Promise((resolve, reject) => {
		const outgoing = request(
			`${stubUrl}/${latency}${path}`,
			{ agent, method, headers },
			(response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
				response.on('error', reject);
			},
		);
		outgoing.on('error', reject);
		outgoing.end(body);
	});
}

async function listItems(count: number): Promise<BenchmarkItem[]> {
	const { data } = await axios.get<BenchmarkItem[]>(`${stubUrl}/items`, { params: { count } });
	return data;
}

async function sendAll(items: BenchmarkItem[]): Promise<unknown[]> {
	const requests = plainRequests(call, items);
	const answers: unknown[] = [];
	let next = 0;
	const work = async () => {
		for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
			answers.push(await send(one));
		}
	};
	await Promise.all(Array.from({ length: Number(inFlight) }, work));
	return answers;
}

await sendAll(await listItems(WARM_UP_ITEMS));
const items = await listItems(Number(count));
const started = performance.now();
const answers = await sendAll(items);
const measurement: RunMeasurement = {
	milliseconds: performance.now() - started,
	items: answers.length,
	peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
};
process.send?.(measurement);
agent.destroy();
process.disconnect();
