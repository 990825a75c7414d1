/** Blocks mined at the interval of `SANDBOX_BLOCK_SECONDS`. */
import { Dollars } from './support/dollars.mts';
import { useService } from '../support/sandbox/service.mts';
import { until } from '../support/until.mts';

describe('a day between two blocks', () => {
	const sandbox = useService({ SANDBOX_BLOCK_SECONDS: '86400' });
	const dollars = new Dollars(sandbox);

	test('writes are accepted immediately, one after the other, and are listed with the next block', async () => {
		const before = await dollars.balanceOf('anna-k');
		const sent = await dollars.sendEach('Nelly', 'anna-k', ['1', '2', '3']);
		const hashes = sent.map(({ hash }) => hash);
		const [first] = sent;
		expect(sent.map(({ tx }) => tx.nonce - (first?.tx.nonce ?? 0))).toEqual([0, 1, 2]);
		expect(await dollars.balanceOf('anna-k')).toBe(before);
		expect(await dollars.hashesOf('anna-k')).not.toContain(first?.hash);
		await dollars.mine();
		expect(await dollars.balanceOf('anna-k')).toBe(before + 6n);
		expect((await dollars.hashesOf('anna-k')).slice(0, 3)).toEqual(hashes.toReversed());
		const receipts = await Promise.all(
			hashes.map((hash) => dollars.chain.getTransactionReceipt(hash)),
		);
		expect(new Set(receipts.map((receipt) => receipt?.blockHash)).size).toBe(1);
	});

	test('a call that depends on a pending one is accepted', async () => {
		const { usd, payouts } = sandbox().contracts;
		await sandbox().write('Nelly', 'usd', 'approve(address,uint256)', [payouts, '14']);
		const args = [usd, sandbox().user('StormRider').address, '7'];
		const pay = 'payTwice(address,address,uint256)';
		const { status, hash } = (await sandbox().write('Nelly', 'payouts', pay, args)).data;
		expect(status).toBe('SUCCESS');
		await dollars.mine();
		expect((await dollars.hashesOf('StormRider')).slice(0, 2)).toEqual([hash, hash]);
	});

	test('a wallet without native coin receives some first, which takes no block', async () => {
		const { status, hash } = (await sandbox().write('newcomer', 'shapes', 'mark(uint256)', ['1']))
			.data;
		expect(status).toBe('SUCCESS');
		expect(await dollars.chain.getTransactionReceipt(hash)).toBeNull();
		await dollars.mine();
		expect(await dollars.chain.getTransactionReceipt(hash)).toMatchObject({ status: 1 });
	});

	test('an explorer page shows that a transaction is pending', async () => {
		const { hash } = await dollars.send('Nelly', 'anna-k');
		const page = async () => (await sandbox().anonymous.get(`/explorer/tx/${hash}`)).data;
		expect(await page()).toContain('pending');
		await dollars.mine();
		expect(await page()).toMatch(/succeeded in block \d+/);
	});
});

describe('a second between two blocks', () => {
	const sandbox = useService({ SANDBOX_BLOCK_SECONDS: '1' });
	const dollars = new Dollars(sandbox);

	test('blocks are made automatically, also without a transaction', async () => {
		const { chain } = dollars;
		expect(await chain.send('anvil_getIntervalMining', [])).toBe(1);
		const { hash } = await dollars.send('Nelly', 'anna-k');
		const receipt = await chain.waitForTransaction(hash);
		expect(receipt?.status).toBe(1);
		expect(await dollars.hashesOf('anna-k')).toContain(hash);
		const next = (receipt?.blockNumber ?? 0) + 1;
		await until(async () => (await chain.getBlockNumber()) >= next);
		expect((await chain.getBlock(next))?.transactions).toEqual([]);
	});
});
