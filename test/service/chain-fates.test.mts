/** Writes that are accepted with a hash but fail, vanish or are replaced on the chain. */
import { Dollars } from './support/dollars.mts';
import { useService } from '../support/sandbox/service.mts';

// By default, each transaction makes a block.
describe.each(['0', '86400'])('with %s seconds between blocks', (SANDBOX_BLOCK_SECONDS) => {
	const sandbox = useService({ SANDBOX_BLOCK_SECONDS });
	const dollars = new Dollars(sandbox);

	const faultsHit = async () => (await dollars.faults.requests()).map(({ fault }) => fault);

	beforeEach(async () => {
		await dollars.mine();
		await dollars.faults.reset();
	});

	test('a transaction that reverts is accepted with its hash and does nothing in its block', async () => {
		const before = await dollars.balanceOf('Rahul Sen');
		const count = await dollars.transactionsOf('Nelly');
		await dollars.faults.add({ kind: 'revert-transaction', times: 1 });
		const { hash } = await dollars.send('Nelly', 'Rahul Sen');
		await dollars.mine();
		const receipt = await dollars.chain.getTransactionReceipt(hash);
		expect(receipt).toMatchObject({ status: 0, logs: [] });
		expect(await dollars.transactionsOf('Nelly')).toBe(count + 1);
		expect(await dollars.balanceOf('Rahul Sen')).toBe(before);
		expect(await dollars.hashesOf('Nelly')).not.toContain(hash);
	});

	test('a call that cannot be made to revert is not reported as reverted', async () => {
		const count = await dollars.transactionsOf('Nelly');
		await dollars.faults.add({ kind: 'revert-transaction', times: 1 });
		// Even the lowest gas limit that a chain accepts for this call is enough to run it.
		const args = [`0x${'11'.repeat(3000)}`];
		const { status } = await sandbox().write('Nelly', 'shapes', 'anything(bytes)', args);
		expect(status).toBe(500);
		await dollars.mine();
		expect(await dollars.transactionsOf('Nelly')).toBe(count);
	});

	test('a dropped transaction is never mined, even if the same call is sent again', async () => {
		const before = await dollars.balanceOf('Rahul Sen');
		const count = await dollars.transactionsOf('Nelly');
		await dollars.faults.add({ kind: 'drop-transaction', times: 2 });
		const send = async () => (await dollars.send('Nelly', 'Rahul Sen')).hash;
		const lost = [await send(), await send()];
		await dollars.mine();
		expect(await dollars.transactionsOf('Nelly')).toBe(count);
		const hash = await send();
		await dollars.mine();
		expect(new Set([...lost, hash]).size).toBe(3);
		const hashes = await dollars.hashesOf('Nelly');
		expect(hashes[0]).toBe(hash);
		for (const one of lost) {
			expect(await dollars.chain.getTransaction(one)).toBeNull();
			expect(hashes).not.toContain(one);
		}
		expect(await dollars.balanceOf('Rahul Sen')).toBe(before + 1n);
	});

	test('a transaction that is replaced takes effect once, at its place, under another hash', async () => {
		const before = await dollars.balanceOf('Rahul Sen');
		await dollars.faults.add({ kind: 'replace-transaction', times: 1 });
		const { hash, tx } = await dollars.send('Nelly', 'Rahul Sen', '3');
		await dollars.mine();
		expect(await dollars.chain.getTransaction(hash)).toBeNull();
		expect(await dollars.balanceOf('Rahul Sen')).toBe(before + 3n);
		const [entry] = await dollars.historyOf('Rahul Sen');
		const replacement = await dollars.chain.getTransaction(entry?.hash ?? '');
		expect(replacement?.hash).not.toBe(hash);
		expect(replacement).toMatchObject({ nonce: tx.nonce, from: tx.from, data: tx.data });
		expect(await dollars.hashesOf('Nelly')).not.toContain(hash);
	});

	test('earlier and later writes are mined under their own hashes', async () => {
		for (const fate of ['revert', 'drop', 'replace'] as const) {
			await dollars.faults.add({ kind: `${fate}-transaction`, skip: 1, times: 1 });
		}
		const sent = await dollars.sendEach('Nelly', 'Rahul Sen', ['1', '2', '3', '4', '5']);
		await dollars.mine();
		const receipts = await Promise.all(
			sent.map(({ hash }) => dollars.chain.getTransactionReceipt(hash)),
		);
		expect(receipts.map((receipt) => receipt?.status)).toEqual([1, 0, undefined, undefined, 1]);
	});

	test('faults can be limited to the writes of one user', async () => {
		const caller = sandbox().user('Rahul Sen').id;
		await dollars.faults.add({ kind: 'drop-transaction', match: { caller }, times: 2 });
		const isMined = async (hash: string) => (await dollars.chain.getTransaction(hash)) !== null;
		const mined = [];
		for (const from of ['Nelly', 'Rahul Sen', 'Nelly', 'Rahul Sen', 'Rahul Sen'] as const) {
			mined.push(await isMined((await dollars.send(from, 'mika_dev')).hash));
		}
		expect(mined).toEqual([true, false, true, false, true]);
	});

	test('faults hit only the requests that they can affect, whatever they match', async () => {
		await dollars.faults.add({ kind: 'drop-transaction', times: 1 });
		await dollars.faults.add({ kind: 'history-window', times: 1, params: { entries: 2 } });
		await dollars.balanceOf('Nelly');
		expect(await dollars.historyOf('Nelly')).toHaveLength(2);
		const { hash } = await dollars.send('Nelly', 'Rahul Sen');
		expect(await dollars.chain.getTransaction(hash)).toBeNull();
		expect(await faultsHit()).toEqual([null, 'history-window', 'drop-transaction']);
	});

	test('an answer and a transaction can be lost together', async () => {
		const before = await dollars.balanceOf('Rahul Sen');
		const count = await dollars.transactionsOf('Nelly');
		const params = { status: 502, afterWork: true };
		await dollars.faults.add({ kind: 'revert-transaction', times: 1 });
		await dollars.faults.add({ kind: 'status-text', params, times: 1, match: { method: 'POST' } });
		const args = [sandbox().user('Rahul Sen').address, '1'];
		const { status } = await sandbox().write('Nelly', 'usd', 'transfer(address,uint256)', args);
		expect(status).toBe(502);
		await dollars.mine();
		expect(await dollars.transactionsOf('Nelly')).toBe(count + 1);
		expect(await dollars.balanceOf('Rahul Sen')).toBe(before);
		expect(await faultsHit()).toContain('revert-transaction,status-text');
	});

	test('no fault makes a refused write look accepted', async () => {
		await dollars.faults.add({ kind: 'drop-transaction', times: 1 });
		const { data } = await sandbox().write('Nelly', 'shapes', 'failWithReason(string)', ['no']);
		expect(data).toEqual({ status: 'FAILED', error: 'no' });
	});
});
