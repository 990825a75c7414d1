/**
 * Random lists of payments through n8n's own engine: several users, limits and orders, answers that are lost, waits, and
 * processes of n8n that die, continue elsewhere and retry what they have begun, with the same list or another one.
 */
import { brokenListRules } from './support/lists/list-checker.mts';
import { createListWorld } from './support/lists/list-world.mts';
import { lists } from './support/lists/scenarios.mts';
import { testRuns } from './support/random-runs.mts';
import { inTests, useResources } from '../../support/resources.mts';
import { Service } from '../../support/sandbox/service.mts';
import { ScriptedService } from '../support/scripted-service.mts';

/** A service, and the number of lists at it. */
const SERVICES = [
	['a service that knows the interface', false, 150],
	['one that keeps writes', true, 80],
] as const;

describe.each(SERVICES)('at %s', (_name, isKept, usualRuns) => {
	const resources = useResources();
	const world = inTests(beforeAll, async () => {
		const env = { SANDBOX_WRITE_KEYS: '1' };
		const kept = isKept ? await resources.use(Service.start(env)) : undefined;
		return await createListWorld(await resources.use(ScriptedService.start()), kept);
	});

	const run = async (plan: Parameters<ReturnType<typeof world>['run']>[0]) =>
		await world().run(plan);
	testRuns({ usualRuns, scenarios: lists(isKept), rulesOf: brokenListRules, run });
});
