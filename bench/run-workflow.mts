import { join } from 'node:path';
import axios from 'axios';
import { endWithParent } from '../tools/files/paths.mts';
import { n8nEnvironment } from '../tools/n8n/environment.mts';
import { n8nProgram } from '../tools/n8n/program.mts';
import { freePort } from '../tools/network/ports.mts';
import { messageOf, type RunMeasurement } from './measured-child.mts';
import type { StubCounts } from './stub-server.mts';
import type { BenchmarkWorkspace } from './workspace.mts';

/** A run, with the stub server's counts. */
export type CountedRun = RunMeasurement & { counts: StubCounts };

/** Checks the output of a run. @throws Error if items are missing. */
function assertAllItems(who: string, run: RunMeasurement, items: number): void {
	if (run.error !== undefined || run.items === items) return;
	throw new Error(`${who} returned ${run.items} items instead of ${items}`);
}

async function countsOf(stubUrl: string): Promise<StubCounts> {
	return (await axios.get<StubCounts>(`${stubUrl}/counts`)).data;
}

/** Runs a workflow of the workspace in a new n8n. @throws Error if output items are missing. */
export async function runWorkflow(
	{ userFolder, stubUrl }: BenchmarkWorkspace,
	id: string,
	items: number,
	nodeFlags: readonly string[] = [],
): Promise<CountedRun> {
	const args = ['--require', endWithParent, n8nProgram, 'execute', `--id=${id}`];
	const run = await messageOf<RunMeasurement>(
		[...nodeFlags, ...args],
		{
			...n8nEnvironment(userFolder, await freePort()),
			EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'execution-hook.mts'),
		},
		userFolder,
	);
	assertAllItems(id, run, items);
	return { ...run, counts: await countsOf(stubUrl) };
}

/** A plain loop over the same items. */
export interface PlainLoop {
	baseUrl: string;
	token: string;
	call: string;
	itemsUrl: string;
	items: number;
	warmUpItems: number;
	/** Requests in flight. */
	inFlight: number;
}

/** Runs a plain loop in its own process. @throws Error if output items are missing. */
export async function runPlainLoop(
	{ userFolder, stubUrl }: BenchmarkWorkspace,
	{ itemsUrl, baseUrl, token, call, items, warmUpItems, inFlight }: PlainLoop,
): Promise<CountedRun> {
	const program = join(import.meta.dirname, 'keep-alive-loop.mts');
	const args = [itemsUrl, baseUrl, token, call, items, warmUpItems, inFlight].map(String);
	const run = await messageOf<RunMeasurement>([program, ...args], process.env, userFolder);
	assertAllItems('The plain loop', run, items);
	return { ...run, counts: await countsOf(stubUrl) };
}
