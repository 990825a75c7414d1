import fc from 'fast-check';

import { quote } from '../../../nodes/WalletService/values/quote.ts';

describe('quote', () => {
	it.each<[unknown, string]>([
		['0xabc', '"0xabc"'],
		['1\u200b2\u001b\u2028', '"1\\u200b2\\u001b\\u2028"'],
		[12, '12'],
		[12n, '12'],
		[null, 'null'],
		[undefined, 'undefined'],
		[{ a: [1n, { b: 'x' }], __proto__: null }, '{"a":["1",{"b":"x"}]}'],
		[new Date(0), '"1970-01-01T00:00:00.000Z"'],
		[{ at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
		[JSON.parse('{"__proto__":{"a":1}}'), '{"__proto__":{"a":1}}'],
		['x'.repeat(78), `"${'x'.repeat(78)}"`],
		['x'.repeat(79), `"${'x'.repeat(78)}…`],
	])('shows %p', (value, text) => {
		expect(quote(value)).toBe(text);
	});

	it('shows a value that holds itself', () => {
		const value: Record<string, unknown> = { a: 1 };
		value.self = value;
		expect(quote(value)).toBe('{"a":1,"self":"[repeated]"}');
	});

	it('is the beginning of the JSON of any value', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const json = JSON.stringify(value);
				expect(quote(value)).toBe(json.length > 80 ? `${json.slice(0, 79)}…` : json);
			}),
			{ numRuns: 2000 },
		);
	});

	it('reads no more of a value than it shows', () => {
		const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
		expect(quote(deep)).toBe(`${'['.repeat(79)}…`);
		const objects: unknown = JSON.parse(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`);
		expect(quote(objects)).toMatch(/^(\{"a":)+.{0,4}…$/);
		let reads = 0;
		const watched = new Proxy(new Array<number>(500_000).fill(7), {
			get: (list, key) => {
				reads += 1;
				return Reflect.get(list, key);
			},
		});
		expect(quote(watched)).toMatch(/^\[7,7,.*…$/);
		expect(reads).toBeLessThan(500);
	});
});
