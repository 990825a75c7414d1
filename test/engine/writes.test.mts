/** Many writes in one run: all of them, in order, none twice. */
import type { Block } from 'ethers';

import { Engine } from './support/engine.mts';
import { Service } from '../support/sandbox/service.mts';

const WRITES = 1000;

let engine: Engine;
let service: Service;

beforeEach(async () => {
	[engine, service] = await Promise.all([Engine.create(), Service.start()]);
});
afterEach(async () => await service[Symbol.asyncDispose]());

const write = () => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'write',
	argumentsMode: 'json',
	contractAddress: service.contracts.shapes,
	abi: 'store(uint256)',
	args: '={{ [String($json.number)] }}',
});

const items = Array.from({ length: WRITES }, (_unused, number) => ({ number }));

/** The stored numbers of a wallet's transactions to the contract, in the order of their nonces. */
async function storedOnChain(fromBlock: number): Promise<number[]> {
	const height = await service.chain.getBlockNumber();
	const sent: { nonce: number; stored: number }[] = [];
	for (let number = fromBlock; number <= height; number++) {
		const block: Block | null = await service.chain.getBlock(number, true);
		for (const { nonce, to, data } of block?.prefetchedTransactions ?? []) {
			if (to !== service.contracts.shapes) continue;
			sent.push({ nonce, stored: Number(BigInt(`0x${data.slice(10)}`)) });
		}
	}
	return sent.sort((one, other) => one.nonce - other.nonce).map(({ stored }) => stored);
}

test('1,000 writes are 1,000 transactions in item order', async () => {
	const before = await service.chain.getBlockNumber();
	const result = await engine.run({ parameters: write(), credential: service.credential(), items });
	expect(result.error).toBeUndefined();
	expect(new Set(result.items.map(({ json }) => json.hash)).size).toBe(WRITES);
	expect(await storedOnChain(before + 1)).toEqual(items.map(({ number }) => number));
});

test('a failure at item 500 leaves exactly 500 on the chain, and the error lists them', async () => {
	const before = await service.chain.getBlockNumber();
	await service.faults.add({
		kind: 'failed',
		skip: 500,
		times: 1,
		params: { error: 'out of gas money' },
	});
	const { error } = await engine.run({
		parameters: write(),
		credential: service.credential(),
		items,
	});
	expect(error?.message).toContain('out of gas money');
	expect(error?.description).toContain('Item 500\n');
	expect(await storedOnChain(before + 1)).toEqual(items.slice(0, 500).map(({ number }) => number));
	const listed = String(error?.description)
		.split('\n')
		.filter((line) => line.startsWith('Submitted'));
	expect(listed).toHaveLength(500);
	const transaction = await service.chain.getTransaction(
		/0x[0-9a-f]{64}/.exec(listed[499] ?? '')?.[0] ?? '',
	);
	expect(Number(BigInt(`0x${transaction?.data.slice(10)}`))).toBe(499);
	expect(await service.faults.requests()).toHaveLength(501);
});
