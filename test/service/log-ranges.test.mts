/** On a chain at `RPC_URL`, logs are read in ranges, as providers require. */
import { untilMined } from '../support/until.mts';
import { startBoundedRpc, type BoundedRpc } from './support/bounded-rpc.mts';
import { Dollars } from './support/dollars.mts';
import { useResources } from '../support/resources.mts';
import { Service, useService } from '../support/sandbox/service.mts';

const MAX_BLOCKS = 5;

const own = useService();
const dollars = new Dollars(own);
const resources = useResources();
let rpc: BoundedRpc;

/** Another service, on the chain behind the bounded endpoint. */
async function startOnRpc(env: Record<string, string>): Promise<Dollars> {
	const service = await resources.use(Service.start({ RPC_URL: rpc.url, ...env }));
	rpc.asked.length = 0;
	return new Dollars(() => service);
}

beforeAll(async () => {
	rpc = await resources.use(startBoundedRpc(own().ready.rpcUrl, MAX_BLOCKS));
});

/** The requested ranges of logs, each once, in order. */
function ranges(): string[] {
	return [...new Set(rpc.asked.map(({ from, to }) => `${from}-${to}`))];
}

test('a history is read from the newest block back to the first one, in ranges', async () => {
	const onRpc = await startOnRpc({ SANDBOX_BLOCKS_PER_REQUEST: String(MAX_BLOCKS) });
	const head = await own().chain.getBlockNumber();
	expect(await onRpc.hashesOf('Nelly')).toEqual(await dollars.hashesOf('Nelly'));
	const expected = [];
	for (let to = head; to >= 0; to -= MAX_BLOCKS) {
		expected.push(`${Math.max(0, to - MAX_BLOCKS + 1)}-${to}`);
	}
	expect(expected.length).toBeGreaterThan(4);
	expect(ranges()).toEqual(expected);
	const [first] = rpc.asked;
	const tooMany = { fromBlock: head - MAX_BLOCKS, toBlock: first?.to ?? 0 };
	const refusal = `query exceeds max block range ${MAX_BLOCKS}`;
	await expect(onRpc.chain.getLogs(tooMany)).rejects.toThrow(refusal);
});

test('logs are read no further back than the newest entries and the start block require, without commands of anvil', async () => {
	await dollars.send('Nelly', 'anna-k');
	const head = await own().chain.getBlockNumber();
	const onRpc = await startOnRpc({
		SANDBOX_BLOCKS_PER_REQUEST: String(MAX_BLOCKS),
		SANDBOX_START_BLOCK: String(head + 1),
	});
	const { hash } = await onRpc.send('Nelly', 'anna-k');
	await untilMined(own().chain, hash);
	await dollars.mine(5);
	expect(await onRpc.hashesOf('Nelly')).toEqual([hash]);
	expect(ranges()).toEqual([`${head + 2}-${head + 6}`, `${head + 1}-${head + 1}`]);

	const last = await onRpc.send('Nelly', 'anna-k');
	await untilMined(own().chain, last.hash);
	rpc.asked.length = 0;
	await onRpc.faults.add({ kind: 'history-window', times: 1, params: { entries: 1 } });
	expect(await onRpc.hashesOf('Nelly')).toEqual([last.hash]);
	expect(ranges()).toEqual([`${head + 3}-${head + 7}`]);

	for (const kind of ['mine', 'reorg'] as const) {
		const error = `The fault ${kind} needs a development chain (anvil)`;
		const response = { status: 400, data: { field: 'kind', error } };
		await expect(onRpc.faults.add({ kind })).rejects.toMatchObject({ response });
	}
});
