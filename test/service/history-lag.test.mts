/** A history that lags behind the chain, or contains only the newest entries. */
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
});
