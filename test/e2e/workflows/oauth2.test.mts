/** A schedule that keeps running although the access token expires every few seconds, in a real n8n. */
import { startN8n } from '../../../tools/n8n/server.mts';
import { importCredentials, importWorkflows } from '../../../tools/n8n/cli.mts';
import { signInAsOwner, type N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { OAuthClient } from '../../support/sandbox/oauth-client.mts';
import { TokenDoor } from '../../support/sandbox/token-door.mts';
import { useResources } from '../../support/resources.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';

const RENEWALS = 10;
const CREDENTIAL = 'scheduledAccount';
const WORKFLOW = 'everySecond';

const resources = useResources();
let workspace: Workspace;
let door: TokenDoor;
let n8n: N8nRestClient;

beforeAll(async () => {
	workspace = await createWorkspace(resources, { SANDBOX_TOKEN_SECONDS: '1' });
	const { baseUrl, oauth, users } = workspace.service.ready;
	door = await resources.use(TokenDoor.open(oauth.tokenUrl));
	const userId = users[0]?.id ?? '';
	const tokens = await new OAuthClient(workspace.service.ready).signIn(userId);
	const data = {
		grantType: 'pkce',
		baseUrl,
		authUrl: oauth.authorizationUrl,
		accessTokenUrl: door.url,
		clientId: oauth.clientId,
		scope: tokens.scope,
		oauthTokenData: { ...tokens },
	};
	const type = 'walletServiceOAuth2Api';
	await importCredentials(workspace.userFolder, [{ id: CREDENTIAL, name: CREDENTIAL, type, data }]);
	await importWorkflows(workspace.userFolder, [scheduled()]);
	const server = await resources.use(startN8n(workspace.userFolder));
	n8n = await signInAsOwner(server.url);
}, PREPARATION_TIME);

/** It requests the signed-in user: no other user is specified. */
function scheduled(): object {
	const rule = { interval: [{ field: 'seconds', secondsInterval: 2 }] };
	return {
		id: WORKFLOW,
		name: WORKFLOW,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				id: 'schedule',
				name: 'Schedule',
				type: 'n8n-nodes-base.scheduleTrigger',
				typeVersion: 1.2,
				position: [0, 0],
				parameters: { rule },
			},
			{
				id: 'user',
				name: 'User',
				type: 'n8n-nodes-wallet-service.walletService',
				typeVersion: 1,
				position: [200, 0],
				parameters: { authentication: 'oAuth2', resource: 'user', operation: 'get', userId: '' },
				credentials: { walletServiceOAuth2Api: { id: CREDENTIAL, name: CREDENTIAL } },
			},
		],
		connections: { Schedule: { main: [[{ node: 'User', type: 'main', index: 0 }]] } },
	};
}

test(`a scheduled workflow goes on through ${RENEWALS} renewals`, async () => {
	await n8n.activateWorkflow(WORKFLOW);
	await door.untilRenewals(RENEWALS + 1);
	const executions = (await n8n.executionStatuses(WORKFLOW)).filter(
		(status) => status !== 'running' && status !== 'new',
	);
	expect(executions.length).toBeGreaterThanOrEqual(RENEWALS);
	expect(new Set(executions)).toEqual(new Set(['success']));
	expect(door.refusals).toBe(0);
});
