/** A history that lags behind the chain, contains only the newest entries, or loses those of undone blocks. */
import type { FaultParameters } from '../../sandbox/src/faults/fault.mts';
import { Dollars } from './support/dollars.mts';
import { useService } from '../support/sandbox/service.mts';

const HOUR = 3600;

describe('by settings', () => {
	const sandbox = useService({
		SANDBOX_HISTORY_LAG_BLOCKS: '2',
		SANDBOX_HISTORY_LAG_SECONDS: String(HOUR),
	});
	const dollars = new Dollars(sandbox);

	async function mineAt(time: number): Promise<void> {
		await dollars.chain.send('evm_setNextBlockTimestamp', [time]);
		await dollars.chain.send('evm_mine', []);
	}
	const isListed = async (hash: string) => (await dollars.isListed('anna-k', hash, 1))[0];

	test('an entry is listed when its block is deep enough and old enough', async () => {
		expect(await dollars.hashesOf('Nelly')).toEqual([]);
		const first = await dollars.send('Nelly', 'anna-k');
		expect(await dollars.balanceOf('anna-k')).toBe(1n);
		await mineAt((await dollars.timeOf(first.hash)) + HOUR);
		expect(await isListed(first.hash)).toBe(false);
		await dollars.mine();
		expect(await isListed(first.hash)).toBe(true);

		const second = await dollars.send('Nelly', 'anna-k');
		const time = await dollars.timeOf(second.hash);
		await mineAt(time + 1);
		await mineAt(time + HOUR - 1);
		expect(await isListed(second.hash)).toBe(false);
		await mineAt(time + HOUR);
		expect((await dollars.hashesOf('anna-k')).slice(0, 2)).toEqual([second.hash, first.hash]);
	});
});

describe('by fault', () => {
	const sandbox = useService({ SANDBOX_HISTORY_LIMIT: '4' });
	const dollars = new Dollars(sandbox);

	beforeEach(async () => {
		await sandbox().faults.clear();
	});

	// This test must run first: later ones set the chain's clock ahead of this machine's.
	test('an entry ages without further blocks', async () => {
		const { hash } = await dollars.send('Nelly', 'anna-k');
		const block = await dollars.chain.getBlockNumber();
		await dollars.faults.add({ kind: 'history-lag', params: { seconds: 1 } });
		let listed: string[] = [];
		while (!listed.includes(hash)) listed = await dollars.hashesOf('anna-k');
		expect(await dollars.chain.getBlockNumber()).toBe(block);
	});

	test.each<[params: FaultParameters, isListed: boolean]>([
		[{ blocks: 1 }, false],
		[{ seconds: HOUR }, false],
		[{ blocks: 0, seconds: 0 }, true],
		[{}, true],
	])('a lag of %j applies to one user and a number of checks', async (params, isListed) => {
		const { hash } = await dollars.send('Nelly', 'anna-k');
		const match = { path: dollars.historyPath('anna-k') };
		await dollars.faults.add({ kind: 'history-lag', match, times: 2, params });
		expect(await dollars.hashesOf('Nelly')).toContain(hash);
		expect(await dollars.isListed('anna-k', hash, 3)).toEqual([isListed, isListed, true]);
	});

	test('a window holds the newest of what is listed', async () => {
		const sent = await dollars.sendEach('Nelly', 'anna-k', ['1', '1', '1', '1', '1']);
		const newest = sent.map(({ hash }) => hash).toReversed();
		await dollars.faults.add({ kind: 'history-window', times: 3, params: { entries: 2 } });
		expect(await dollars.hashesOf('anna-k')).toEqual(newest.slice(0, 2));
		await dollars.faults.add({ kind: 'history-lag', times: 1, params: { blocks: 1 } });
		expect(await dollars.hashesOf('anna-k')).toEqual(newest.slice(1, 3));
		expect(await dollars.hashesOf('Nelly')).toEqual(newest.slice(0, 2));
		expect(await dollars.hashesOf('anna-k')).toEqual(newest.slice(0, 4));
		await dollars.faults.add({ kind: 'history-window', times: 1, params: { entries: 0 } });
		expect(await dollars.hashesOf('anna-k')).toEqual([]);
	});

	const hourly = { blocks: 2, seconds: HOUR };

	test.each<[what: string, lag: FaultParameters, mine: FaultParameters, isListed: boolean[]]>([
		['chain can advance by a block', { blocks: 3 }, {}, [false, false, true, true]],
		['clock of the chain can advance', { seconds: 2 * HOUR }, hourly, [false, true, true]],
	])('the %s with each check', async (_what, lag, mine, isListed) => {
		const { hash } = await dollars.send('Nelly', 'anna-k');
		const match = { path: dollars.historyPath('anna-k') };
		await dollars.faults.add({ kind: 'history-lag', match, params: lag });
		await dollars.faults.add({ kind: 'mine', match, params: mine });
		expect(await dollars.isListed('anna-k', hash, isListed.length)).toEqual(isListed);
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
});
