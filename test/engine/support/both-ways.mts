import type { EngineResult, EngineRun } from './engine.mts';
import { Engine } from './engine.mts';
import { Service } from '../../support/sandbox/service.mts';
import { useResources } from '../../support/resources.mts';

/** The two ways in which n8n runs the node, over one service; to be used inside a test. */
export interface BothWays {
	service(): Service;
	/** n8n's custom operation and n8n's own routing, in this order. */
	ways(): Engine[];
	/** What each of them gives, with the credential of the first seeded user. */
	run(given: Omit<EngineRun, 'credential'>): Promise<EngineResult[]>;
}

/** Starts a service before the tests of a file, and ends it after them; its faults end with each test. */
export function useBothWays(): BothWays {
	let started: { service: Service; ways: Engine[] } | undefined;
	const resources = useResources();
	beforeAll(async () => {
		const [service, ...ways] = await Promise.all([
			resources.use(Service.start()),
			Engine.create(),
			Engine.create(true),
		]);
		started = { service, ways };
	});
	afterEach(async () => await started?.service.faults.reset());
	const present = () => {
		if (started === undefined) throw new Error('The service has not started');
		return started;
	};
	return {
		service: () => present().service,
		ways: () => present().ways,
		async run(given) {
			const { service, ways } = present();
			const results = [];
			for (const engine of ways) {
				results.push(await engine.run({ ...given, credential: service.credential() }));
			}
			return results;
		},
	};
}
