/** The records of executions on the chain and in the logs of the workers. */
import { readFile } from 'node:fs/promises';
import type { LoggedProcess } from '../../../tools/process/running-process.mts';
import type { Service } from '../../support/sandbox/service.mts';

/** Hashes of the transactions that minted gold to a wallet, by amount, which is the ID of the execution that sent them. */
export async function mintsByExecution(
	{ chain, contracts }: Service,
	recipient: string,
): Promise<Map<string, string[]>> {
	const gold = contracts.gold.toLowerCase();
	const mints = (await chain.transfers(recipient)).filter((one) => one.tokenAddress === gold);
	const hashes = [...Map.groupBy(mints, ({ value }) => value)];
	return new Map(hashes.map(([id, all]) => [id, all.map(({ hash }) => hash)]));
}

/** Number of times that workers have started each execution, according to their logs. */
export async function startsByExecution(logFiles: string[]): Promise<Map<string, number>> {
	const logs = await Promise.all(logFiles.map(async (file) => await readFile(file, 'utf8')));
	const starts = [...logs.join('\n').matchAll(/Worker started execution (\d+)/g)];
	const byId = Map.groupBy(starts, ([, id = '']) => id);
	return new Map([...byId].map(([id, all]) => [id, all.length]));
}

/** Number of executions that each worker has started, according to its log. */
export async function startsOfEach(workers: readonly LoggedProcess[]): Promise<number[]> {
	return await Promise.all(
		workers.map(async ({ logFile }) => (await startsByExecution([logFile])).size),
	);
}
