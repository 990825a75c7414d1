import { join } from 'node:path';
import axios from 'axios';
import { n8nEnvironment } from '../tools/n8n/environment.mts';
import { n8nProgram } from '../tools/n8n/program.mts';
import { endWithParent } from '../tools/files/paths.mts';
import { freePort } from '../tools/network/ports.mts';
import type { Call } from './calls.mts';
import type { RunMeasurement } from './measured-child.mts';
import { messageOf } from './measured-child.mts';
import type { BenchmarkWorkspace } from './workspace.mts';
import { NODES, workflowId } from './workflows.mts';

/** Requests that the plain loop keeps in flight: as many as this node does at most. */
const LOOP_CONCURRENCY = 200;

/** What is compared: two nodes inside n8n, and a plain loop without n8n. */
export const VARIANTS = [...NODES, 'keepAliveLoop'] as const;
export type Variant = (typeof VARIANTS)[number];

/** One line of the comparison. */
export interface Load {
	call: Call;
	items: number;
	/** Milliseconds that the service holds each answer back. */
	latency: number;
}

/** One variant's run under a load. */
export interface Result extends RunMeasurement, Load {
	variant: Variant;
	/** Number of the round, from 1. */
	round: number;
	/** Requests that were under way at the service at the same time, at most. */
	mostInFlight: number;
}

interface StubCounts {
	requests: number;
	mostInFlight: number;
}

/** Runs one variant in a fresh process of its own, and checks that every item was requested once and came out. */
export async function runVariant(
	variant: Variant,
	{ round, ...load }: Load & { round: number },
	{ userFolder, stubUrl }: BenchmarkWorkspace,
	nodeFlags: string[] = [],
): Promise<Result> {
	const { call, items, latency } = load;
	const measurement =
		variant === 'keepAliveLoop'
			? await messageOf<RunMeasurement>(
					[
						join(import.meta.dirname, 'keep-alive-loop.mts'),
						...[stubUrl, latency, call, items, LOOP_CONCURRENCY].map(String),
					],
					process.env,
					userFolder,
				)
			: await messageOf<RunMeasurement>(
					[
						...nodeFlags,
						'--require',
						endWithParent,
						n8nProgram,
						'execute',
						`--id=${workflowId({ ...load, node: variant, stubUrl })}`,
					],
					{
						...n8nEnvironment(userFolder, await freePort()),
						EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'execution-hook.mts'),
					},
					userFolder,
				);
	const { data: counts } = await axios.get<StubCounts>(`${stubUrl}/counts`);
	if (measurement.error === undefined && measurement.items !== items) {
		throw new Error(`${variant} gave ${measurement.items} items instead of ${items}`);
	}
	if (measurement.error === undefined && counts.requests !== items) {
		throw new Error(`${variant} sent ${counts.requests} requests for ${items} items`);
	}
	return { ...measurement, ...load, variant, round, mostInFlight: counts.mostInFlight };
}
