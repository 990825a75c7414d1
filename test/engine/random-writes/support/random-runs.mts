/**
 * Random runs, each judged by a checker.
 *
 *   RANDOM_WRITES_RUNS=5000        number of runs at each service
 *   RANDOM_WRITES_SEED=2           selects other random runs; printed when a run fails
 *   RANDOM_WRITES_PATH=38:0:1      a single run, with its logs; also printed
 */
import { inspect } from 'node:util';

import fc from 'fast-check';

const { RANDOM_WRITES_RUNS, RANDOM_WRITES_SEED = '1', RANDOM_WRITES_PATH } = process.env;
const SEED = Number(RANDOM_WRITES_SEED);
/** Simultaneous runs: they spend most of their time waiting. */
const AT_ONCE = 24;
/** Time to search for a smaller run that breaks the same rule. */
const SHRINKING_MS = 10_000;

/** Time for a run on a busy machine. */
const RUN_MS = 2_000;
const TIMEOUT_MS = Math.max(900_000, Number(RANDOM_WRITES_RUNS ?? 0) * RUN_MS);

/** A run with its logs, and the rules that it broke. */
interface Checked<Scenario, Logs> {
	readonly broken: readonly string[];
	readonly one: Scenario;
	readonly logs: Logs;
	readonly path: string;
}

/** Where runs take place, and by what they are judged. */
interface Trial<Scenario, Logs> {
	/** The number of runs, unless another one is asked for. */
	readonly usualRuns: number;
	readonly scenarios: fc.Arbitrary<Scenario>;
	readonly run: (one: Scenario) => Promise<Logs>;
	readonly rulesOf: (logs: Logs) => string[];
}

/** Defines the test that every run keeps the rules. */
export function testRuns<Scenario, Logs>(trial: Trial<Scenario, Logs>): void {
	const { usualRuns, scenarios, rulesOf } = trial;

	async function run(one: Scenario, path: string): Promise<Checked<Scenario, Logs>> {
		const logs = await trial.run(one);
		return { broken: rulesOf(logs), one, logs, path };
	}

	/** Searches for the smallest run that breaks the same rule. */
	async function smallest(first: Checked<Scenario, Logs>, rule: string) {
		let seen = first;
		const property = fc.asyncProperty(scenarios, async (one) => {
			const checked = await run(one, first.path);
			const isBroken = checked.broken.includes(rule);
			if (isBroken) seen = checked;
			return !isBroken;
		});
		const { counterexamplePath } = await fc.check(property, {
			seed: SEED,
			path: first.path,
			numRuns: 1,
			interruptAfterTimeLimit: SHRINKING_MS,
		});
		return { ...seen, path: counterexamplePath ?? first.path };
	}

	test(
		'every run keeps the rules',
		async () => {
			const path = RANDOM_WRITES_PATH;
			const numRuns = path === undefined ? Number(RANDOM_WRITES_RUNS ?? usualRuns) : 1;
			// A tuple, like the values of the property above: paths are the same for both.
			const waiting = fc.sample(fc.tuple(scenarios), { seed: SEED, path, numRuns }).entries();
			const breaches: Checked<Scenario, Logs>[] = [];
			const takeRuns = async () => {
				for (const [index, [one]] of waiting) {
					const checked = await run(one, path ?? String(index));
					if (checked.broken.length > 0) breaches.push(checked);
				}
			};
			await Promise.all(Array.from({ length: AT_ONCE }, takeRuns));
			const rules = new Set(breaches.flatMap(({ broken }) => broken));
			const reports: string[] = [];
			for (const rule of rules) {
				const those = breaches.filter(({ broken }) => broken.includes(rule));
				const [first] = those;
				if (first === undefined) continue;
				const shown = path === undefined ? await smallest(first, rule) : first;
				const again = `RANDOM_WRITES_SEED=${SEED} RANDOM_WRITES_PATH=${shown.path}`;
				const details = inspect(shown, { depth: 9, breakLength: 200 });
				reports.push(`${rule}: ${those.length} runs, ${again}\n${details}`);
			}
			if (reports.length > 0) throw new Error([...rules, ...reports].join('\n'));
		},
		TIMEOUT_MS,
	);
}
