/** The stop button: what has not been sent stays unsent. */
import { echoCall } from './support/contract-calls.mts';
import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';
import { useResources } from '../support/resources.mts';

let engine: Engine;
let service: Service;

const resources = useResources();
beforeAll(async () => {
	[engine, service] = await Promise.all([Engine.create(), resources.use(Service.start())]);
});
afterEach(async () => await service.faults.reset());

const items = Array.from({ length: 200 }, () => ({}));

/** Fulfilled when so many requests have reached the service. */
async function reached(count: number): Promise<void> {
	while ((await service.faults.requests()).length < count);
}

test('a cancelled run of reads sends no more', async () => {
	await service.faults.add({ kind: 'latency', params: { ms: 50 } });
	await engine.run({
		parameters: {
			...echoCall(service.contracts.shapes),
			options: { concurrency: 2 },
		},
		credential: service.credential(),
		items,
		cancelWhen: reached(6),
	});
	const sent = (await service.faults.requests()).length;
	expect(sent).toBeGreaterThanOrEqual(6);
	expect(sent).toBeLessThan(30);
	// Had anything been left in the queue it would go out within the next turns.
	await service.chain.getBlockNumber();
	expect((await service.faults.requests()).length).toBe(sent);
});

test('a cancelled run of writes sends no more, and each sent one is on the chain once', async () => {
	const { address } = service.user();
	const before = await service.chain.getTransactionCount(address);
	await engine.run({
		parameters: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			argumentsMode: 'json',
			contractAddress: service.contracts.shapes,
			abi: 'store(uint256)',
			args: '["1"]',
		},
		credential: service.credential(),
		items,
		cancelWhen: reached(5),
	});
	const sent = (await service.faults.requests()).length;
	expect(sent).toBeGreaterThanOrEqual(5);
	expect(sent).toBeLessThan(items.length);
	const onChain = (await service.chain.getTransactionCount(address)) - before;
	expect([sent, sent - 1]).toContain(onChain);
});
