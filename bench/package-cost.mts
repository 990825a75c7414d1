import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { n8nEnvironment } from '../workbench/src/n8n/environment.mts';
import { packPackage } from '../workbench/src/n8n/package.mts';
import { root } from '../workbench/src/paths.mts';
import { freePort } from '../workbench/src/ports.mts';
import { messageOf } from './measured-child.mts';
import type { Spread } from './statistics.mts';
import { spreadOf } from './statistics.mts';

/** Fresh processes in which the package is loaded. */
const LOADS = 7;

/** What it costs to have the package. */
export interface PackageCost {
	/** Size of the tarball as `npm pack` makes it. */
	packedBytes: number;
	/** Milliseconds until n8n's loader has the package's nodes and credentials, each time in a fresh process. */
	loadMs: Spread;
}

async function packedSize(): Promise<number> {
	const directory = await mkdtemp(join(tmpdir(), 'wallet-service-package-'));
	try {
		const { tarball } = await packPackage(directory);
		return (await stat(tarball)).size;
	} finally {
		await rm(directory, { recursive: true, force: true });
	}
}

/**
 * Measures the built package where it was built, because `n8n-workflow` is found there as n8n finds it.
 *
 * @param userFolder - n8n folder for the processes that load it.
 */
export async function packageCost(userFolder: string): Promise<PackageCost> {
	const env = n8nEnvironment(userFolder, await freePort());
	const program = join(import.meta.dirname, 'load-package.mts');
	const loads: number[] = [];
	while (loads.length < LOADS)
		loads.push(await messageOf<number>([program, root], env, userFolder));
	return { packedBytes: await packedSize(), loadMs: spreadOf(loads) };
}
