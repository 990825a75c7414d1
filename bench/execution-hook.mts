/**
 * Loaded by n8n itself (`EXTERNAL_HOOK_FILES`): sends the measured node's run data to the process that started n8n, and ends n8n
 * before it prints all items.
 */
import { readList, readObject } from '../tools/files/json.mts';
import type { RunMeasurement } from './measured-child.mts';
import { MEASURED } from './workflows.mts';

function measurementOf(run: unknown): RunMeasurement {
	const { resultData } = readObject(readObject(run, 'the run').data, 'the execution data');
	const { runData, error } = readObject(resultData, 'the result data');
	const [nodeRun] = readList(readObject(runData, 'the run data')[MEASURED] ?? [{}], 'the runs');
	const { executionTime, data } = readObject(nodeRun, 'the run of the node');
	const { main = [[]] } = readObject(data ?? {}, 'the output');
	const [items] = readList(main, 'the outputs');
	return {
		milliseconds: Number(executionTime),
		items: readList(items ?? [], 'the items').length,
		peakMemoryBytes: process.resourceUsage().maxRSS * 1024,
		...(error === undefined ? {} : { error: String(readObject(error, 'the error').message) }),
	};
}

async function report(run: unknown): Promise<never> {
	const measurement = measurementOf(run);
	await new Promise((resolve) => process.send?.(measurement, resolve));
	process.exit();
}

export const workflow = { postExecute: [report] };
