/**
 * Another client of a service, which sends requests until its parent ends it. The client keeps a number of requests in
 * flight, and pauses as long as a refusal requires.
 *
 *   node bench/other-client.mts <base URL> <in flight>
 */
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { PLAIN_REQUESTS } from './calls.mts';
import { listItems } from './items.mts';
import { PlainClient } from './plain-client.mts';

/** Pause required by a refusal of the stub server, in milliseconds. */
const RETRY_AFTER = 1000;

const [, , baseUrl = '', inFlight] = process.argv;
const client = new PlainClient(new Agent({ keepAlive: true }), baseUrl, 'another client');
const requests = listItems(1).map(PLAIN_REQUESTS.balance);

const ask = async (): Promise<never> => {
	for (;;) {
		for (const request of requests) {
			const { status } = await client.send(request);
			if (status === 429) await setTimeout(RETRY_AFTER);
		}
	}
};
await Promise.all(Array.from({ length: Number(inFlight) }, ask));
