import { readFile } from 'node:fs/promises';
import type { Service } from '../../support/sandbox/service.mts';

/** The transactions that minted gold to a wallet: their hashes by the amount, which is the ID of the execution that sent them. */
export async function mintsByExecution(
	{ chain, contracts }: Service,
	recipient: string,
): Promise<Map<string, string[]>> {
	const mints = new Map<string, string[]>();
	for (const { tokenAddress, value, hash } of await chain.transfers(recipient)) {
		if (tokenAddress !== contracts.gold.toLowerCase()) continue;
		mints.set(value, [...(mints.get(value) ?? []), hash]);
	}
	return mints;
}

/** How often workers have started each execution, by their logs. */
export async function startsByExecution(logFiles: string[]): Promise<Map<string, number>> {
	const starts = new Map<string, number>();
	for (const file of logFiles) {
		const log = await readFile(file, 'utf8');
		for (const [, id = ''] of log.matchAll(/Worker started execution (\d+)/g)) {
			starts.set(id, (starts.get(id) ?? 0) + 1);
		}
	}
	return starts;
}
