/** A schedule that keeps running although its access tokens expire, in a real n8n. */
import { publishNew } from '../../support/n8n/published.mts';
import { chainedWorkflow, signedIn, walletNode } from '../../support/n8n/workflow.mts';
import { userPath } from '../../support/sandbox/service.mts';
import { until } from '../../support/until.mts';
import { account, n8n, NAME, SIGNED_IN } from '../support/shared-n8n.mts';

const RENEWALS = 10;
const ID = 'everySecond';

const user = { authentication: 'oAuth2', resource: 'user', operation: 'get' };
/** A scheduled workflow that requests the signed-in user: no user ID is specified. */
const scheduled = chainedWorkflow(ID, [
	{
		name: 'Schedule',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } },
	},
	walletNode('User', '', user, signedIn(SIGNED_IN)),
]);

test(`a scheduled workflow keeps running through ${RENEWALS} renewals`, async () => {
	await publishNew(n8n.client, [scheduled]);
	const match = { path: userPath(n8n.user(NAME)) };
	for (let renewals = 1; renewals <= RENEWALS; renewals++) {
		await n8n.faults.add({ kind: 'expire-token', times: 1, match });
		await account.door.untilRenewals(renewals);
		// The next token must not expire before the refused request was repeated with it.
		await until(async () => (await n8n.executions.underWay(ID)).length === 0);
	}
	const ended = await n8n.executions.ended(ID);
	expect(ended.length).toBeGreaterThanOrEqual(RENEWALS);
	expect(ended.filter(({ status }) => status !== 'success')).toEqual([]);
	expect(account.door.refusals).toBe(0);
});
