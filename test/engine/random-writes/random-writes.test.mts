/**
 * Random runs of writes, contract calls and transfers of tokens, through n8n's own engine, against a service that may answer
 * anything: the checker decides whether each run kept the rules for everything that can move money.
 *
 *   RANDOM_WRITES_RUNS=5000        number of runs
 *   RANDOM_WRITES_SEED=2           selects other random runs; printed when a run fails
 *   RANDOM_WRITES_PATH=38:0:1      a single run, with its logs; also printed
 */
import { inspect } from 'node:util';

import fc from 'fast-check';

import { brokenRules } from './support/checker.mts';
import type { Logs } from './support/logs.mts';
import type { Scenario } from './support/scenarios.mts';
import { scenario } from './support/scenarios.mts';
import { World } from './support/world.mts';
import { useResources } from '../../support/resources.mts';

const { RANDOM_WRITES_RUNS = '300', RANDOM_WRITES_SEED = '1', RANDOM_WRITES_PATH } = process.env;
const RUNS = Number(RANDOM_WRITES_RUNS);
const SEED = Number(RANDOM_WRITES_SEED);
/** Simultaneous runs: they spend most of their time waiting. */
const AT_ONCE = 24;
/** Time to search for a smaller run that breaks the same rule. */
const SHRINKING_MS = 10_000;
const TIMEOUT_MS = 900_000;

let world: World;

const resources = useResources();
beforeAll(async () => (world = await resources.use(World.create())));
afterAll(() => expect(world.clients.strays).toBe(0));

/** A run that broke rules, with its scenario and logs. */
interface Breach {
	readonly broken: readonly string[];
	readonly one: Scenario;
	readonly logs: Logs;
	/** The runs that broke the rule: indexes among all runs, or the path to a single run. */
	readonly at: readonly (number | string | null)[];
}

function shown({ broken, one, logs, at }: Breach): string {
	const answers = one.answers.map(({ plan: { name, does }, ms }) => `${name}, ${does}, ${ms} ms`);
	const found = { broken, one: { ...one, answers }, logs };
	const path = `RANDOM_WRITES_SEED=${SEED} RANDOM_WRITES_PATH=${at[0]}`;
	return `${at.length} runs, ${path}\n${inspect(found, { depth: 9, breakLength: 200 })}`;
}

async function run(one: Scenario, at: Breach['at']): Promise<Breach> {
	const logs = await world.run(one);
	return { broken: brokenRules(logs), one, logs, at };
}

/** Checks all runs, and returns the first breach of each rule. */
async function breaches(scenarios: readonly Scenario[]): Promise<Map<string, Breach>> {
	const found = new Map<string, Breach>();
	const waiting = [...scenarios.entries()].values();
	const takeRuns = async () => {
		for (const [index, one] of waiting) {
			const breach = await run(one, [index]);
			for (const rule of breach.broken) {
				const first = found.get(rule) ?? { ...breach, at: [] };
				found.set(rule, { ...first, at: [...first.at, index] });
			}
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, takeRuns));
	return found;
}

/**
 * Checks a single run and, if it breaks a rule, searches for the smallest run that still breaks it.
 *
 * @param rule if absent, any rule counts, and no smaller run is searched for
 */
async function smallest(path: string, rule?: string): Promise<Breach | undefined> {
	let seen: Breach | undefined;
	const property = fc.asyncProperty(scenario, async (one) => {
		const breach = await run(one, [path]);
		const isBroken = rule === undefined ? breach.broken.length > 0 : breach.broken.includes(rule);
		if (isBroken) seen = breach;
		return !isBroken;
	});
	const { counterexamplePath } = await fc.check(property, {
		seed: SEED,
		path,
		numRuns: 1,
		endOnFailure: rule === undefined,
		interruptAfterTimeLimit: SHRINKING_MS,
	});
	return seen && { ...seen, at: [counterexamplePath] };
}

test(
	'every run keeps the rules',
	async () => {
		if (RANDOM_WRITES_PATH !== undefined) {
			const breach = await smallest(RANDOM_WRITES_PATH);
			if (breach !== undefined) throw new Error(shown(breach));
			return;
		}
		const found = await breaches(fc.sample(scenario, { numRuns: RUNS, seed: SEED }));
		const reports: string[] = [];
		for (const [rule, first] of found) {
			const small = await smallest(String(first.at[0]), rule);
			reports.push(
				`${rule}: ${shown({ ...(small ?? first), at: [...(small ?? first).at, ...first.at.slice(1)] })}`,
			);
		}
		if (reports.length > 0) throw new Error([...found.keys(), ...reports].join('\n'));
	},
	TIMEOUT_MS,
);
