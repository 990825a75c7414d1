import { Chain } from '../../../tools/sandbox/chain.mts';
import { importCredentials } from '../../../tools/n8n/cli.mts';
import type { Cleanup } from '../../support/cleanup.mts';
import { ServiceFaults } from '../../support/sandbox/service-faults.mts';
import type { Workspace } from '../../support/n8n/workspace.mts';
import { createWorkspace } from '../../support/n8n/workspace.mts';

/** A workspace whose service can be told to fail. */
export interface FaultyWorkspace extends Workspace {
	chain: Chain;
	faults: ServiceFaults;
}

/** @param env - Further settings of the sandbox. */
export async function createFaultyWorkspace(
	cleanup: Cleanup,
	env: Record<string, string> = {},
): Promise<FaultyWorkspace> {
	const workspace = await createWorkspace(cleanup, { SANDBOX_FAULTS: '1', ...env });
	const chain = new Chain(workspace.sandbox.rpcUrl);
	await cleanup.add(async () => chain.close());
	return { ...workspace, chain, faults: new ServiceFaults(workspace.sandbox.baseUrl) };
}

/**
 * Gives n8n one more credential of the first seeded user.
 *
 * @param name - Also its id.
 * @param limits - Fields that keep to what it may be used for.
 * @param accessToken - Another one than the user's own.
 */
export async function importLimitedCredential(
	{ sandbox: { baseUrl, users }, userFolder }: Workspace,
	name: string,
	limits: Record<string, string>,
	accessToken = users[0]?.accessToken ?? '',
): Promise<void> {
	const data = { baseUrl, accessToken, userId: '', ...limits };
	await importCredentials(userFolder, [{ id: name, name, type: 'walletServiceApi', data }]);
}
