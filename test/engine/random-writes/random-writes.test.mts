/**
 * Random runs of writes, through n8n's own engine, against a service that answers anything: the checker decides whether
 * each kept the rules for everything that can move money.
 *
 *   RANDOM_WRITES_RUNS=5000        how many runs
 *   RANDOM_WRITES_SEED=1           the same runs again; printed when one fails
 *   RANDOM_WRITES_PATH=38:0:1      one of them alone, with its logs; printed as well
 */
import { inspect } from 'node:util';

import fc from 'fast-check';

import { brokenRules } from './checker.mts';
import type { Scenario } from './jobs.mts';
import type { Logs } from './logs.mts';
import { scenario } from './scenarios.mts';
import { ScriptedService } from './scripted-service.mts';
import { Worlds } from './world.mts';

const {
	RANDOM_WRITES_RUNS = '300',
	RANDOM_WRITES_SEED = String(Date.now() % 2 ** 31),
	RANDOM_WRITES_PATH,
} = process.env;
const RUNS = Number(RANDOM_WRITES_RUNS);
const SEED = Number(RANDOM_WRITES_SEED);
/** Most runs spend their time waiting. */
const AT_ONCE = 12;
/** Time to look for a smaller run that breaks the same rule. */
const SHRINKING_MS = 20_000;
const TIMEOUT_MS = 600_000;

let service: ScriptedService;
let worlds: Worlds;

beforeAll(async () => {
	service = await ScriptedService.start();
	worlds = await Worlds.create(service);
});
afterAll(async () => await service.stop());

const shown = ({ broken, one, logs }: { broken: string[]; one: Scenario; logs: Logs }) => {
	const answers = one.answers.map(
		({ plan: { name, does }, ms }) => `${name}, does ${does}, ${ms} ms`,
	);
	return inspect({ broken, one: { ...one, answers }, logs }, { depth: 9, breakLength: 200 });
};

/** The rules that the runs broke, with the indexes of those that did. */
async function findings(scenarios: readonly Scenario[]): Promise<Map<string, number[]>> {
	const found = new Map<string, number[]>();
	const waiting = [...scenarios.entries()].values();
	const takeRuns = async () => {
		for (const [index, one] of waiting) {
			for (const rule of brokenRules(await worlds.run(one))) {
				found.set(rule, [...(found.get(rule) ?? []), index]);
			}
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, takeRuns));
	return found;
}

/**
 * Runs one alone, and then, unless it keeps the rules, ever smaller ones that break them as well.
 *
 * @param rule the one to break; any when left out, and then no smaller run is looked for
 * @returns the smallest one with its logs, and where it is found again; `undefined` when nothing is broken
 */
async function replay(path: string, rule?: string): Promise<string | undefined> {
	let seen: { broken: string[]; one: Scenario; logs: Logs } | undefined;
	const property = fc.asyncProperty(scenario, async (one) => {
		const logs = await worlds.run(one);
		const broken = brokenRules(logs);
		if (rule === undefined ? broken.length === 0 : !broken.includes(rule)) return;
		seen = { broken, one, logs };
		throw new Error(broken.join(', '));
	});
	const { counterexamplePath } = await fc.check(property, {
		seed: SEED,
		path,
		numRuns: 1,
		endOnFailure: rule === undefined,
		interruptAfterTimeLimit: SHRINKING_MS,
	});
	if (seen === undefined) return undefined;
	return `RANDOM_WRITES_SEED=${SEED} RANDOM_WRITES_PATH=${counterexamplePath}\n${shown(seen)}`;
}

test(
	'every run keeps the rules',
	async () => {
		if (RANDOM_WRITES_PATH !== undefined) {
			expect(await replay(RANDOM_WRITES_PATH)).toBeUndefined();
			return;
		}
		const found = await findings(fc.sample(scenario, { numRuns: RUNS, seed: SEED }));
		const list = [...found].map(
			([rule, runs]) => `${rule}: ${runs.length} runs, first ${runs.slice(0, 9)}`,
		);
		const [[rule, [index]] = ['', []]] = found;
		const example = index === undefined ? '' : await replay(String(index), rule);
		expect(
			`${list.join('\n')}\n${example ?? `not again: RANDOM_WRITES_SEED=${SEED} RANDOM_WRITES_PATH=${index}`}`.trim(),
		).toBe('');
	},
	TIMEOUT_MS,
);
