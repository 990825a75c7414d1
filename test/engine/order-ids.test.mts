/**
 * Which texts are Order IDs, and when two are the same order. Order ID is a field of both writes; workflows of earlier versions
 * have it under Options, where it still works.
 */
import type { IDataObject } from 'n8n-workflow';

import { HASH, KeptWrites } from './support/kept-writes.mts';
import { CONTINUE } from './support/use-node.mts';

const kept = new KeptWrites();
const { node } = kept;

const order = () => `order ${kept.number}`;

/** Asserts that a write is refused, and that the error names the field. */
async function refused(given: IDataObject, words: string, json: IDataObject = {}) {
	const { message, hint } = await node.refusal(given, { items: [json] });
	expect(message).toContain('Order ID');
	expect(message).toContain(words);
	expect(await kept.methods()).toEqual([]);
	return hint;
}

describe('an Order ID', () => {
	test.each<[unknown, string]>([
		['INV\u200b7', 'with a character that nobody sees'],
		['ä'.repeat(34), 'too long as a key'],
		['x'.repeat(201), 'too long'],
		['..', 'a path'],
		[2 ** 53, 'a number that has lost digits'],
		[{ id: 1 }, 'an object'],
	])('%p is refused (%s)', async (orderId) => {
		await refused(kept.pay('1.5', { orderId: `={{ ${JSON.stringify(orderId)} }}` }), '');
	});

	const NO_VALUE = '=INV-{{ $json.number }}';
	test.each([
		[NO_VALUE, {}, '{{ $json.number }}'],
		[NO_VALUE, { number: null }, '{{ $json.number }}'],
		[NO_VALUE, { number: 'NaN' }, '{{ $json.number }}'],
		['={{ $json.year }}-{{ $json.number }}', { year: 2026, number: ' ' }, '{{ $json.number }}'],
		['={{ "INV-" + $json.number }}', {}, 'undefined'],
		['={{ "INV-" + $json.number }}', { number: null }, 'null'],
		['={{ `INV-${Number($json.number)}` }}', { number: 'n. n.' }, 'NaN'],
		['={{ "INV-" + $json.number }}', { number: {} }, '[object '],
		['={{ ["INV", $json.number].join("-") }}', {}, '-'],
		['={{ [$json.number, 7].join("_") }}', {}, '_'],
		['={{ [2026, $json.number, 7].join("-") }}', {}, '--'],
		['null', {}, 'null'],
	])('%s of %j is refused: others would be the same order', async (orderId, json, lacks) => {
		await refused(kept.pay('1.5', { orderId }), `lacks a value (${lacks})`, json);
	});

	test.each([
		'={{ { a: { b: %n } }.a.b }}-{{ $json.number }}',
		'=\\{{ %n }} {{ "\\}}" + $json.number }}',
	])('with braces that belong to no expression, or within one, is paid: %s', async (text) => {
		const orderId = text.replace('%n', String(kept.number));
		const [item] = await node.items(kept.pay('1.5', { orderId }), { items: [{ number: 7 }] });
		expect(item).toMatchObject({ submitted: true });
	});

	test.each([
		...['https://shop.example/orders/7', 'a/../b', '..%2F', '100%', '%41', 'a+b c', `"'<>`],
		...['?x=1#y', '007', '$&$1', 'x'.repeat(200), '%'.repeat(200), `0x${'cd'.repeat(32)}`, ':key'],
		...['-', '1 x', 'März-1', 'null-1', 'undefined behaviour 1', '№ 7/1', '发票-1', 'M%C3%A4rz-1'],
	])('%j is the order of its own letters, in both spellings, and paid once', async (id) => {
		const given = kept.pay('1.5', { orderId: '={{ $json.id }}' });
		const items = [{ id }, { id: id.normalize('NFD') }];
		const [count, [first, again]] = await kept.transactionsOf(
			async () => await node.items(given, { items, node: CONTINUE }),
		);
		expect(first).toMatchObject({ submitted: true, hash: HASH });
		expect(first).not.toHaveProperty('replayed');
		expect(again).toMatchObject({ hash: first?.hash, replayed: true });
		expect(count).toBe(1);
	});

	test.each([1_000_000, 0.5])('as a number (from %p) is that of its text', async (start) => {
		const id = start + kept.number;
		const [first] = await node.items(kept.pay('1.5', { orderId: `={{ ${id} }}` }));
		const [again] = await node.items(kept.pay('1.5', { orderId: String(id) }));
		expect(again).toMatchObject({ hash: first?.hash, replayed: true });
	});
});

describe.each([
	['Token: Send', (wish: IDataObject = {}) => kept.pay('1.5', wish)],
	['Contract: Write', (wish: IDataObject = {}) => kept.write(wish)],
] as const)('the field of %s', (_name, given) => {
	test('has no order while it is untouched', async () => {
		const work = async () => [await node.items(given()), await node.items(given())];
		const [count, items] = await kept.transactionsOf(work, 2);
		expect(count).toBe(2);
		expect(items.flat().filter((item) => 'replayed' in item)).toEqual([]);
	});

	const NOTHING = 'Order ID: The expression returned nothing';
	const NO_NUMBER = 'cannot be an order number';
	test.each([
		...['={{ $json.order }}', '={{ "" }}', '={{ null }}', '= ', '={{ $json.a }}{{ $json.b }}'].map(
			(value) => [value, NOTHING] as const,
		),
		...['  ', {}, [], true].map((value) => [value, NO_NUMBER] as const),
	])('with %j sends nothing', async (orderId, words) => {
		await refused({ ...given(), orderId }, words);
	});
});

describe('a saved workflow with the number under Options', () => {
	/** A payment as an earlier version has saved it. */
	const saved = (orderId: unknown, changes: IDataObject = {}): IDataObject => ({
		...kept.pay('1.5', {}),
		options: { orderId } as IDataObject,
		...changes,
	});

	test('pays the order that the field names, once', async () => {
		const items = [{ order: order() }];
		const [count, [[first], [again], [both]]] = await kept.transactionsOf(
			async () =>
				[
					await node.items(saved('={{ $json.order }}'), { items }),
					await node.items(kept.pay('1.5', { orderId: order() })),
					await node.items(saved(order(), { orderId: ` ${order()}` })),
				] as const,
		);
		expect(count).toBe(1);
		expect(first).toMatchObject({ submitted: true });
		for (const one of [again, both])
			expect(one).toMatchObject({ hash: first?.hash, replayed: true });
	});

	test('and another one in the field sends nothing, and names both', async () => {
		const words = `Order ID: "${order()}" is another order than "${order()} b", the Order ID under Options`;
		const hint = await refused(saved(`${order()} b`, { orderId: order() }), words);
		expect(hint).toBe('Keep one of them, and remove the other one');
	});

	test.each([[''], [null], [[]], [{}], ['={{ $json.order }}'], ['=INV-{{ $json.order }}']])(
		'sends nothing if it is %j, also beside a field with a number',
		async (orderId) => {
			for (const own of ['', order()])
				await refused(saved(orderId, { orderId: own }), 'Options: Order ID:');
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

describe('a list', () => {
	test('with one order and two amounts pays nothing', async () => {
		const [count, { error }] = await kept.transactionsOf(
			async () =>
				await node.run(kept.pay('={{ $json.amount }}', { orderId: order() }), {
					items: [{ amount: '1.25' }, { amount: '1.75' }],
				}),
		);
		expect(count).toBe(0);
		expect(error?.message).toContain('Order ID');
		expect(error?.context.details).toMatchObject({ outcome: 'refused' });
	});

	test('pays and counts an order that it contains twice once', async () => {
		const amountLimits = `3 ${node.service.contracts.usd}`;
		const credential = { ...node.service.credential(), amountLimits };
		const items = [order(), `${order()} b`, order()].map((id) => ({ id }));
		const given = kept.pay('1.5', { orderId: '={{ $json.id }}' });
		const [count, output] = await kept.transactionsOf(
			async () => await node.items(given, { items, credential }),
		);
		expect(count).toBe(2);
		expect(output[2]).toMatchObject({ hash: output[0]?.hash, replayed: true });
	});
});
