import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import type { ImportedCredential } from '../../../tools/sandbox/credentials.mts';
import type { Resources } from '../resources.mts';
import { Service } from '../sandbox/service.mts';
import { temporaryFolder } from '../temporary-folder.mts';
import { copyPreparedFolder } from './prepared-folder.mts';

/** Settings of an n8n that nobody looks at and whose workflows have no Code node: it starts sooner. */
export const WITHOUT_EDITOR = {
	N8N_DISABLE_UI: 'true',
	// Without its own process for Code nodes.
	N8N_RUNNERS_MODE: 'external',
	N8N_RUNNERS_AUTH_TOKEN: 'not used',
};

/** A service, and an n8n folder with the packed node, the service's credentials and the examples. */
export interface Workspace {
	readonly service: Service;
	readonly userFolder: string;
}

export interface WorkspaceSetup {
	/** Settings of the service. */
	env?: Record<string, string>;
	/** Additional credentials. */
	credentials?: (service: Service) => ImportedCredential[] | Promise<ImportedCredential[]>;
}

/** The resources take over the service and the folder. */
export async function createWorkspace(
	resources: Resources,
	{ env, credentials = () => [] }: WorkspaceSetup = {},
): Promise<Workspace> {
	const { path: userFolder } = await resources.use(temporaryFolder('n8n'));
	await copyPreparedFolder(userFolder);
	const service = await resources.use(Service.start(env));
	await importSandboxCredentials(userFolder, service.ready, await credentials(service));
	return { service, userFolder };
}

/** Another credential of the first seeded user, by default with their token, and with fields that limit its use. */
export const limitedCredential = (
	service: Service,
	name: string,
	limits: Record<string, string>,
	accessToken = service.user('Nelly').accessToken,
): ImportedCredential => ({
	id: name,
	name,
	type: 'walletServiceApi',
	data: { baseUrl: service.ready.baseUrl, accessToken, userId: '', ...limits },
});
