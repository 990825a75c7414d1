/** Transaction: Get over the reference service, compared with the chain; `transaction-answers` is about the answers. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultKind } from '../../sandbox/src/faults/fault.mts';
import { Service, useService } from '../support/sandbox/service.mts';
import { hashOf } from './support/answers.mts';
import { HASH } from './support/kept-writes.mts';
import { useNode } from './support/use-node.mts';

const node = useNode(useService({ SANDBOX_WRITE_KEYS: '1' }));
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const GET = { resource: 'transaction', operation: 'get' };

/** Number of a payment, so that no two are equal. */
let number = 0;
/** The output of Token: Send, behind which all fields are filled in. */
async function pay(): Promise<IDataObject> {
	number += 1;
	const { contracts, user } = node.service;
	const send = { resource: 'token', operation: 'send', token: contracts.usd };
	const recipient = user('Rahul Sen').id;
	const [item = {}] = await node.items({ ...send, recipient, amount: `0.00${number}` });
	return item;
}

/** Who is paid, in words. */
function who(): string {
	const { address } = node.service.user('Rahul Sen');
	return `Rahul Sen (${address.slice(0, 6)}…${address.slice(-4)})`;
}

const receiptOf = async ({ hash }: IDataObject) =>
	await node.service.chain.getTransactionReceipt(String(hash));

test('a payment succeeded: the summary names amount, recipient and block', async () => {
	const paid = await pay();
	const [item = {}] = await node.outputs(GET, [paid]);
	const { blockNumber } = (await receiptOf(paid)) ?? {};
	expect(item).toEqual({
		summary: `Succeeded: 0.001 SUSD to ${who()}, block ${blockNumber}`,
		status: 'SUCCESS',
		final: expect.any(Boolean),
		confirmations: expect.any(Number),
		minedHash: paid.hash,
		submittedAt: TIME,
		minedAt: TIME,
		blockNumber,
		...(item.final === true && { finalAt: TIME }),
		explorerUrl: expect.stringContaining(String(paid.hash)),
		hash: paid.hash,
		checkedFor: 0,
		checkedAt: expect.any(String),
	});
	expect(Object.keys(item).slice(0, 4)).toEqual(['summary', 'status', 'final', 'confirmations']);
});

test('a reverted one says who, how much, why, and what to do', async () => {
	await node.service.faults.add({ kind: 'revert-transaction', times: 1 });
	const paid = await pay();
	expect((await receiptOf(paid))?.status).toBe(0);
	const [item = {}] = await node.outputs(GET, [paid]);
	const revertReason = 'The transaction ran out of gas';
	expect(item).toMatchObject({ status: 'REVERTED', revertReason, minedHash: HASH });
	const what = `Reverted: 0.00${number} SUSD to ${who()}. ${revertReason}. It moved nothing`;
	const toDo = item.final === true ? '. To send it again, use' : ', but this is not final: do not';
	expect(String(item.summary)).toContain(`${what}${toDo}`);
});

test.each<FaultKind>(['drop-transaction', 'replace-transaction'])(
	'after %s the service does not know the hash, which proves nothing',
	async (kind) => {
		await node.service.faults.add({ kind, times: 1 });
		const paid = await pay();
		expect(await receiptOf(paid)).toBeNull();
		for (const { error } of await node.both(GET, { items: [paid] })) {
			expect(error).toMatchObject({
				message: expect.stringMatching(/does not know this transaction.*proves nothing/),
				description: expect.stringMatching(/do not resend/),
				context: { details: { code: 'not-seen', httpStatus: 404, hashes: [paid.hash] } },
			});
		}
	},
);

test('a reorganisation that contains the transaction again leaves the verdict', async () => {
	const paid = await pay();
	const match = { path: '/v1/transactions/.*' };
	await node.service.faults.add({ kind: 'reorg', match, times: 1, params: { comesBack: true } });
	const [item] = await node.items({ ...GET, waitUpTo: 5 }, { items: [paid] });
	const { blockNumber, status } = (await receiptOf(paid)) ?? {};
	expect(status).toBe(1);
	expect(item).toMatchObject({ status: 'SUCCESS', minedHash: paid.hash, blockNumber });
});

describe('before the next block', () => {
	const slow = useNode(useService({ SANDBOX_WRITE_KEYS: '1', SANDBOX_BLOCK_SECONDS: '86400' }));

	test('it is pending', async () => {
		const { chain, user } = slow.service;
		const args = [user('Rahul Sen').address, '5'];
		const hash = await slow.service.submit('Nelly', 'usd', 'transfer(address,uint256)', args);
		const parameters = { ...GET, transactionHash: hash.toUpperCase().replace('X', 'x') };
		const [item = {}] = await slow.outputs(parameters);
		expect(item).toMatchObject({
			summary: expect.stringMatching(/^Not in a block yet, checked once\. .*do not resend/),
			status: 'PENDING',
			final: false,
			confirmations: 0,
			hash,
		});
		expect(item).not.toHaveProperty('minedHash');
		await chain.send('evm_mine', []);
		const [mined] = await slow.items({ ...parameters, waitUpTo: 30 });
		expect(mined).toMatchObject({ status: 'SUCCESS', confirmations: 1 });
	});
});

test('a service without the route: one sentence names Find Transfer, and nothing else is asked', async () => {
	await using other = await Service.start();
	const transactionHash = `0x${'1'.repeat(64)}`;
	const credential = other.credential();
	for (const { error } of await node.both({ ...GET, transactionHash }, { credential })) {
		expect(error).toMatchObject({
			message: expect.stringContaining('use History: Find Transfer'),
			context: { details: { code: 'not-supported' } },
		});
	}
	expect(await other.faults.requests()).toEqual([]);
});

/** Of a transaction that nobody is asked for. */
const UNASKED = hashOf(7);

test.each<[parameters: object, parameter: string]>([
	[{ transactionHash: '0x12' }, 'Transaction Hash'],
	[{ transactionHash: `0x${'0'.repeat(64)}` }, 'Transaction Hash'],
	[{ transactionHash: `${UNASKED}/..` }, 'Transaction Hash'],
	[{ transactionHash: `https://etherscan.io/block/${UNASKED}` }, 'Transaction Hash'],
	[{ transactionHash: `https://etherscan.io/tx/${UNASKED}/${hashOf(8)}` }, 'Transaction Hash'],
	[{ transactionHash: `etherscan.io/tx/${UNASKED}` }, 'Transaction Hash'],
	[{ transactionHash: '={{ $json.hash }}' }, 'Transaction Hash'],
	[{ transactionHash: '={{ [] }}' }, 'Transaction Hash'],
	[{ waitUpTo: 301 }, 'Wait Up To (Seconds)'],
	[{ waitUpTo: '={{ NaN }}' }, 'Wait Up To (Seconds)'],
	[{ waitUpTo: -1 }, 'Wait Up To (Seconds)'],
])('%j is refused before anything is sent', async (parameters, parameter) => {
	await node.refused({ ...GET, transactionHash: UNASKED, ...parameters }, parameter);
});
