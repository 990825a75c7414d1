import type { ReadyUser, SandboxReady } from '../../../sandbox/src/ready.mts';
import { startSandbox } from '../../../sandbox/src/spawn.mts';
import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import type { Cleanup } from '../cleanup.mts';
import { copyPreparedFolder } from './prepared-folder.mts';
import { temporaryFolder } from '../temporary-folder.mts';

/** How long the preparation of a test file may take on a busy machine, in milliseconds. */
export const PREPARATION_TIME = 300_000;

/** A sandbox, and an n8n folder with the packed node, the sandbox's credentials and the examples. */
export interface Workspace {
	sandbox: SandboxReady;
	userFolder: string;
	/** A seeded user, by their place in the list. */
	user(index: number): ReadyUser;
}

/**
 * @param cleanup - Stops the sandbox and removes the folder.
 * @param env - Environment of the sandbox, for example `SANDBOX_FAULTS`.
 */
export async function createWorkspace(
	cleanup: Cleanup,
	env: Record<string, string> = {},
): Promise<Workspace> {
	const userFolder = await temporaryFolder(cleanup, 'n8n');
	await copyPreparedFolder(userFolder);
	const sandbox = await startSandbox({ env });
	await cleanup.add(() => sandbox.stop());
	await importSandboxCredentials(userFolder, sandbox.ready);
	const user = (index: number) => {
		const found = sandbox.ready.users[index];
		if (found === undefined) throw new Error(`No user ${index}`);
		return found;
	};
	return { sandbox: sandbox.ready, userFolder, user };
}
