/** A schedule that keeps running although the access token expires every few seconds, in a real n8n. */
import { useN8n } from '../../support/n8n/use-n8n.mts';
import { chainedWorkflow, signedIn, walletNode } from '../../support/n8n/workflow.mts';
import { connectAccount, type Account } from '../../support/sandbox/connected-account.mts';

const RENEWALS = 10;
const ID = 'everySecond';

/** A scheduled workflow that requests the signed-in user: no user ID is specified. */
const scheduled = chainedWorkflow(ID, [
	{
		...{ name: 'Schedule', type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2 },
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } },
	},
	walletNode(
		...(['User', '', { authentication: 'oAuth2', resource: 'user', operation: 'get' }] as const),
		signedIn(ID),
	),
]);

let account: Account;
const n8n = useN8n({
	env: { SANDBOX_TOKEN_SECONDS: '1' },
	credentials: async (service) => {
		account = await connectAccount(service, ID, 'Nelly');
		const { credential } = account;
		return [{ ...credential, data: { ...credential.data, grantType: 'pkce', userId: '' } }];
	},
	workflows: () => [scheduled],
});
afterAll(async () => await account.door[Symbol.asyncDispose]());

test(`a scheduled workflow keeps running through ${RENEWALS} renewals`, async () => {
	await account.door.untilRenewals(RENEWALS + 1);
	const executions = (await n8n.client.executionStatuses(ID)).filter(
		(status) => status !== 'running' && status !== 'new',
	);
	expect(executions.length).toBeGreaterThanOrEqual(RENEWALS);
	expect(new Set(executions)).toEqual(new Set(['success']));
	expect(account.door.refusals).toBe(0);
});
