/**
 * Random runs of writes, contract calls and transfers of tokens, through n8n's own engine, against a service that may answer
 * anything, and against one that keeps writes, whose answers may be lost: a checker decides whether each run kept the rules for
 * everything that can move money. `random-runs.mts` names the variables that select the runs.
 */
import { brokenRules } from './support/checker.mts';
import { brokenKeptRules } from './support/kept-checker.mts';
import { testRuns } from './support/random-runs.mts';
import { keptScenario, scenario } from './support/scenarios.mts';
import { createWorld } from './support/world.mts';
import { inTests, useResources } from '../../support/resources.mts';
import { Service } from '../../support/sandbox/service.mts';
import { ScriptedService } from '../support/scripted-service.mts';

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

	testRuns({ usualRuns, scenarios, rulesOf, run: async (one) => await world().run(one) });
});
