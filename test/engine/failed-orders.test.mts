/** What was sent before is asked for its state before it is reported as paid: an order whose transaction failed was not paid. */
import { Interface } from 'ethers';
import type { IDataObject } from 'n8n-workflow';

import { done, failed, hashOf, json } from './support/answers.mts';
import { sendOf } from './support/kinds-of-writes.mts';
import { BOB, TOKEN } from './support/scripted-world.mts';
import { CONTINUE, useNode } from './support/use-node.mts';

const node = useNode();

const NOT_PAID = 'and failed (out of gas): nothing was paid';
const WORDS = 'The transaction ran out of gas';
const SINCE = ' was submitted on 26 November 2026, 05:12 ';

/** The service reports a state of every transaction. */
function reports(state: IDataObject): void {
	const before = node.service.script;
	node.service.script = (request) => {
		const [, hash] = /^\/v1\/transactions\/(0x\w+)$/.exec(request.path) ?? [];
		if (hash === undefined) return before(request);
		const block = { minedHash: hash, blockNumber: 7, confirmations: 20, transfers: [] };
		return json({ hash, ...block, final: true, revertReason: WORDS, ...state });
	};
}

const asked = () => node.service.asked('/v1/transactions/').length;

describe('an order', () => {
	/** Alice's service keeps the order, which was submitted on 26 November. */
	beforeEach(() => {
		node.service.description = { writes: { put: true, fence: true }, transactions: true };
		const erc20 = new Interface(['function transfer(address,uint256)']);
		const data = erc20.encodeFunctionData('transfer', [BOB.address, 5_000_000n]);
		const tx = { to: TOKEN, data, value: '0' };
		const submittedAt = '2026-11-26T10:12:00Z';
		node.service.script = ({ path }) =>
			path.startsWith('/v1/writes/')
				? json({ status: 'SUCCESS', hash: hashOf(7), submittedAt, tx })
				: undefined;
	});
	const order = (changes: IDataObject = {}) => sendOf({ amount: '5', orderId: 'Y-1', ...changes });

	test('whose transaction failed is an error', async () => {
		reports({ status: 'REVERTED' });
		const { error, items } = await node.run(order());
		expect(items).toEqual([]);
		expect(error?.message).toBe(`Order "Y-1"${SINCE}${NOT_PAID} (transaction ${hashOf(7)})`);
		expect(error?.context.details).toMatchObject({
			code: 'order-failed',
			outcome: 'refused',
			hashes: [hashOf(7)],
			hint: expect.stringMatching(/^Pay it under a new number$/),
		});
	});

	test('of a list too, beside the others that cannot be sent', async () => {
		reports({ status: 'REVERTED' });
		const { error } = await node.run(order(), { items: [{}, {}] });
		expect(error?.message).toContain(NOT_PAID);
		const continued = await node.run(order(), { items: [{}, {}], node: CONTINUE });
		expect(continued.items.map((one) => one.json.details)).toMatchObject([
			{ code: 'order-failed' },
			{ code: 'order-failed' },
		]);
	});

	test.each<[IDataObject, RegExp]>([
		[{ revertReason: 'Paused' }, /and failed \(Paused\): nothing was paid/],
		[{ revertReason: '' }, /and failed: nothing was paid/],
		[{ status: 'CANCELLED' }, /and was cancelled: nothing was paid/],
		[{ status: 'FOREIGN' }, /and was replaced by another transaction: nothing was paid/],
	])('with %j', async (state, message) => {
		reports({ status: 'REVERTED', ...state });
		expect((await node.run(order())).error?.message).toMatch(message);
	});

	test('that is not final may still be carried out', async () => {
		reports({ status: 'REVERTED', final: false });
		const { error } = await node.run(order());
		expect(error?.context.details).toMatchObject({
			code: 'order-failed',
			outcome: 'unknown',
			hashes: [hashOf(7)],
			hint: expect.stringMatching(/^Pay it under a new number, once this is final/),
		});
	});

	test.each<[string, IDataObject | undefined]>([
		['succeeded', { status: 'SUCCESS' }],
		['is pending', { status: 'PENDING', final: false }],
		['cannot be read', { status: 'SHRUG' }],
		['is not reported by the service', undefined],
	])('whose transaction %s is reported as before', async (_name, state) => {
		if (state) reports(state);
		const [item] = await node.items(order());
		expect(item).toMatchObject({ replayed: true, hash: hashOf(7) });
		expect(item?.summary).toMatch(/^Already paid on 26 November 2026, 05:12, not sent again/);
	});
});

describe('without an order', () => {
	beforeEach(() => void (node.service.description = { transactions: true }));
	const send = (changes: IDataObject = {}) => sendOf({ amount: '5', ...changes });

	test('a step that is executed again in the editor', async () => {
		const editor = { mode: 'manual' } as const;
		expect((await node.run(send(), editor)).error).toBeUndefined();
		reports({ status: 'REVERTED' });
		const { error } = await node.run(send(), editor);
		expect(error?.message).toMatch(/^This item was submitted on .* and failed \(out of gas\)/);
		expect(error?.context.details).toMatchObject({
			code: 'order-failed',
			hashes: [hashOf(1)],
			hint: 'Pay it again with Send Again (Options)',
		});
		const again = send({ options: { sendAgain: true } });
		expect((await node.run(again, editor)).items[0]?.json).toMatchObject({ hash: hashOf(2) });
	});

	test('an equal call of a model', async () => {
		expect(await node.tool(send())).toMatchObject({ hash: hashOf(1) });
		reports({ status: 'REVERTED' });
		await expect(node.tool(send())).rejects.toMatchObject({
			message: expect.stringContaining(NOT_PAID),
			description: expect.stringContaining('Pay it with an Order ID that was not used yet'),
		});
		expect(node.service.writes).toHaveLength(1);
	});

	test('Retry', async () => {
		node.service.answer(done(7), failed());
		const { run: retryOf } = await node.run(send(), { items: [{}, {}] });
		expect(node.service.writes).toHaveLength(2);
		reports({ status: 'REVERTED' });
		const { error } = await node.run(send(), { retryOf });
		expect(error?.message).toContain(`${NOT_PAID} (transaction ${hashOf(7)})`);
		expect(node.service.writes).toHaveLength(2);
	});

	test('a new write asks for no state', async () => {
		reports({ status: 'REVERTED' });
		expect(await node.items(send(), { items: [{}, {}] })).toHaveLength(2);
		expect(asked()).toBe(0);
	});
});
