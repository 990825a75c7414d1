/** Every submitted write is on the chain once, in order and with its exact value, despite faults and retries. */
import type { Block } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import type { FaultRequest } from '../../sandbox/src/faults/fault.mts';
import { useService } from '../support/sandbox/service.mts';
import { storeCall } from './support/contract-calls.mts';
import { RETRY, useNode } from './support/use-node.mts';

const node = useNode(useService());

const args = '={{ [String($json.number)] }}';
const write = (changes: IDataObject = {}) =>
	storeCall(node.service.contracts.shapes, { args, ...changes });

const numbers = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

async function transactionsOf(work: () => Promise<unknown>): Promise<number> {
	const { chain, user } = node.service;
	const before = await chain.getTransactionCount(user().address);
	await work();
	return (await chain.getTransactionCount(user().address)) - before;
}

/** The number that a transaction stores. */
const storedBy = ({ data }: { readonly data: string }) => Number(BigInt(`0x${data.slice(10)}`));

async function storedByHash(hash: unknown): Promise<number | undefined> {
	const transaction = await node.service.chain.getTransaction(String(hash));
	return transaction === null ? undefined : storedBy(transaction);
}

/** The numbers stored since a block, in the order of nonces. */
async function storedSince(fromBlock: number): Promise<number[]> {
	const { chain, contracts } = node.service;
	const height = await chain.getBlockNumber();
	const sent: { nonce: number; stored: number }[] = [];
	for (let number = fromBlock; number <= height; number++) {
		const block: Block | null = await chain.getBlock(number, true);
		for (const transaction of block?.prefetchedTransactions ?? []) {
			const { nonce, to } = transaction;
			if (to === contracts.shapes) sent.push({ nonce, stored: storedBy(transaction) });
		}
	}
	return sent.sort((one, other) => one.nonce - other.nonce).map(({ stored }) => stored);
}

describe('1,000 writes', () => {
	const items = numbers(1000);

	test('are 1,000 transactions in item order', async () => {
		const before = await node.service.chain.getBlockNumber();
		const output = await node.items(write(), { items });
		expect(new Set(output.map(({ hash }) => hash)).size).toBe(items.length);
		expect(await storedSince(before + 1)).toEqual(items.map(({ number }) => number));
	});

	test('with a failure at item 500 leave exactly 500, and the error lists them', async () => {
		const { service } = node;
		const before = await service.chain.getBlockNumber();
		const params = { error: 'out of gas money' };
		await service.faults.add({ kind: 'failed', skip: 500, times: 1, params });
		const { error } = await node.run(write(), { items });
		expect(error?.message).toMatch(
			/^500 of \d+ were sent, then stopped at row 501: .*out of gas money/,
		);
		const stored = items.slice(0, 500).map(({ number }) => number);
		expect(await storedSince(before + 1)).toEqual(stored);
		const listed = String(error?.description).match(/^Submitted.*$/gm) ?? [];
		expect(listed).toHaveLength(500);
		expect(await storedByHash(/0x[0-9a-f]{64}/.exec(listed[499] ?? '')?.[0])).toBe(499);
		expect(await service.faults.requests()).toHaveLength(501);
	});
});

test('with Retry on Fail, what failed is sent again, and what was answered is replayed', async () => {
	const params = { error: 'try again' };
	await node.service.faults.add({ kind: 'failed', skip: 3, times: 1, params });
	const count = await transactionsOf(async () => {
		const items = await node.items(write(), { items: numbers(5), node: RETRY });
		const replayed = items.map((item) => item.replayed);
		expect(replayed).toEqual([true, true, true, undefined, undefined]);
		const stored = await Promise.all(items.map(({ hash }) => storedByHash(hash)));
		expect(stored).toEqual([0, 1, 2, 3, 4]);
	});
	expect(count).toBe(5);
});

const LATE = { afterWork: true };
const CUT = /connection was lost/;
const BROKEN = /^The service had an internal error/;

describe('a service that fails', () => {
	test.each<[name: string, fault: FaultRequest, error: RegExp | undefined, transactions: 0 | 1]>([
		['503', { kind: 'status-text', params: { status: 503 } }, BROKEN, 0],
		['429, which is sent again', { kind: 'rate-limit', times: 1 }, undefined, 1],
		['FAILED', { kind: 'failed', params: { error: 'no gas yet' } }, /^no gas yet/, 0],
		['a cut before the work', { kind: 'drop-before' }, CUT, 0],
		['a cut after the work', { kind: 'drop-after' }, CUT, 1],
		[
			'502 after the work',
			{ kind: 'status-text', params: { status: 502, ...LATE } },
			/status 502/,
			1,
		],
		['an HTML page after the work', { kind: 'html', params: LATE }, /web page/, 1],
		['half an answer', { kind: 'truncated-json', params: { closeEarly: true } }, CUT, 1],
		['no answer', { kind: 'hang', params: LATE }, /did not answer in time/, 1],
		['a dripping answer', { kind: 'slow-drip', params: { ms: 200, bytes: 1 } }, /in time/, 1],
	])('a write with %s is done once at most', async (_name, fault, error, transactions) => {
		await node.service.faults.add(fault);
		let message = '';
		const options = error?.source.includes('in time') === true ? { timeout: 4 } : {};
		const count = await transactionsOf(async () => {
			const result = await node.run(write({ args: '["1"]', options }));
			message = result.error?.message ?? '';
		});
		expect(message).toMatch(error ?? /^$/);
		const isKnown = error === undefined || fault.kind === 'failed';
		expect(/MAY have been sent/.test(message)).toBe(!isKnown);
		expect(await node.service.faults.requests()).toHaveLength(error === undefined ? 2 : 1);
		expect(count).toBe(transactions);
	});

	test('one that cannot be reached is tried again, and the error shows that nothing was sent', async () => {
		const credential = { ...node.service.credential(), baseUrl: 'http://127.0.0.1:9' };
		const call = write({ args: '["1"]', options: { maxTries: 3 } });
		const { message } = await node.refusal(call, { credential });
		expect(message).toMatch(/nothing is listening at its address.*tried 3 times/);
		expect(message).not.toMatch(/MAY have been sent/);
	});
});

describe('the native coin of a write', () => {
	const pay = (nativeCoin: unknown, changes: IDataObject = {}): IDataObject => ({
		...storeCall(node.service.contracts.shapes, { args: '[]', abi: 'pay() payable', ...changes }),
		options: { nativeCoin } as IDataObject,
	});

	async function valueOf(parameters: IDataObject): Promise<bigint | undefined> {
		const [item] = await node.items(parameters);
		return (await node.service.chain.getTransaction(String(item?.hash)))?.value;
	}

	const byAbi = {
		functionSource: 'contractAbi',
		abi: undefined,
		contractAbi: 'function pay() payable',
		contractFunction: 'pay()',
	};

	// All other forms are tested in test/unit/values/amount, refusals in `safety`.
	test.each<[given: unknown, wei: bigint, changes?: IDataObject]>([
		['7 wei', 7n],
		['0.000000000000000001', 1n],
		['0.1', 10n ** 17n],
		[' 0.25 ether', 25n * 10n ** 16n],
		[2, 2n * 10n ** 18n],
		['={{ "3" }} wei', 3n],
		// The signature need not contain "payable".
		['12 wei', 12n, { abi: 'pay()' }],
		['13 wei', 13n, byAbi],
	])('given as %p is sent exactly', async (...[given, wei, changes]) => {
		expect(await valueOf(pay(given, changes))).toBe(wei);
	});

	test('is not sent with a function of a token standard, whose form does not show it', async () => {
		const { contracts, user } = node.service;
		const approve = {
			contractAddress: contracts.usd,
			functionSource: 'commonFunction',
			abi: undefined,
			writeFunction: 'ERC-20 approve(address,uint256)',
			args: JSON.stringify([user('Rahul Sen').address, '1']),
		};
		expect(await valueOf(pay('1 wei', approve))).toBe(0n);
	});
});

test.each([
	['usd', '1.5 token', '1500000'],
	['usd', '2.5 SUSD', '2500000'],
	['gold', '1.5 SGLD', '1500000000000000000'],
] as const)('of %s, %s in an argument moves %s base units', async (token, amount, value) => {
	const { chain, contracts, user } = node.service;
	const args = JSON.stringify([user('Rahul Sen').id, amount]);
	const transfer = { abi: 'transfer(address,uint256)', args };
	const [item] = await node.items(storeCall(contracts[token], transfer));
	expect((await chain.transaction(String(item?.hash))).transfers).toMatchObject([{ value }]);
});
