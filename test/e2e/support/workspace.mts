import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import { startSandbox } from '../../../sandbox/src/spawn.mts';
import { prepareFolder } from '../../../workbench/src/n8n/folder.mts';

/** A sandbox, and an n8n folder with the packed node, the sandbox's credentials and the examples. */
export interface Workspace {
	sandbox: SandboxReady;
	userFolder: string;
	/** Stops the sandbox and removes the folder. */
	remove(): Promise<void>;
}

/**
 * @param env - Environment of the sandbox, for example `SANDBOX_FAULTS`.
 */
export async function createWorkspace(env: Record<string, string> = {}): Promise<Workspace> {
	const userFolder = await mkdtemp(join(tmpdir(), 'wallet-service-n8n-'));
	const sandbox = await startSandbox({ env });
	const remove = async () => {
		await sandbox.stop();
		await rm(userFolder, { recursive: true, force: true });
	};
	try {
		await prepareFolder(userFolder, sandbox.ready);
	} catch (error) {
		await remove();
		throw error;
	}
	return { sandbox: sandbox.ready, userFolder, remove };
}
