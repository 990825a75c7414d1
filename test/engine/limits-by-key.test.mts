/** A write counts once for the limits of its execution, by its key and account: no more, and no less. */
import type { IDataObject } from 'n8n-workflow';

import { LimitedPayments, marks } from './support/limited-payments.mts';
import { CONTINUE } from './support/use-node.mts';

const kept = new LimitedPayments();
const { node } = kept;

const orders = (options: IDataObject = {}) =>
	kept.payments({ orderId: `={{ $json.order }} ${kept.number}`, ...options });
describe('no limit is passed:', () => {
	test('another call of an order does not take out what the order may have paid', async () => {
		await kept.fault('PUT', { kind: 'drop-after', times: 1 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 1 });
		const items = [
			{ order: 'a', wei: 60 },
			{ order: 'a', wei: 50 },
			{ order: 'b', wei: 60 },
		];
		const [count, result] = await kept.transactionsOf(
			async () =>
				await node.run(orders(), { items, node: CONTINUE, credential: kept.limited('100 wei') }),
			1,
		);
		expect([count, marks(result.items)]).toEqual([
			1,
			['connection-lost', 'order-conflict', 'policy-refused'],
		]);
	});

	test('one Order ID of several users counts for each of them', async () => {
		const user = (name: 'Nelly' | 'Rahul Sen') => {
			const { accessToken, id } = node.service.user(name);
			return { accessToken, id };
		};
		const items = (['Nelly', 'Rahul Sen'] as const).map((name) => ({
			...{ order: 'november', wei: 60 },
			...user(name),
		}));
		const credential = kept.limited('100 wei', {
			accessToken: '={{ $json.accessToken }}',
			userId: '={{ $json.id }}',
		});
		const result = await node.run(orders(), { items, node: CONTINUE, credential });
		expect(marks(result.items)).toEqual([true, 'policy-refused']);
	});

	test('so it does in a list that is checked', async () => {
		const names = ['Nelly', 'Rahul Sen', 'mika_dev'] as const;
		const items = names.map((name) => {
			const { accessToken, id } = node.service.user(name);
			return { order: 'november', wei: 60, accessToken, id };
		});
		const credential = kept.limited('100 wei', {
			accessToken: '={{ $json.accessToken }}',
			userId: '={{ $json.id }}',
		});
		const result = await node.run(orders(), { items, credential });
		expect([marks(result.items), result.error?.context.details]).toMatchObject([
			[],
			{ code: 'policy-refused' },
		]);
	});

	test('an order that is paid once more, because its key was used up, counts with what it pays now', async () => {
		const items = [
			{ order: 'a', wei: 10 },
			{ order: 'a', wei: 90 },
			{ order: 'b', wei: 90 },
		];
		const headers = { 'content-type': 'application/json' };
		const params = { status: 410, body: JSON.stringify({ status: 'FAILED' }), headers };
		await kept.fault('PUT', { kind: 'status-text', times: 1, skip: 1, params });
		const [count, result] = await kept.transactionsOf(
			async () =>
				await node.run(orders(), { items, node: CONTINUE, credential: kept.limited('100 wei') }),
		);
		expect([count, marks(result.items)]).toEqual([2, [true, true, 'policy-refused']]);
	});

	test('of two calls of an order that may have been sent, the one that moves more counts', async () => {
		await kept.fault('PUT', { kind: 'drop-after', times: 2 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 2 });
		const items = [
			{ order: 'a', wei: 60 },
			{ order: 'a', wei: 1 },
			{ order: 'b', wei: 60 },
		];
		const [count, result] = await kept.transactionsOf(
			async () =>
				await node.run(orders(), { items, node: CONTINUE, credential: kept.limited('100 wei') }),
			1,
		);
		expect([count, marks(result.items)]).toEqual([
			1,
			['connection-lost', 'connection-lost', 'policy-refused'],
		]);
	});

	test('of two tokens, both count', async () => {
		const { contracts, user } = node.service;
		await kept.fault('PUT', { kind: 'drop-after', times: 2 });
		await kept.fault('DELETE', { kind: 'drop-before', times: 2 });
		const other = contracts.gold;
		const pay = {
			...kept.pay('={{ $json.amount }}', {
				orderId: `={{ $json.order }} ${kept.number}`,
				maxTries: 1,
			}),
			token: '={{ $json.token }}',
			recipient: user('Rahul Sen').address,
		};
		const items = [
			{ order: 'a', amount: '6', token: contracts.usd },
			{ order: 'a', amount: '1', token: other },
			{ order: 'b', amount: '6', token: contracts.usd },
		];
		const credential = {
			...node.service.credential(),
			amountLimits: `10 ${contracts.usd}\n10 ${other}`,
		};
		const result = await node.run(pay, { items, node: CONTINUE, credential });
		expect(marks(result.items)).toEqual(['connection-lost', 'connection-lost', 'policy-refused']);
	});
});
