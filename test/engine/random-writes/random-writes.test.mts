/**
 * Random runs of writes, contract calls and transfers of tokens, through n8n's own engine, against a service that may answer
 * anything, and against one that keeps writes, whose answers may be lost: a checker decides whether each run kept the rules for
 * everything that can move money.
 *
 *   RANDOM_WRITES_RUNS=5000        number of runs at each service
 *   RANDOM_WRITES_SEED=2           selects other random runs; printed when a run fails
 *   RANDOM_WRITES_PATH=38:0:1      a single run, with its logs; also printed
 */
import { inspect } from 'node:util';

import fc from 'fast-check';

import { brokenRules } from './support/checker.mts';
import { brokenKeptRules } from './support/kept-checker.mts';
import type { Logs } from './support/logs.mts';
import type { Scenario } from './support/scenarios.mts';
import { keptScenario, scenario } from './support/scenarios.mts';
import { createWorld } from './support/world.mts';
import { inTests, useResources } from '../../support/resources.mts';
import { Service } from '../../support/sandbox/service.mts';
import { ScriptedService } from '../support/scripted-service.mts';

const { RANDOM_WRITES_RUNS, RANDOM_WRITES_SEED = '1', RANDOM_WRITES_PATH } = process.env;
const SEED = Number(RANDOM_WRITES_SEED);
/** Simultaneous runs: they spend most of their time waiting. */
const AT_ONCE = 24;
/** Time to search for a smaller run that breaks the same rule. */
const SHRINKING_MS = 10_000;
const TIMEOUT_MS = 900_000;

/** A run with its logs, and the rules that it broke. */
interface Checked {
	readonly broken: readonly string[];
	readonly one: Scenario;
	readonly logs: Logs;
	readonly path: string;
}

/** A service, the runs at it, and their rules. */
const SERVICES = [
	['a service that knows the interface', {}, 150, scenario, brokenRules],
	['one that keeps writes', { SANDBOX_WRITE_KEYS: '1' }, 80, keptScenario, brokenKeptRules],
] as const;

describe.each(SERVICES)('at %s', (_name, env, usualRuns, scenarios, rulesOf) => {
	const resources = useResources();
	const world = inTests(beforeAll, async () => {
		const isKept = 'SANDBOX_WRITE_KEYS' in env;
		const kept = isKept ? await resources.use(Service.start(env)) : undefined;
		return await createWorld(await resources.use(ScriptedService.start()), kept);
	});
	afterAll(() => expect(world().clients.strays).toBe(0));

	async function run(one: Scenario, path: string): Promise<Checked> {
		const logs = await world().run(one);
		return { broken: rulesOf(logs), one, logs, path };
	}

	/** Searches for the smallest run that breaks the same rule. */
	async function smallest(first: Checked, rule: string): Promise<Checked> {
		let seen = first;
		const property = fc.asyncProperty(scenarios, async (one) => {
			const checked = await run(one, first.path);
			const isBroken = checked.broken.includes(rule);
			if (isBroken) seen = checked;
			return !isBroken;
		});
		const { counterexamplePath } = await fc.check(property, {
			...{ seed: SEED, path: first.path, numRuns: 1 },
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
			const breaches: Checked[] = [];
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
				const shown = path === undefined ? await smallest(those[0], rule) : those[0];
				const again = `RANDOM_WRITES_SEED=${SEED} RANDOM_WRITES_PATH=${shown.path}`;
				const details = inspect(shown, { depth: 9, breakLength: 200 });
				reports.push(`${rule}: ${those.length} runs, ${again}\n${details}`);
			}
			if (reports.length > 0) throw new Error([...rules, ...reports].join('\n'));
		},
		TIMEOUT_MS,
	);
});
