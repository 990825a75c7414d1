/** Random balances, failures and restarts, compared with a model over the whole list. */
import fc from 'fast-check';

import type { Crossing } from '../../../nodes/WalletService/trigger/balance.ts';
import { advanceBalance } from '../../../nodes/WalletService/trigger/balance.ts';
import type { Side } from '../../../nodes/WalletService/trigger/state.ts';
import type { Interruption } from '../support/trigger/saved-state.mts';
import { itemsFor } from '../support/trigger/saved-state.mts';

/** A balance, no answer, or a restart of n8n. */
const step = fc.oneof(
	{ weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 30n }) },
	{ weight: 1, arbitrary: fc.constant('failed' as const) },
	{ weight: 1, arbitrary: fc.constant('restart' as const) },
);
const steps = fc.array(step, { maxLength: 40 });

/** An item; amounts as decimal text. */
type Told = Record<'previous' | 'current' | 'crossed', string>;

/** The trigger's items for balances beyond 2^53, where floating point numbers fail. */
const tell = (
	given: readonly (bigint | Interruption)[],
	isDurable: boolean,
	rules: Parameters<typeof advanceBalance>[2],
): Told[] =>
	itemsFor(given, isDurable, (current: bigint) => ({ balance }) => {
		const { state, isReported } = advanceBalance(balance, current, rules);
		const json = {
			previous: String(balance?.balance),
			current: String(current),
			crossed: String(state.side),
		};
		return {
			state: { balance: state },
			items: isReported ? [{ time: 0, json }] : [],
			mustBeSaved: balance?.side !== state.side,
		};
	}) as Told[];

const BASE = 2n ** 200n;
const balancesOf = (given: readonly (bigint | string)[]): bigint[] =>
	given.filter((one) => typeof one === 'bigint').map((one) => one + BASE);
const shifted = <T,>(given: readonly (bigint | T)[]): (bigint | T)[] =>
	given.map((one) => (typeof one === 'bigint' ? one + BASE : one));

test('every change is reported once, from the last reported balance', () => {
	fc.assert(
		fc.property(
			steps,
			fc.bigInt({ min: 0n, max: 8n }),
			fc.boolean(),
			fc.boolean(),
			(given, minimumChange, emitExisting, isDurable) => {
				const [start, ...balances] = balancesOf(given);
				const expected: Pick<Told, 'previous' | 'current'>[] = [];
				let last = start;
				if (emitExisting && start !== undefined)
					expected.push({ previous: 'undefined', current: String(start) });
				for (const current of balances) {
					const up = current - (last ?? 0n);
					if (up === 0n || (up < minimumChange && -up < minimumChange)) continue;
					expected.push({ previous: String(last), current: String(current) });
					last = current;
				}
				const rules = { name: 'balanceChanged', minimumChange, emitExisting } as const;
				const told = tell(shifted(given), isDurable, rules);
				expect(told.map(({ previous, current }) => ({ previous, current }))).toEqual(expected);
			},
		),
		{ numRuns: 5000 },
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

test('every crossing is reported once, whatever the hysteresis and however often n8n starts', () => {
	fc.assert(
		fc.property(
			steps,
			fc.constantFrom<Crossing>('above', 'below', 'both'),
			fc.bigInt({ min: 8n, max: 22n }),
			fc.bigInt({ min: 0n, max: 6n }),
			fc.boolean(),
			fc.boolean(),
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
				const told = tell(shifted(given), isDurable, rules);
				expect(told.map(({ current, crossed }) => ({ current, crossed }))).toEqual(expected);
			},
		),
		{ numRuns: 5000 },
	);
});
