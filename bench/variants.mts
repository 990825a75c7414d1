import { SERVICE_TOKEN, type Call } from './calls.mts';
import { httpRequestNode, serviceCredential, walletNode } from './measured-nodes.mts';
import type { RunMeasurement } from './measured-child.mts';
import { runPlainLoop, runWorkflow, type CountedRun } from './run-workflow.mts';
import type { WorkflowPlan } from './workflows.mts';
import type { BenchmarkWorkspace } from './workspace.mts';

/** Requests that the plain loop keeps in flight: the maximum of this package's node. */
const LOOP_CONCURRENCY = 200;

/** Number of items that warm up the measured node. */
const WARM_UP_ITEMS = 500;

/** Nodes compared inside n8n. */
const NODES = ['walletService', 'httpRequest'] as const;
type ComparedNode = (typeof NODES)[number];

/** Variants: two nodes inside n8n, and a plain loop without n8n. */
export const VARIANTS = [...NODES, 'keepAliveLoop'] as const;
export type Variant = (typeof VARIANTS)[number];

/** Calls, items and latency of one comparison. */
export interface Load {
	call: Call;
	items: number;
	/** Delay of each answer, in milliseconds. */
	latency: number;
}

/** One variant's run under a load. */
export interface Result extends RunMeasurement, Load {
	variant: Variant;
	/** Number of the round, from 1. */
	round: number;
	/** Maximum number of requests in flight at the service. */
	mostInFlight: number;
}

const workflowId = (node: ComparedNode, { call, items, latency }: Load): string =>
	`${node.slice(0, 1)}${call.slice(0, 1)}-${items}-${latency}`;

/** The workflows for the loads. */
export function plansOf(loads: readonly Load[], stubUrl: string): WorkflowPlan[] {
	return NODES.flatMap((node) =>
		loads.map((load) => ({
			id: workflowId(node, load),
			node:
				node === 'walletService'
					? walletNode(load.call, serviceCredential(load.latency))
					: httpRequestNode(load.call, `${stubUrl}/${load.latency}`),
			items: load.items,
			warmUpItems: WARM_UP_ITEMS,
			itemsUrl: `${stubUrl}/items`,
		})),
	);
}

async function run(
	variant: Variant,
	load: Load,
	workspace: BenchmarkWorkspace,
	nodeFlags: readonly string[],
): Promise<CountedRun> {
	const { stubUrl } = workspace;
	const { call, items, latency } = load;
	if (variant !== 'keepAliveLoop')
		return await runWorkflow(workspace, workflowId(variant, load), items, nodeFlags);
	return await runPlainLoop(workspace, {
		baseUrl: `${stubUrl}/${latency}`,
		token: SERVICE_TOKEN,
		call,
		items,
		warmUpItems: WARM_UP_ITEMS,
		inFlight: LOOP_CONCURRENCY,
		itemsUrl: `${stubUrl}/items`,
	});
}

/** Runs one variant in a new process, and checks that every item was requested once and is in the output. */
export async function runVariant(
	variant: Variant,
	{ round, ...load }: Load & { round: number },
	workspace: BenchmarkWorkspace,
	nodeFlags: readonly string[] = [],
): Promise<Result> {
	const { counts, ...measurement } = await run(variant, load, workspace, nodeFlags);
	if (measurement.error === undefined && counts.requests !== load.items) {
		throw new Error(`${variant} sent ${counts.requests} requests for ${load.items} items`);
	}
	return { ...measurement, ...load, variant, round, mostInFlight: counts.mostInFlight };
}
