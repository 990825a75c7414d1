/** Order ID is a field of both writes; workflows of earlier versions have it under Options, where it still works. */
import type { IDataObject } from 'n8n-workflow';

import { KeptWrites } from './support/kept-writes.mts';

const kept = new KeptWrites();
const { node } = kept;

const order = () => `field ${kept.number}`;

/** A payment as an earlier version has saved it. */
const saved = (orderId: unknown, changes: IDataObject = {}): IDataObject => ({
	...kept.pay('1.5', {}),
	options: { orderId } as IDataObject,
	...changes,
});

describe.each([
	['Token: Send', (wish: IDataObject = {}) => kept.pay('1.5', wish)],
	['Contract: Write', (wish: IDataObject = {}) => kept.write(wish)],
] as const)('%s', (_name, given) => {
	test('with the number in the field is sent once', async () => {
		const [count, [[first], [again]]] = await kept.transactionsOf(
			async () =>
				[
					await node.items(given({ orderId: '={{ $json.order }}' }), {
						items: [{ order: order() }],
					}),
					await node.items(given({ orderId: order() })),
				] as const,
		);
		expect(count).toBe(1);
		expect(first).not.toHaveProperty('replayed');
		expect(again).toMatchObject({ hash: first?.hash, replayed: true });
	});

	test('with an untouched field has no order', async () => {
		const work = async () => [await node.items(given()), await node.items(given())];
		const [count, items] = await kept.transactionsOf(work, 2);
		expect(count).toBe(2);
		expect(items.flat().filter((item) => 'replayed' in item)).toEqual([]);
	});

	test.each([
		'={{ $json.order }}',
		'={{ "" }}',
		'={{ null }}',
		'= ',
		'={{ $json.a }}{{ $json.b }}',
	])('with %j, which gives nothing, sends nothing', async (orderId) => {
		const [count, { message }] = await kept.transactionsOf(
			async () => await node.refusal(given({ orderId }), { items: [{}] }),
		);
		expect(message).toContain('Order ID: The expression returned nothing');
		expect(count).toBe(0);
	});

	test.each(['  ', {}, [], true])('with %j as the stored value sends nothing', async (orderId) => {
		const { message } = await node.refusal({ ...given(), orderId });
		expect(message).toContain('Order ID:');
		expect(message).toContain('cannot be an order number');
	});
});

describe('a saved workflow with the number under Options', () => {
	test('pays the order that the field names, once', async () => {
		const [count, [[first], [again]]] = await kept.transactionsOf(
			async () =>
				[
					await node.items(saved('={{ $json.order }}'), { items: [{ order: order() }] }),
					await node.items(kept.pay('1.5', { orderId: order() })),
				] as const,
		);
		expect(count).toBe(1);
		expect(first).toMatchObject({ submitted: true });
		expect(again).toMatchObject({ hash: first?.hash, replayed: true });
	});

	test('may have the same number in the field', async () => {
		const [item] = await node.items(saved(order(), { orderId: ` ${order()}` }));
		expect(item).toMatchObject({ submitted: true });
	});

	test('and another one in the field sends nothing, and names both', async () => {
		const [count, { message, hint }] = await kept.transactionsOf(
			async () => await node.refusal(saved(`${order()} b`, { orderId: order() })),
		);
		expect(message).toContain(
			`Order ID: "${order()}" is another order than "${order()} b", the Order ID under Options`,
		);
		expect(hint).toBe('Keep one of them, and remove the other one');
		expect(count).toBe(0);
	});

	test.each([[''], [null], [[]], [{}], ['={{ $json.order }}'], ['=INV-{{ $json.order }}']])(
		'sends nothing if it is %j, also beside a field with a number',
		async (orderId) => {
			for (const own of ['', order()]) {
				const given = saved(orderId, { orderId: own });
				const { message } = await node.refusal(given, { items: [{}] });
				expect(message).toContain('Options: Order ID:');
			}
		},
	);
});

test('a model gives the number in a tool, and an empty one is refused', async () => {
	const orderId = "={{ $fromAI('order', 'the number of the invoice', 'string') }}";
	const call = async (value: string, executionId: string) =>
		await node.tool(kept.pay('1.5', { orderId }), { order: value }, { executionId });
	const first = await call(order(), `${order()} a`);
	expect(await call(order(), `${order()} b`)).toMatchObject({ hash: first.hash, replayed: true });
	expect(await call(`${order()} b`, `${order()} b`)).toMatchObject({ submitted: true });
	await expect(call('', `${order()} c`)).rejects.toThrow('Order ID');
});
