import { withModules } from '../../../tools/n8n/environment.mts';
import { useN8n } from '../../support/n8n/use-n8n.mts';
import { limitedCredential } from '../../support/n8n/workspace.mts';
import { connectAccount, type Account } from '../../support/sandbox/connected-account.mts';
import { OAuthClient } from '../../support/sandbox/oauth-client.mts';
import { Service } from '../../support/sandbox/service.mts';

/** ID of a credential that allows one contract, and 3 gwei per execution. */
export const LIMITED = 'limitedCredential';

/** ID of a credential whose access token is no longer valid. */
export const EXPIRED = 'expiredCredential';
export let expiredToken: string;

/** ID of a credential that is signed in by OAuth2, its user, and its account. */
export const SIGNED_IN = 'signedInAccount';
export const NAME = 'Nelly';
export let account: Account;

/** ID of a credential at a service that keeps writes. */
export const KEPT = 'keptWrites0001';
export let kept: Service;

/** ID of the same for another user. */
export const KEPT_OF_RAHUL = 'keptWrites0002';

/** The n8n in which all parts of `running-n8n.test.mts` run, because n8n takes long to start. */
export const n8n = useN8n({
	env: { SANDBOX_HISTORY_LIMIT: '1000' },
	settings: withModules('agents'),
	credentials: async (service) => {
		const client = new OAuthClient(service.ready);
		expiredToken = (await client.signIn(service.user().id)).access_token;
		await client.revoke(expiredToken);
		account = await connectAccount(service, SIGNED_IN, NAME);
		await n8n.resources.use(account.door);
		kept = await n8n.resources.use(Service.start({ SANDBOX_WRITE_KEYS: '1' }));
		const { credential } = account;
		const allowedContracts = service.contracts.shapes;
		const limits = { maxValuePerExecution: '3 gwei', allowedContracts };
		return [
			{ ...credential, data: { ...credential.data, grantType: 'pkce', userId: '' } },
			limitedCredential(service, LIMITED, limits),
			limitedCredential(service, EXPIRED, {}, expiredToken),
			limitedCredential(kept, KEPT, { userId: kept.user().id }),
			limitedCredential(kept, KEPT_OF_RAHUL, {}, kept.credential('Rahul Sen').accessToken),
		];
	},
});
