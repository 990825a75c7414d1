/** A log is its transaction and its index: also where networks number the logs in each transaction. */
import { toQuantity } from 'ethers';
import { answerOf } from './support/scripted-answers.mts';
import { rowsInReceipt } from '../../service/src/history/rows.mts';
import { addOwnTransfers, newestTransfers } from '../../service/src/store/transfers.mts';
import { Resources } from '../support/resources.mts';
import { DEPTH } from './support/indexed.mts';
import { DATABASES, useDatabases } from './support/network-and-service.mts';
import { ScriptedChain } from './support/scripted-chain.mts';
import { scriptedIndex, type ScriptedIndex } from './support/scripted-index.mts';

/** Lists a transaction by its receipt, as soon as it is in a block. */
async function listOwn({ chain, db }: ScriptedIndex, hash: string, index?: number): Promise<void> {
	const answer = answerOf(chain, { id: 1, method: 'eth_getTransactionReceipt', params: [hash] });
	const receipt: Record<string, unknown> = JSON.parse(JSON.stringify(answer));
	const block = chain.find(hash)?.block;
	if (!block) throw new Error(`${hash} is in no block`);
	const logs = [receipt.logs].flat().map((log) => ({
		...Object(log),
		...(index === undefined ? {} : { logIndex: toQuantity(index) }),
	}));
	const rows = await rowsInReceipt(db, { ...receipt, logs }, block.time);
	await addOwnTransfers(db, { number: block.number, hash: block.hash }, rows);
}

describe.each(DATABASES)('on %s', (kind) => {
	const newDatabase = useDatabases(kind);

	test('three payments in a block whose logs are numbered in each transaction are three', async () => {
		await using own = new Resources();
		const chain = new ScriptedChain();
		chain.numbersLogs = 'transaction';
		const scripted = await scriptedIndex(own, { location: await newDatabase(), chain });
		const { read, pay, listed, truth, db } = scripted;
		await read();
		const hashes = [pay(1n), pay(2n), pay(3n)];
		chain.mine();
		// One's own transaction hides none of the others.
		await listOwn(scripted, hashes[1] ?? '');
		expect(await listed()).toHaveLength(1);
		await read();
		expect(await listed()).toEqual(truth());
		expect(await listed()).toHaveLength(3);
		chain.mine(2 * DEPTH);
		await read();
		expect(await listed()).toEqual(truth());
		const all = await newestTransfers(db, 0, 10);
		const pages = [];
		for (let last = all[0]; last; last = (await newestTransfers(db, 0, 1, last))[0])
			pages.push(last);
		expect(pages).toEqual(all);
	});

	test.each([
		['as in the block', undefined],
		['otherwise', 41],
	])('a receipt that numbers its logs %s and the block make one row', async (_how, index) => {
		await using own = new Resources();
		const scripted = await scriptedIndex(own, { location: await newDatabase() });
		const { chain, read, pay, listed, truth } = scripted;
		await read();
		const hash = pay(6n);
		pay(7n);
		chain.mine();
		await listOwn(scripted, hash, index);
		expect(await listed()).toEqual(truth().filter((line) => line.includes(hash)));
		await read();
		expect(await listed()).toEqual(truth());
		await listOwn(scripted, hash, index);
		expect(await listed()).toEqual(truth());
		chain.mine(2 * DEPTH);
		await read();
		await listOwn(scripted, hash, index);
		expect(await listed()).toEqual(truth());
		expect(truth()).toHaveLength(2);
	});

	test('a transaction that a reorganisation moves to another block is listed there only', async () => {
		await using own = new Resources();
		const scripted = await scriptedIndex(own, { location: await newDatabase() });
		const { chain, read, pay, listed, truth } = scripted;
		await read();
		pay(8n);
		chain.mine(2);
		await read();
		chain.reorganise(2);
		chain.mine();
		await read();
		expect(await listed()).toEqual(truth());
		chain.mine(2 * DEPTH);
		await read();
		expect(await listed()).toEqual(truth());
		expect(truth()).toHaveLength(1);
	});
});

test('a new block with the transaction of a final transfer does not move it', async () => {
	await using own = new Resources();
	const { chain, endpoints, read, pay, listed, truth } = await scriptedIndex(own);
	const hash = pay(1n);
	chain.mine(2 * DEPTH);
	await read();
	pay(2n);
	chain.mine();
	const { head } = chain;
	for (const endpoint of endpoints) {
		endpoint.lie('eth_getLogs', (_request, honest) => {
			const answer = honest();
			const logs: { blockNumber: string }[] = JSON.parse(
				JSON.stringify('result' in answer ? answer.result : []),
			);
			const moved = logs.map((log) =>
				Number(log.blockNumber) === head ? { ...log, transactionHash: hash } : log,
			);
			return { result: moved };
		});
	}
	await read();
	expect((await listed()).at(-1)).toBe(truth().at(-1));
});

test('two logs at one place make neither, and the receipts tell which is true', async () => {
	await using own = new Resources();
	const { chain, endpoints, read, pay, listed, truth } = await scriptedIndex(own, { endpoints: 1 });
	await read();
	endpoints[0]?.lie('eth_getLogs', (_request, honest) => {
		const answer = honest();
		const logs: object[] = JSON.parse(JSON.stringify('result' in answer ? answer.result : []));
		return { result: logs.flatMap((log) => [{ ...log, data: `0x${'7'.repeat(64)}` }, log]) };
	});
	pay(3n);
	chain.mine(2);
	await read();
	expect(await listed()).toEqual(truth());
	expect(truth()).toHaveLength(1);
});
