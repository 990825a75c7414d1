/**
 * Measures how well a run adapts to a service: several kinds of services, each at adaptive concurrency, at
 * fixed concurrency, and alongside another client.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import { report } from '../tools/process/console.mts';
import { startProcess } from '../tools/process/running-process.mts';
import { endWithParent } from '../tools/files/paths.mts';
import { serviceCredential, walletNode } from './measured-nodes.mts';
import { FIXED_NUMBERS, SERVICE_PROFILES, type ProfileName } from './service-profiles.mts';
import { spreadOf, type Spread } from './statistics.mts';
import { runWorkflow } from './run-workflow.mts';
import type { StubCounts } from './stub-server.mts';
import type { WorkflowPlan } from './workflows.mts';
import type { BenchmarkWorkspace } from './workspace.mts';

/** Time limit of a run at a fixed concurrency, in seconds: one request at a time would take an hour for all items. */
const TRIAL_SECONDS = 20;

/** Number of warm-up items, at adaptive concurrency. */
const WARM_UP_ITEMS = 100;

/** Requests that the other client keeps in flight. */
const OTHER_IN_FLIGHT = 20;

/** Time for which the other client runs alone, in milliseconds. */
const ALONE_MS = 5000;

type Found = 'found';
type Concurrency = (typeof FIXED_NUMBERS)[number] | Found;

/** Results for a service. */
export interface ServiceUse {
	name: ProfileName;
	/** Items per second at each fixed concurrency. */
	fixed: { number: number; perSecond: number }[];
	/** The fixed concurrency with the most items per second. */
	best: number;
	/** Items per second at adaptive concurrency. */
	found: Spread;
	/** Speed at adaptive concurrency as a share of the speed at the best fixed concurrency, within each round. */
	share: Spread;
	mostInFlight: number;
	/** Share of refused requests in the last two thirds of a run. */
	refusedShare: number;
	/** Another client's requests per second while the node runs, as a share of its rate without the node. */
	otherKeeps: number;
}

function itemsOf(name: ProfileName, concurrency: Concurrency): number {
	const { items, latencyMs, mostPerSecond } = SERVICE_PROFILES[name];
	if (concurrency === 'found') return items;
	const perSecond = Math.min(mostPerSecond, (1000 * concurrency) / latencyMs);
	return Math.min(items, perSecond * TRIAL_SECONDS);
}

const workflowId = (name: ProfileName, concurrency: Concurrency): string =>
	`${name.slice(0, 9)}-${concurrency}`;

/** The workflows for the services. */
export function servicePlans(names: readonly ProfileName[], stubUrl: string): WorkflowPlan[] {
	return names.flatMap((name) => {
		const node = (options: object) => walletNode('balance', serviceCredential(name), options);
		return ([...FIXED_NUMBERS, 'found'] as const).map((concurrency) => ({
			id: workflowId(name, concurrency),
			node: node(concurrency === 'found' ? {} : { concurrency }),
			items: itemsOf(name, concurrency),
			warmUpItems: WARM_UP_ITEMS,
			warmUpNode: node({}),
			itemsUrl: `${stubUrl}/items`,
		}));
	});
}

/** Runs a workflow; returns the items per second (0 if the run failed), and the stub server's counts. */
async function measure(
	workspace: BenchmarkWorkspace,
	name: ProfileName,
	concurrency: Concurrency,
): Promise<{ perSecond: number; counts: StubCounts }> {
	const items = itemsOf(name, concurrency);
	const run = await runWorkflow(workspace, workflowId(name, concurrency), items);
	const title = `${SERVICE_PROFILES[name].title}: ${concurrency}`;
	if (run.error !== undefined) {
		report(`${title}: ${run.error}`);
		return { perSecond: 0, counts: run.counts };
	}
	const perSecond = (1000 * items) / run.milliseconds;
	report(`${title}: ${perSecond.toFixed(1)} items/s`);
	return { perSecond, counts: run.counts };
}

/** Measures `otherKeeps` of {@link ServiceUse}, even if the node's run fails. */
async function measureBesideOther(
	workspace: BenchmarkWorkspace,
	name: ProfileName,
): Promise<number> {
	const { stubUrl } = workspace;
	const program = join(import.meta.dirname, 'other-client.mts');
	const args = ['--require', endWithParent, program, `${stubUrl}/${name}`];
	const other = startProcess(process.execPath, [...args, String(OTHER_IN_FLIGHT)]);
	try {
		// The other client needs less than a second to start.
		await setTimeout(1000);
		await axios.get(`${stubUrl}/items?count=0`);
		await setTimeout(ALONE_MS);
		const { data: alone } = await axios.get<StubCounts>(`${stubUrl}/counts`);
		const { counts } = await measure(workspace, name, 'found');
		const share = counts.otherPerSecond / alone.otherPerSecond;
		report(`${SERVICE_PROFILES[name].title}: another client keeps ${share.toFixed(2)}`);
		return share;
	} finally {
		await other.stop();
	}
}

/** Measures a service. @param rounds - Number of rounds: in each, one run at adaptive and one at the best concurrency. */
export async function measureService(
	workspace: BenchmarkWorkspace,
	name: ProfileName,
	rounds: number,
): Promise<ServiceUse> {
	const fixed: ServiceUse['fixed'] = [];
	for (const number of FIXED_NUMBERS) {
		fixed.push({ number, perSecond: (await measure(workspace, name, number)).perSecond });
	}
	const most = Math.max(...fixed.map(({ perSecond }) => perSecond));
	const best = FIXED_NUMBERS.find((_number, index) => fixed[index]?.perSecond === most) ?? 1;
	const found: number[] = [];
	const shares: number[] = [];
	const seen: StubCounts[] = [];
	for (let round = 1; round <= rounds; round++) {
		const own = await measure(workspace, name, 'found');
		if (own.perSecond === 0) throw new Error(`${name}: the run at adaptive concurrency failed`);
		const other = await measure(workspace, name, best);
		found.push(own.perSecond);
		shares.push(own.perSecond / other.perSecond);
		seen.push(own.counts);
	}
	return {
		name,
		fixed,
		best,
		found: spreadOf(found),
		share: spreadOf(shares),
		mostInFlight: Math.max(...seen.map(({ mostInFlight }) => mostInFlight)),
		refusedShare: Math.max(...seen.map(({ refusedShare }) => refusedShare)),
		otherKeeps: await measureBesideOther(workspace, name),
	};
}
