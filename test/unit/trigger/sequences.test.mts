/** Random balances and values of a contract, failures and restarts, compared with a model over the whole list. */
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
const steps = stepsOf(fc.bigInt({ min: 0n, max: 30n }));

/** An item; amounts as decimal text. */
type Reported = Record<'previous' | 'current' | 'crossed', string>;

/** The trigger's items for balances beyond 2^53, where floating point numbers fail. */
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

const BASE = 2n ** 200n;
const balancesOf = (given: readonly (bigint | string)[]): bigint[] =>
	given.filter((one) => typeof one === 'bigint').map((one) => one + BASE);
const shifted = <T,>(given: readonly (bigint | T)[]): (bigint | T)[] =>
	given.map((one) => (typeof one === 'bigint' ? one + BASE : one));

test('every change is reported once, from the last reported balance', async () => {
	await forAll(
		[steps, fc.bigInt({ min: 0n, max: 8n }), fc.boolean(), fc.boolean()],
		5000,
		(given, minimumChange, emitExisting, isDurable) => {
			const [start, ...balances] = balancesOf(given);
			const expected = emitExisting && start !== undefined ? [['undefined', String(start)]] : [];
			let last = start;
			for (const current of balances) {
				const up = current - (last ?? 0n);
				if (up === 0n || (up < minimumChange && -up < minimumChange)) continue;
				expected.push([String(last), String(current)]);
				last = current;
			}
			const rules = { name: 'balanceChanged', minimumChange, emitExisting } as const;
			const items = itemsOf(shifted(given), isDurable, rules);
			expect(items.map(({ previous, current }) => [previous, current])).toEqual(expected);
		},
	);
});

/** The side of each balance: the last one clearly beyond a bound decides. */
function sidesOf(
	balances: readonly bigint[],
	lower: bigint,
	upper: bigint,
	threshold: bigint,
): Side[] {
	return balances.map((_balance, index) => {
		const clear = balances.slice(1, index + 1).findLast((one) => one < lower || one >= upper);
		const deciding = clear ?? balances[0] ?? 0n;
		// Between the bounds, only the very first balance can decide: it is compared with the threshold.
		if (clear === undefined) return deciding >= threshold ? 'above' : 'below';
		return clear < lower ? 'below' : 'above';
	});
}

test('every crossing is reported once, whatever the hysteresis and however often n8n starts', async () => {
	await forAll(
		[
			steps,
			fc.constantFrom<Crossing>('above', 'below', 'both'),
			fc.bigInt({ min: 8n, max: 22n }),
			fc.bigInt({ min: 0n, max: 6n }),
			fc.boolean(),
			fc.boolean(),
		],
		5000,
		(given, crossing, height, hysteresis, emitExisting, isDurable) => {
			const threshold = BASE + height;
			const balances = balancesOf(given);
			const lower = crossing === 'below' ? threshold : threshold - hysteresis;
			const upper = crossing === 'above' ? threshold : threshold + hysteresis;
			const sides = sidesOf(balances, lower, upper, threshold);
			const expected = balances.flatMap((current, index) => {
				const crossed = sides[index];
				const isCrossed = index === 0 ? emitExisting : crossed !== sides[index - 1];
				const isReported = isCrossed && (crossing === 'both' || crossing === crossed);
				return isReported ? [{ current: String(current), crossed }] : [];
			});
			const name = 'balanceCrossedThreshold' as const;
			const rules = { name, crossing, threshold, hysteresis, emitExisting };
			const items = itemsOf(shifted(given), isDurable, rules);
			expect(items.map(({ current, crossed }) => ({ current, crossed }))).toEqual(expected);
		},
	);
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
	await forAll([texts, fc.boolean(), fc.boolean()], 3000, (given, emitExisting, isDurable) => {
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
	await forAll(
		[texts, fc.subarray(['0xa', '0xb', '0xc', '0xd']), fc.boolean(), fc.boolean()],
		3000,
		(given, met, emitExisting, isDurable) => {
			const values = valuesOf(given);
			const expected = values.filter((value, index) => {
				if (!met.includes(value)) return false;
				return index === 0 ? emitExisting : !met.includes(values[index - 1] ?? '');
			});
			const changes = changesOf(given, isDurable, { onChange: false, emitExisting }, met);
			expect(changes.map(([, current]) => current)).toEqual(expected);
		},
	);
});

test('an equal value in another form is not saved', () => {
	const before = { answer: '0xa', key: '0xa', isMet: false };
	const rules = { onChange: true, emitExisting: false };
	const { state } = advanceValue(before, { ...before, answer: '0xA' }, rules);
	expect(state).toEqual({ answer: '0xa', isMet: false });
});
