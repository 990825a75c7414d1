/** The blocks before a wallet joined: they are read downwards, and as far as the endpoints agree about them. */
import { isRead, readCursors } from '../../service/src/store/cursors.mts';
import { Resources } from '../support/resources.mts';
import { DEPTH } from './support/indexed.mts';
import { scriptedIndex } from './support/scripted-index.mts';

test.each([0, 1])(
	'logs that endpoint %i leaves out everywhere are waited for, downwards',
	async (liar) => {
		await using own = new Resources();
		const { chain, endpoints, db, read, pay, listed, truth, index, log } = await scriptedIndex(own);
		pay(1n);
		chain.mine(10);
		pay(2n);
		chain.mine(10);
		const second = chain.head - 9;
		pay(3n);
		chain.mine(2 * DEPTH);
		const logs = ['eth_getLogs', 'eth_getBlockReceipts'];
		for (const method of logs) {
			endpoints[liar]?.lie(method, (_request, honest) => {
				const answer = honest();
				const found: { blockNumber: string }[] = 'result' in answer ? Object(answer.result) : [];
				return { result: found.filter(({ blockNumber }) => Number(blockNumber) !== second) };
			});
		}
		endpoints[liar]?.lie('eth_getTransactionReceipt', () => ({ result: null }));
		await read();
		expect(await listed()).toEqual(truth().slice(0, 1));
		expect(await isRead(db, 0)).toBe(false);
		expect((await readCursors(db)).gaps).toMatchObject([{ block: second + 1, until: 0 }]);
		expect(index().unconfirmed).toBe(second);
		expect(log.filter((line) => line.includes(`in block ${second};`))).toHaveLength(1);
		endpoints[liar]?.becomeHonest();
		await read();
		expect(await listed()).toEqual(truth());
		expect(await isRead(db, 0)).toBe(true);
		expect(index().unconfirmed).toBeUndefined();
	},
);

test('a silent endpoint ends no history: older blocks are waited for', async () => {
	await using own = new Resources();
	const { chain, endpoints, db, read, pay, listed, truth, restart } = await scriptedIndex(own);
	pay(1n);
	chain.mine(2 * DEPTH);
	await read();
	await db
		.updateTable('cursors')
		.set({ block: 41, until: 0 })
		.where('until', 'is not', null)
		.execute();
	await db.deleteFrom('transfers').execute();
	if (endpoints[1]) endpoints[1].isDead = true;
	await restart();
	await read();
	expect(await listed()).toEqual([]);
	expect(await isRead(db, 0)).toBe(false);
	if (endpoints[1]) endpoints[1].isDead = false;
	await read();
	expect(await listed()).toEqual(truth());
	expect(await isRead(db, 0)).toBe(true);
});
