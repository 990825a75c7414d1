/** Blocks that are undone after their transfers have been listed. */
import { Dollars } from './support/dollars.mts';
import { useService } from '../support/sandbox/service.mts';

const sandbox = useService();
const dollars = new Dollars(sandbox);

beforeEach(async () => {
	await sandbox().faults.clear();
});

/** Sets the chain's clock forward. */
async function later(seconds: number): Promise<void> {
	await dollars.chain.send('evm_increaseTime', [seconds]);
}

test('a transfer disappears with its block, and later ones are as if it had never been made', async () => {
	const before = await dollars.balanceOf('anna-k');
	const count = await dollars.transactionsOf('Nelly');
	const { hash } = await dollars.send('Nelly', 'anna-k');
	const head = await dollars.chain.getBlockNumber();
	const match = { path: dollars.historyPath('anna-k') };
	await dollars.faults.add({ kind: 'reorg', match, skip: 1, times: 1 });
	expect(await dollars.isListed('anna-k', hash, 3)).toEqual([true, false, false]);
	expect(await dollars.hashesOf('Nelly')).not.toContain(hash);
	expect(await dollars.chain.getBlockNumber()).toBe(head);
	expect(await dollars.chain.getTransactionReceipt(hash)).toBeNull();
	expect(await dollars.balanceOf('anna-k')).toBe(before);
	expect(await dollars.transactionsOf('Nelly')).toBe(count);

	const next = await dollars.send('Nelly', 'anna-k', '2');
	expect(next.tx.nonce).toBe(count);
	expect((await dollars.hashesOf('anna-k'))[0]).toBe(next.hash);
	expect(await dollars.balanceOf('anna-k')).toBe(before + 2n);
});

test('transfers can reappear, in other blocks with other times', async () => {
	const before = await dollars.balanceOf('anna-k');
	const [first, second] = [
		await dollars.send('Nelly', 'anna-k', '3'),
		await later(100).then(() => dollars.send('Rahul Sen', 'anna-k', '4')),
	];
	const blockOf = async (hash: string) =>
		(await dollars.chain.getTransactionReceipt(hash))?.blockHash ?? '';
	const old = [await blockOf(first.hash), await blockOf(second.hash)];
	const listed = await dollars.historyOf('anna-k');
	await dollars.faults.add({ kind: 'reorg', times: 1, params: { blocks: 2, comesBack: true } });
	const entries = await dollars.historyOf('anna-k');
	expect(entries.slice(0, 2).map(({ hash }) => hash)).toEqual([second.hash, first.hash]);
	const now = [await blockOf(first.hash), await blockOf(second.hash)];
	expect(new Set([...old, ...now]).size).toBe(4);
	expect(entries[1]?.timestamp).not.toBe(listed[1]?.timestamp);
	const time = await dollars.timeOf(first.hash);
	expect(entries[1]?.timestamp).toBe(new Date(time * 1000).toISOString());
	expect(await dollars.balanceOf('anna-k')).toBe(before + 7n);
});

test('the clock of the chain continues', async () => {
	const first = await dollars.timeOf((await dollars.send('Nelly', 'anna-k')).hash);
	await later(3600);
	const second = await dollars.send('Nelly', 'anna-k');
	expect(await dollars.timeOf(second.hash)).toBeGreaterThanOrEqual(first + 3600);
	await dollars.faults.add({ kind: 'reorg', times: 1, params: { comesBack: true } });
	await dollars.historyOf('anna-k');
	expect(await dollars.timeOf(second.hash)).toBeGreaterThanOrEqual(first + 3600);
	await dollars.faults.add({ kind: 'reorg', times: 1, params: { blocks: 2 } });
	await dollars.historyOf('anna-k');
	const third = await dollars.send('Nelly', 'anna-k');
	expect(await dollars.timeOf(third.hash)).toBeGreaterThanOrEqual(first + 3600);
});

test('only the newest blocks are undone', async () => {
	const sent = await dollars.sendEach('Nelly', 'anna-k', ['1', '2', '3']);
	await dollars.faults.add({ kind: 'reorg', times: 1, params: { blocks: 2 } });
	const hashes = await dollars.hashesOf('anna-k');
	expect(sent.map(({ hash }) => hashes.includes(hash))).toEqual([true, false, false]);
});

test('a transfer that waited for a block is not undone', async () => {
	const mined = await dollars.send('Nelly', 'anna-k');
	await dollars.chain.send('evm_setAutomine', [false]);
	const waiting = await dollars.send('Rahul Sen', 'anna-k');
	await dollars.faults.add({ kind: 'reorg', times: 1 });
	expect((await dollars.hashesOf('anna-k'))[0]).not.toBe(mined.hash);
	await dollars.mine();
	expect((await dollars.hashesOf('anna-k'))[0]).toBe(waiting.hash);
	await dollars.chain.send('evm_setAutomine', [true]);
});
