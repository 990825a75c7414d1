/**
 * Measures the lower limit of the cost per item: a plain loop sends the same requests over keep-alive connections,
 * without n8n.
 *
 *   node bench/keep-alive-loop.mts <items URL> <base URL> <token> <balance|read|write> <items> <warm-up items> <in flight>
 */
import { Agent } from 'node:http';
import axios from 'axios';
import { PLAIN_REQUESTS } from './calls.mts';
import type { BenchmarkItem } from './items.mts';
import type { RunMeasurement } from './measured-child.mts';
import { PlainClient } from './plain-client.mts';

const [, , itemsUrl = '', baseUrl = '', token = '', call = '', count, warmUp, inFlight] =
	process.argv;
if (!(call in PLAIN_REQUESTS)) throw new Error(`Unknown call "${call}"`);
const requestOf = PLAIN_REQUESTS[call as keyof typeof PLAIN_REQUESTS];
const agent = new Agent({ keepAlive: true, maxSockets: Number(inFlight) });
const client = new PlainClient(agent, baseUrl, token);

async function listItems(wanted: number): Promise<BenchmarkItem[]> {
	const { data } = await axios.get<BenchmarkItem[]>(itemsUrl, { params: { count: wanted } });
	return data;
}

async function sendAll(items: readonly BenchmarkItem[]): Promise<unknown[]> {
	const requests = items.map(requestOf);
	const answers: unknown[] = [];
	let next = 0;
	const work = async () => {
		for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
			const { status, value } = await client.send(one);
			if (status !== 200) throw new Error(`HTTP ${status}: ${JSON.stringify(value)}`);
			answers.push(value);
		}
	};
	await Promise.all(Array.from({ length: Number(inFlight) }, work));
	return answers;
}

await sendAll(await listItems(Number(warmUp)));
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
