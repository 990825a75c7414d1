import { sep, join } from 'node:path';

import { root } from '../../../../../tools/files/paths.mts';
import { NATIVE_REQUIRE } from '../../../../../tools/jest/package.mts';
import { LoadedNodeTypes } from '../../../support/node-types.mts';

/** As many as a list can need: for four executions with a wait, three rivals, and a twin. */
const PROCESSES = 12;

const built = join(root, 'dist', sep);

/** Lets the package be loaded once more, with a memory of its own. */
function unload(): void {
	const { cache } = Reflect.get(globalThis, NATIVE_REQUIRE) as NodeJS.Require;
	for (const path of Object.keys(cache))
		if (path.startsWith(built)) Reflect.deleteProperty(cache, path);
}

/** Copies of the built package that know nothing of each other, as in as many processes of n8n. */
export async function loadProcesses(): Promise<readonly LoadedNodeTypes[]> {
	const processes: LoadedNodeTypes[] = [];
	for (let count = 0; count < PROCESSES; count++) {
		unload();
		const nodeTypes = await LoadedNodeTypes.load();
		// n8n loads the code of a node with its first use.
		nodeTypes.getByNameAndVersion('n8n-nodes-wallet-service.walletService');
		processes.push(nodeTypes);
	}
	unload();
	return processes;
}
