import { importCredentials } from '../../../tools/n8n/cli.mts';
import type { Workspace } from '../../support/n8n/workspace.mts';

/**
 * Gives n8n one more credential of the first seeded user.
 *
 * @param name - Also its id.
 * @param limits - Fields that keep to what it may be used for.
 * @param accessToken - Another one than the user's own.
 */
export async function importLimitedCredential(
	{ service, userFolder }: Workspace,
	name: string,
	limits: Record<string, string>,
	accessToken = service.user('Nelly').accessToken,
): Promise<void> {
	const data = { baseUrl: service.ready.baseUrl, accessToken, userId: '', ...limits };
	await importCredentials(userFolder, [{ id: name, name, type: 'walletServiceApi', data }]);
}
