/** Random balances, contract values, failures and restarts, compared with a model that sees the whole list. */
import fc from 'fast-check';

import type { Crossing } from '../../../nodes/WalletService/trigger/balance.ts';
import { advanceBalance } from '../../../nodes/WalletService/trigger/balance.ts';
import { advanceValue } from '../../../nodes/WalletService/trigger/contract-value.ts';
import type { Side } from '../../../nodes/WalletService/trigger/state.ts';
import type { Interruption } from '../support/trigger/saved-state.mts';
import { itemsFor } from '../support/trigger/saved-state.mts';
import { forAll } from '../support/for-all.mts';

const stepsOf = <T,>(answer: fc.Arbitrary<T>): fc.Arbitrary<(T | Interruption)[]> => {
	const interruption = fc.constantFrom<Interruption[]>('failed', 'restart');
	const step = fc.oneof({ weight: 3, arbitrary: answer }, { weight: 1, arbitrary: interruption });
	return fc.array(step, { maxLength: 40 });
};
/** A number beyond 2^53, where floating-point numbers are not exact. */
const BASE = 2n ** 200n;
const steps = stepsOf(fc.bigInt({ min: BASE, max: BASE + 30n }));
const flag = fc.boolean();

/** An item, with amounts as decimal strings. */
type Reported = Record<'previous' | 'current' | 'crossed', string>;

const itemsOf = (
	given: readonly (bigint | Interruption)[],
	isDurable: boolean,
	rules: Parameters<typeof advanceBalance>[2],
): Reported[] =>
	itemsFor(given, isDurable, (current: bigint) => ({ balance }) => {
		const { state, isReported } = advanceBalance(balance, current, rules);
		const previous = String(balance?.balance);
		const json = { previous, current: String(current), crossed: String(state.side) };
		const items = isReported ? [{ time: 0, json }] : [];
		return { state: { balance: state }, items, mustBeSaved: balance?.side !== state.side };
	}) as Reported[];

const balancesOf = (given: readonly (bigint | string)[]): bigint[] =>
	given.filter((one) => typeof one === 'bigint');

const change = fc.bigInt({ min: 0n, max: 8n });

test('every change is reported once, from the last reported balance', async () => {
	await forAll([steps, change, flag, flag], 5000, (given, least, emitExisting, isDurable) => {
		const [start, ...balances] = balancesOf(given);
		const expected = emitExisting && start !== undefined ? [['undefined', String(start)]] : [];
		let last = start;
		for (const current of balances) {
			const up = current - (last ?? 0n);
			if (up === 0n || (up < least && -up < least)) continue;
			expected.push([String(last), String(current)]);
			last = current;
		}
		const rules = { name: 'balanceChanged', minimumChange: least, emitExisting } as const;
		const items = itemsOf(given, isDurable, rules);
		expect(items.map(({ previous, current }) => [previous, current])).toEqual(expected);
	});
});

const rule = fc.record({
	crossing: fc.constantFrom<Crossing>('above', 'below', 'both'),
	threshold: fc.bigInt({ min: BASE + 8n, max: BASE + 22n }),
	hysteresis: fc.bigInt({ min: 0n, max: 6n }),
});
type Rule = typeof rule extends fc.Arbitrary<infer T> ? T : never;

/** The side of each balance: the last one clearly beyond a bound decides. */
function sidesOf(balances: readonly bigint[], { crossing, threshold, hysteresis }: Rule): Side[] {
	const lower = crossing === 'below' ? threshold : threshold - hysteresis;
	const upper = crossing === 'above' ? threshold : threshold + hysteresis;
	return balances.map((_balance, index) => {
		const clear = balances.slice(1, index + 1).findLast((one) => one < lower || one >= upper);
		const deciding = clear ?? balances[0] ?? 0n;
		// Between the bounds, only the very first balance can decide: it is compared with the threshold.
		if (clear === undefined) return deciding >= threshold ? 'above' : 'below';
		return clear < lower ? 'below' : 'above';
	});
}

test('every crossing is reported once, whatever the hysteresis and however often n8n starts', async () => {
	await forAll([steps, rule, flag, flag], 5000, (given, own, emitExisting, isDurable) => {
		const balances = balancesOf(given);
		const sides = sidesOf(balances, own);
		const expected = balances.flatMap((current, index) => {
			const crossed = sides[index];
			const isCrossed = index === 0 ? emitExisting : crossed !== sides[index - 1];
			const isReported = isCrossed && (own.crossing === 'both' || own.crossing === crossed);
			return isReported ? [[String(current), crossed]] : [];
		});
		const rules = { name: 'balanceCrossedThreshold', ...own, emitExisting } as const;
		const items = itemsOf(given, isDurable, rules);
		expect(items.map(({ current, crossed }) => [current, crossed])).toEqual(expected);
	});
});

const texts = stepsOf(fc.constantFrom('0xa', '0xA', '0xb', '0xB', '0xc', '0xd'));

const keyOf = (value: string): string => value.toLowerCase();

type Change = readonly [previous: string | null, current: string];

/** The trigger's items for values; those in `met` meet the condition. */
function changesOf(
	given: readonly string[],
	isDurable: boolean,
	rules: Parameters<typeof advanceValue>[2],
	met: readonly string[] = [],
): Change[] {
	const items = itemsFor(given, isDurable, (answer: string) => ({ value }) => {
		const key = keyOf(answer);
		const before = value && { ...value, key: keyOf(String(value.answer)) };
		const seen = { answer, key, isMet: met.includes(key) };
		const { state, isReported } = advanceValue(before, seen, rules);
		const json = { previous: before?.key ?? null, current: key };
		const items = isReported ? [{ time: 0, json }] : [];
		return { state: { value: state }, items, mustBeSaved: before?.isMet !== state.isMet };
	});
	return items.map(({ previous, current }) => [previous, current] as unknown as Change);
}

const valuesOf = (given: readonly string[]): string[] =>
	given.filter((one) => one.startsWith('0x')).map(keyOf);

test('every change is reported once, from the last reported value', async () => {
	await forAll([texts, flag, flag], 3000, (given, emitExisting, isDurable) => {
		const values = valuesOf(given);
		const expected = values.flatMap((value, index): Change[] => {
			if (index === 0) return emitExisting ? [[null, value]] : [];
			const before = values[index - 1] ?? '';
			return value === before ? [] : [[before, value]];
		});
		expect(changesOf(given, isDurable, { onChange: true, emitExisting })).toEqual(expected);
	});
});

test('a condition is reported each time it becomes true, however often n8n starts', async () => {
	const anyOf = fc.subarray(['0xa', '0xb', '0xc', '0xd']);
	await forAll([texts, anyOf, flag, flag], 3000, (given, met, emitExisting, isDurable) => {
		const values = valuesOf(given);
		const expected = values.filter((value, index) => {
			if (!met.includes(value)) return false;
			return index === 0 ? emitExisting : !met.includes(values[index - 1] ?? '');
		});
		const changes = changesOf(given, isDurable, { onChange: false, emitExisting }, met);
		expect(changes.map(([, current]) => current)).toEqual(expected);
	});
});

test('an equal value in another form is not saved', () => {
	const before = { answer: '0xa', key: '0xa', isMet: false };
	const rules = { onChange: true, emitExisting: false };
	const { state } = advanceValue(before, { ...before, answer: '0xA' }, rules);
	expect(state).toEqual({ answer: '0xa', isMet: false });
});
