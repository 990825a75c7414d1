import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { n8nEnvironment } from '../tools/n8n/environment.mts';
import { root } from '../tools/files/paths.mts';
import { freePort } from '../tools/network/ports.mts';
import { messageOf } from './measured-child.mts';
import { spreadOf, type Spread } from './statistics.mts';
import type { BenchmarkWorkspace } from './workspace.mts';

/** Number of processes that load the package. */
const LOADS = 7;

/** The cost of an installed package. */
export interface PackageCost {
	/** Size of the tarball of `npm pack`. */
	packedBytes: number;
	/** Milliseconds that n8n's loader takes to load the nodes and credentials, in a new process each time. */
	loadMs: Spread;
}

/** Measures the package installed in n8n. */
export async function packageCost({
	userFolder,
	packed,
}: BenchmarkWorkspace): Promise<PackageCost> {
	const installed = join(userFolder, '.n8n', 'nodes', 'node_modules', packed.name);
	const program = join(import.meta.dirname, 'load-package.mts');
	const loads: number[] = [];
	while (loads.length < LOADS) {
		const env = {
			...n8nEnvironment(userFolder, await freePort()),
			// As in n8n, a package in another folder finds `n8n-workflow` here.
			NODE_PATH: join(root, 'node_modules'),
		};
		loads.push(await messageOf<number>([program, installed], env, userFolder));
	}
	return { packedBytes: (await stat(packed.tarball)).size, loadMs: spreadOf(loads) };
}
