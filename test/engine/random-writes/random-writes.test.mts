/** Random runs of writes, through n8n's own engine, against a service that answers anything: each keeps the rules. */
import fc from 'fast-check';

import { brokenRules } from './checker.mts';
import type { Scenario } from './jobs.mts';
import { scenario } from './scenarios.mts';
import { ScriptedService } from './scripted-service.mts';
import { Worlds } from './world.mts';

const RUNS = Number(process.env.RANDOM_WRITES_RUNS ?? 300);
const SEED = Number(process.env.RANDOM_WRITES_SEED ?? Date.now() % 2 ** 31);
/** Most runs spend their time waiting. */
const AT_ONCE = 8;

let service: ScriptedService;
let worlds: Worlds;

beforeAll(async () => {
	service = await ScriptedService.start();
	worlds = await Worlds.create(service);
});
afterAll(async () => await service.stop());

test('x', async () => {
	const scenarios = fc.sample(scenario, { numRuns: RUNS, seed: SEED });
	const found = new Map<string, number[]>();
	let next = 0;
	const t = Date.now();
	await Promise.all(
		Array.from({ length: AT_ONCE }, async () => {
			while (next < scenarios.length) {
				const index = next++;
				const one = scenarios[index] as Scenario;
				const start = Date.now();
				try {
					const logs = await worlds.run(one);
					for (const rule of brokenRules(logs))
						found.set(rule, [...(found.get(rule) ?? []), index]);
				} catch (e) {
					console.log(
						index,
						e,
						JSON.stringify(one, (k, v) => (typeof v === 'bigint' ? String(v) : v)),
					);
				}
				if (Date.now() - start > 5000) console.log('slow', index, Date.now() - start);
			}
		}),
	);
	console.log(
		SEED,
		Date.now() - t,
		'ms',
		[...found].map(([rule, all]) => `${rule}: ${all.length} ${all.slice(0, 8)}`).join('\n'),
	);
}, 600_000);
