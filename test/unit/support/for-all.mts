import fc from 'fast-check';

import { thorough } from '../../support/thorough.mts';

type Arbitraries<Values extends unknown[]> = { [Key in keyof Values]: fc.Arbitrary<Values[Key]> };

/** Repeats a check with random values; a check fails if it throws or returns false. */
export async function forAll<Values extends [unknown, ...unknown[]]>(
	values: Arbitraries<Values>,
	numRuns: number,
	check: (...given: Values) => unknown,
): Promise<void> {
	const all = fc.tuple(...values) as unknown as fc.Arbitrary<Values>;
	const holds = async (given: Values) => (await check(...given)) !== false;
	await fc.assert(fc.asyncProperty(all, holds), { numRuns: thorough(numRuns) });
}
