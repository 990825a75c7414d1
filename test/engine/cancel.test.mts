/** The stop button: unsent writes remain unsent. */
import { echoCall, storeCall } from './support/contract-calls.mts';
import { useNode } from './support/use-node.mts';
import { useService } from '../support/sandbox/service.mts';

const node = useNode(useService());

const items = Array.from({ length: 200 }, () => ({}));
const requests = async () => (await node.service.faults.requests()).length;

/** Fulfilled when this many requests have reached the service. */
async function reached(count: number): Promise<void> {
	while ((await requests()) < count);
}

test('a cancelled run of reads sends no more', async () => {
	await node.service.faults.add({ kind: 'latency', params: { ms: 50 } });
	const echo = { ...echoCall(node.service.contracts.shapes), options: { concurrency: 2 } };
	await node.run(echo, { items, cancelWhen: reached(6) });
	const sent = await requests();
	expect(sent).toBeGreaterThanOrEqual(6);
	expect(sent).toBeLessThan(30);
	// Anything left in the queue would be sent within the next turns of the event loop.
	await node.service.chain.getBlockNumber();
	expect(await requests()).toBe(sent);
});

test('a cancelled run of writes sends no more, and each sent one is on the chain once', async () => {
	const { address } = node.service.user();
	const before = await node.service.chain.getTransactionCount(address);
	await node.run(storeCall(node.service.contracts.shapes), { items, cancelWhen: reached(5) });
	const sent = await requests();
	expect(sent).toBeGreaterThanOrEqual(5);
	expect(sent).toBeLessThan(items.length);
	const onChain = (await node.service.chain.getTransactionCount(address)) - before;
	expect([sent, sent - 1]).toContain(onChain);
});
