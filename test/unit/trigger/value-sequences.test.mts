/** Random values of a contract, failures and restarts, compared with a model over the whole list. */
import fc from 'fast-check';

import { advanceValue } from '../../../nodes/WalletService/trigger/contract-value.ts';
import { itemsFor } from '../support/trigger/saved-state.mts';

/** A value in lower or upper case, no answer, or a restart of n8n. */
const step = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('0xa', '0xA', '0xb', '0xB', '0xc', '0xd') },
	{ weight: 1, arbitrary: fc.constant('failed') },
	{ weight: 1, arbitrary: fc.constant('restart') },
);
const steps = fc.array(step, { maxLength: 40 });

const keyOf = (value: string): string => value.toLowerCase();

type Told = readonly [previous: string | null, current: string];

/** The trigger's items for values; those in `met` meet the condition. */
function tell(
	given: readonly string[],
	isDurable: boolean,
	rules: Parameters<typeof advanceValue>[2],
	met: readonly string[] = [],
): Told[] {
	const items = itemsFor(given, isDurable, (answer: string) => ({ value }) => {
		const key = keyOf(answer);
		const before = value && { ...value, key: keyOf(String(value.answer)) };
		const seen = { answer, key, isMet: met.includes(key) };
		const { state, isReported } = advanceValue(before, seen, rules);
		const json = { previous: before?.key ?? null, current: key };
		return {
			state: { value: state },
			items: isReported ? [{ time: 0, json }] : [],
			mustBeSaved: before?.isMet !== state.isMet,
		};
	});
	return items.map(({ previous, current }) => [previous, current] as unknown as Told);
}

const valuesOf = (given: readonly string[]): string[] =>
	given.filter((one) => one.startsWith('0x')).map(keyOf);

test('every change is reported once, from the last reported value', () => {
	fc.assert(
		fc.property(steps, fc.boolean(), fc.boolean(), (given, emitExisting, isDurable) => {
			const values = valuesOf(given);
			const expected = values.flatMap((value, index): Told[] => {
				if (index === 0) return emitExisting ? [[null, value]] : [];
				const before = values[index - 1] ?? '';
				return value === before ? [] : [[before, value]];
			});
			expect(tell(given, isDurable, { onChange: true, emitExisting })).toEqual(expected);
		}),
		{ numRuns: 3000 },
	);
});

test('a condition is reported each time it becomes true, however often n8n starts', () => {
	fc.assert(
		fc.property(
			steps,
			fc.subarray(['0xa', '0xb', '0xc', '0xd']),
			fc.boolean(),
			fc.boolean(),
			(given, met, emitExisting, isDurable) => {
				const values = valuesOf(given);
				const expected = values.filter((value, index) => {
					if (!met.includes(value)) return false;
					return index === 0 ? emitExisting : !met.includes(values[index - 1] ?? '');
				});
				const told = tell(given, isDurable, { onChange: false, emitExisting }, met);
				expect(told.map(([, current]) => current)).toEqual(expected);
			},
		),
		{ numRuns: 3000 },
	);
});

test('an equal value that is written in another way is nothing to save', () => {
	const before = { answer: '0xa', key: '0xa', isMet: false };
	const rules = { onChange: true, emitExisting: false };
	const { state } = advanceValue(before, { ...before, answer: '0xA' }, rules);
	expect(state).toEqual({ answer: '0xa', isMet: false });
});
