/** A service that refuses a write for now says when it may come again: it waits, and is then sent once or not at all. */
import { setImmediate, setTimeout } from 'node:timers/promises';

import type { EngineRun } from './support/engine.mts';
import { Engine } from './support/engine.mts';
import { useScriptedService } from './support/scripted-service.mts';

const CONTRACT = '0x1111111111111111111111111111111111111111';

const service = useScriptedService();
let engine: Engine;

beforeAll(async () => {
	engine = await Engine.create();
});

describe('writes to a service that refuses each of them at first', () => {
	const RETRY_AFTER_S = 1;
	const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}`;

	/** Refuses each write once, and says when it may come again; gives the times at which they arrive. */
	function refuseEachOnce(seconds: number): number[] {
		const arrivals: number[] = [];
		const refused = new Set<string>();
		service().script = async ({ body }) => {
			arrivals.push(Date.now());
			if (!refused.has(body)) {
				refused.add(body);
				return { status: 429, headers: { 'retry-after': String(seconds) }, body: 'later' };
			}
			const hash = hashOf(arrivals.length / 2);
			return await Promise.resolve({
				body: JSON.stringify({ status: 'SUCCESS', explorerUrl: `https://x.test/tx/${hash}`, hash }),
			});
		};
		return arrivals;
	}

	const write = async (more: Partial<EngineRun>) =>
		await engine.run({
			parameters: {
				...{ resource: 'contract', operation: 'write', functionSource: 'signature' },
				...{ contractAddress: CONTRACT, abi: 'store(uint256)', argumentsMode: 'json' },
				args: '={{ [$json.number] }}',
			},
			credential: {
				baseUrl: service().baseUrl,
				accessToken: 'token',
				userId: '',
				allowWrites: true,
			},
			items: [1, 2, 3].map((number) => ({ number: String(number) })),
			...more,
		});

	test('go out in order, each once, when its time is over', async () => {
		const arrivals = refuseEachOnce(RETRY_AFTER_S);
		const { error, items } = await write({});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.hash)).toEqual([1, 2, 3].map(hashOf));
		const sent = service().requests.map(({ body }) => /"args":\[(.*?)\]/.exec(body)?.[1]);
		expect(sent).toEqual(['"1"', '"1"', '"2"', '"2"', '"3"', '"3"']);
		const pauses = [1, 3, 5].map((again) => (arrivals[again] ?? 0) - (arrivals[again - 1] ?? 0));
		// A timer may be a little early.
		expect(Math.min(...pauses)).toBeGreaterThan(RETRY_AFTER_S * 1000 - 50);
	});

	test('are never sent when the policy forbids them while they wait', async () => {
		const arrivals = refuseEachOnce(RETRY_AFTER_S);
		const { baseUrl } = service();
		const credential = {
			...{ baseUrl, accessToken: 'token', userId: '' },
			get allowWrites() {
				// Forbidden in the middle of the wait.
				return Date.now() < (arrivals[0] ?? Infinity) + 500;
			},
		};
		const { error } = await write({ credential });
		expect(error?.message).toContain('rule "Allow Writes"');
		expect(arrivals).toHaveLength(1);
	});

	test('are never sent when the execution is stopped while they wait', async () => {
		const arrivals = refuseEachOnce(60);
		const cancelWhen = (async () => {
			while (arrivals.length === 0) await setImmediate();
			await setTimeout(100);
		})();
		await write({ cancelWhen });
		await setTimeout(500);
		expect(arrivals).toHaveLength(1);
	});
});
