/** Which texts are Order IDs, and when two are the same order. */
import { KeptWrites } from './support/kept-writes.mts';

const kept = new KeptWrites();
const { node } = kept;

describe('an Order ID', () => {
	test.each<[unknown, string]>([
		['', 'empty'],
		['INV\u200b7', 'with a character that nobody sees'],
		['ä'.repeat(34), 'too long as a key'],
		['x'.repeat(201), 'too long'],
		['..', 'a path'],
		[2 ** 53, 'a number that has lost digits'],
		[{ id: 1 }, 'an object'],
	])('%p is refused (%s)', async (orderId) => {
		const given = kept.pay('1.5', { orderId: `={{ ${JSON.stringify(orderId)} }}` });
		const { message } = await node.refusal(given);
		expect(message).toContain('Order ID');
	});

	test.each([
		['=INV-{{ $json.number }}', {}, '{{ $json.number }}'],
		['=INV-{{ $json.number }}', { number: null }, '{{ $json.number }}'],
		['={{ $json.year }}-{{ $json.number }}', { year: 2026, number: ' ' }, '{{ $json.number }}'],
		['={{ "INV-" + $json.number }}', {}, 'undefined'],
		['={{ "INV-" + $json.number }}', { number: null }, 'null'],
		['={{ `INV-${Number($json.number)}` }}', { number: 'n. n.' }, 'NaN'],
		['={{ "INV-" + $json.number }}', { number: {} }, '[object '],
		['={{ ["INV", $json.number].join("-") }}', {}, '-'],
		['={{ [$json.number, 7].join("_") }}', {}, '_'],
		['={{ [2026, $json.number, 7].join("-") }}', {}, '--'],
		['null', {}, 'null'],
		['=INV-{{ $json.number }}', { number: 'NaN' }, '{{ $json.number }}'],
	])('%s of %j is refused: others would be the same order', async (orderId, json, lacks) => {
		const { message } = await node.refusal(kept.pay('1.5', { orderId }), { items: [json] });
		expect(message).toContain('Order ID');
		expect(message).toContain(`lacks a value (${lacks})`);
	});

	test.each([
		'={{ { a: { b: %n } }.a.b }}-{{ $json.number }}',
		'=\\{{ %n }} {{ "\\}}" + $json.number }}',
	])('with braces that belong to no expression, or within one, is paid: %s', async (text) => {
		const orderId = text.replace('%n', String(kept.number));
		const [item] = await node.items(kept.pay('1.5', { orderId }), { items: [{ number: 7 }] });
		expect(item).toMatchObject({ submitted: true });
	});

	test.each(['März-', 'null-', 'undefined behaviour ', '№ 7/', '发票-', 'M%C3%A4rz-'])(
		'%s… is the order of its own letters, in both spellings',
		async (start) => {
			const id = `${start}${kept.number}`;
			const [first] = await node.items(kept.pay('1.5', { orderId: id }));
			const [again] = await node.items(kept.pay('1.5', { orderId: '={{ $json.id }}' }), {
				items: [{ id: id.normalize('NFD') }],
			});
			expect(first).toEqual(expect.not.objectContaining({ replayed: true }));
			expect(again).toMatchObject({ hash: first?.hash, replayed: true });
		},
	);

	test.each([1_000_000, 0.5])('as a number (from %p) is that of its text', async (start) => {
		const id = start + kept.number;
		const [first] = await node.items(kept.pay('1.5', { orderId: `={{ ${id} }}` }));
		const [again] = await node.items(kept.pay('1.5', { orderId: String(id) }));
		expect(again).toMatchObject({ hash: first?.hash, replayed: true });
	});
});
