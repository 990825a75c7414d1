/** A schedule that keeps running although the access token expires every few seconds, in a real n8n. */
import { publishNew } from '../../support/n8n/published.mts';
import { chainedWorkflow, signedIn, walletNode } from '../../support/n8n/workflow.mts';
import { account, n8n, SIGNED_IN } from '../support/shared-n8n.mts';

const RENEWALS = 10;
const ID = 'everySecond';

const user = { authentication: 'oAuth2', resource: 'user', operation: 'get' };
/** A scheduled workflow that requests the signed-in user: no user ID is specified. */
const scheduled = chainedWorkflow(ID, [
	{
		...{ name: 'Schedule', type: 'n8n-nodes-base.scheduleTrigger', typeVersion: 1.2 },
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } },
	},
	walletNode('User', '', user, signedIn(SIGNED_IN)),
]);

test(`a scheduled workflow keeps running through ${RENEWALS} renewals`, async () => {
	await publishNew(n8n.client, [scheduled]);
	await account.door.untilRenewals(RENEWALS + 1);
	const statuses = (await n8n.executions.ended(ID)).map(({ status }) => status);
	expect(statuses.length).toBeGreaterThanOrEqual(RENEWALS);
	expect(new Set(statuses)).toEqual(new Set(['success']));
	expect(account.door.refusals).toBe(0);
});
