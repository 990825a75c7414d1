/**
 * Whether a run finds what a service bears: services of several kinds, each with the number of requests that the node finds and
 * with fixed ones, and beside another client.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import { report } from '../tools/process/console.mts';
import { startProcess } from '../tools/process/running-process.mts';
import { endWithParent } from '../tools/files/paths.mts';
import { serviceCredential, walletNode } from './measured-nodes.mts';
import type { ProfileName } from './service-profiles.mts';
import { FIXED_NUMBERS, SERVICE_PROFILES } from './service-profiles.mts';
import type { Spread } from './statistics.mts';
import { spreadOf } from './statistics.mts';
import { runWorkflow } from './run-workflow.mts';
import type { StubCounts } from './stub-server.mts';
import type { WorkflowPlan } from './workflows.mts';
import type { BenchmarkWorkspace } from './workspace.mts';

/** How long a run with a fixed number takes at the most, in seconds: one request at a time would take an hour for all items. */
const TRIAL_SECONDS = 20;

/** Items that are handled before, with as many requests as the node finds. */
const WARM_UP_ITEMS = 100;

/** Requests that the other client keeps under way. */
const OTHER_IN_FLIGHT = 20;

/** How long the other client is alone, in milliseconds. */
const ALONE_MS = 5000;

type Found = 'found';
type Concurrency = (typeof FIXED_NUMBERS)[number] | Found;

/** How a service was used. */
export interface ServiceUse {
	name: ProfileName;
	/** Items per second with each fixed number. */
	fixed: { number: number; perSecond: number }[];
	/** The fixed number with which most items came out per second. */
	best: number;
	/** Items per second with as many as the node found. */
	found: Spread;
	/** The same as a share of the best fixed number's, taken within each round. */
	share: Spread;
	mostInFlight: number;
	/** Share of the requests that was refused, in the last two thirds of a run. */
	refusedShare: number;
	/** What another client keeps of its requests per second while the node runs. */
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

/** The workflows that the services need. */
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

/** Items per second, 0 when the run failed, and what the stub server saw. */
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

/** What another client keeps of its requests per second while the node runs, also when it leaves the node too few. */
async function measureBesideOther(
	workspace: BenchmarkWorkspace,
	name: ProfileName,
): Promise<number> {
	const { stubUrl } = workspace;
	const program = join(import.meta.dirname, 'other-client.mts');
	const args = ['--require', endWithParent, program, `${stubUrl}/${name}`];
	const other = startProcess(process.execPath, [...args, String(OTHER_IN_FLIGHT)]);
	try {
		// It has started by then.
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

/** Measures how a service is used. @param rounds - Runs with the best fixed number and with what the node finds, in turn. */
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
		if (own.perSecond === 0) throw new Error(`${name}: no run with the number that the node finds`);
		const other = await measure(workspace, name, best);
		found.push(own.perSecond);
		shares.push(own.perSecond / other.perSecond);
		seen.push(own.counts);
	}
	return {
		...{ name, fixed, best, found: spreadOf(found), share: spreadOf(shares) },
		mostInFlight: Math.max(...seen.map(({ mostInFlight }) => mostInFlight)),
		refusedShare: Math.max(...seen.map(({ refusedShare }) => refusedShare)),
		otherKeeps: await measureBesideOther(workspace, name),
	};
}
