import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { n8nEnvironment } from '../tools/n8n/environment.mts';
import { root } from '../tools/files/paths.mts';
import { freePort } from '../tools/network/ports.mts';
import { messageOf } from './measured-child.mts';
import type { Spread } from './statistics.mts';
import { spreadOf } from './statistics.mts';
import type { BenchmarkWorkspace } from './workspace.mts';

/** Fresh processes in which the package is loaded. */
const LOADS = 7;

/** What it costs to have the package. */
export interface PackageCost {
	/** Size of the tarball as `npm pack` makes it. */
	packedBytes: number;
	/** Milliseconds until n8n's loader has the package's nodes and credentials, each time in a fresh process. */
	loadMs: Spread;
}

/** Measures the package that n8n has installed. */
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
			// As in n8n, a package that lies elsewhere finds `n8n-workflow` here.
			NODE_PATH: join(root, 'node_modules'),
		};
		loads.push(await messageOf<number>([program, installed], env, userFolder));
	}
	return { packedBytes: (await stat(packed.tarball)).size, loadMs: spreadOf(loads) };
}
