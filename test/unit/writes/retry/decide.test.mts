/**
 * The rule of Retry, on single lists and on a model of n8n.
 *
 *   RETRY_WORKFLOWS=200000   number of workflows of the model, in about ten seconds
 *   RETRY_SEED=2             selects other ones
 */
import { decide } from '../../../../nodes/WalletService/writes/retry/decide.ts';
import type { Asked, Sent } from '../../../../nodes/WalletService/writes/retry/decide.ts';
import { runModel } from './support/model.mts';
import type { Rule } from './support/rule.mts';

const { RETRY_WORKFLOWS = '3000', RETRY_SEED = '1' } = process.env;

const write = (place: string, call: string, input = 'rows'): Sent => ({ place, call, input });
const ofOrder = <T extends Sent>(order: string, sent: T): T => ({ ...sent, order });
const rows = (...calls: string[]) =>
	calls.map((call, item): Asked => ({ item, place: `0/${item}`, input: 'rows', call }));

/** `=` and the place of the write that answers an item, `!` and that of the one because of which it is refused, or `send`. */
const decided = (open: Sent[], asked: Asked[]) =>
	[...decide(open, asked)]
		.sort(([one], [other]) => one - other)
		.map(([, one]) =>
			one.is === 'send' ? 'send' : `${one.is === 'answer' ? '=' : '!'}${one.write.place}`,
		);

const OTHER_ROWS = 'other rows';

test.each<[string, Sent[], Asked[], string[]]>([
	['nothing was sent', [], rows('a', 'b'), ['send', 'send']],
	['an equal call stands at the place', [write('0/0', 'a')], rows('a', 'a'), ['=0/0', 'send']],
	[
		'the rows have another order',
		[write('0/0', 'a'), write('0/1', 'b')],
		rows('b', 'a'),
		['=0/1', '=0/0'],
	],
	['it was another pass', [write('3/0', 'a')], rows('a'), ['=3/0']],
	['the row in its place has moved', [write('0/0', 'b')], rows('a', 'b'), ['send', '=0/0']],
	['the values have changed, and the rows have not', [write('0/0', 'a')], rows('a2'), ['=0/0']],
	['both have changed', [write('0/0', 'a', OTHER_ROWS)], rows('a2', 'b'), ['!0/0', 'send']],
	[
		'no digest tells the rows',
		[write('0/0', 'a', '')],
		rows('b').map((one) => ({ ...one, input: '' })),
		['!0/0'],
	],
	[
		'a write has answered one of two equal items',
		[write('0/1', 'a')],
		rows('a', 'a'),
		['send', '=0/1'],
	],
	[
		'equal calls are of two orders',
		[ofOrder('O-6', write('0/0', 'a'))],
		rows('a', 'a').map((one, place) => ofOrder(`O-${8 - 2 * place}`, one)),
		['send', '=0/0'],
	],
	[
		'an order was added before the Retry, or taken away',
		[write('0/0', 'a'), ofOrder('O-6', write('0/1', 'b'))],
		[...rows('a').map((one) => ofOrder('O-1', one)), ...rows('', 'b').slice(1)],
		['=0/0', '=0/1'],
	],
	[
		'as many as items, in turn',
		[write('1/0', 'a'), write('2/0', 'a')],
		rows('a', 'a', 'a'),
		['=1/0', '=2/0', 'send'],
	],
])('decides if %s', (_name, open, asked, expected) => {
	expect(decided(open, asked)).toEqual(expected);
});

test('pays nothing twice and reports nothing false, whatever n8n does with a list', () => {
	const totals = runModel(Number(RETRY_WORKFLOWS), Number(RETRY_SEED), decide);
	expect(totals).toMatchObject({ doubled: 0, falseReports: 0 });
	expect(totals.retries).toBeGreaterThan(Number(RETRY_WORKFLOWS) / 4);
});

/** Decides as if the writes and the items differed in nothing but what is left of them. */
const seeing =
	(view: (one: Sent) => Partial<Sent>): Rule =>
	(open, asked) =>
		decide(
			open.map((one) => ({ ...one, ...view(one) })),
			asked.map((one) => ({ ...one, ...view(one) })),
		);

/** Rules that pay twice, or report what is false. */
const CONTROLS: readonly (readonly [name: string, rule: Rule])[] = [
	['none', () => new Map()],
	['places alone', seeing(({ place }) => ({ call: place }))],
	[
		'calls alone',
		(open, asked) =>
			decide(
				open,
				asked.map((one) => ({ ...one, place: 'anywhere' })),
			),
	],
];

test.each(CONTROLS)('the model finds that a rule is not enough: %s', (_name, rule) => {
	const { doubled, falseReports } = runModel(3000, 1, rule);
	expect(doubled + falseReports).toBeGreaterThan(100);
});

test('rows that are the same let fewer items be refused', () => {
	const { conflicts } = runModel(
		3000,
		1,
		seeing(() => ({ input: '' })),
	);
	expect(conflicts).toBeGreaterThan(1.5 * runModel(3000, 1, decide).conflicts);
});
