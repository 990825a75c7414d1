/** The number of times that a run reads the credential. */
import type { CredentialContext } from '../../../../nodes/WalletService/request/credential/active-credential.ts';
import { readOncePerRun } from '../../../../nodes/WalletService/request/credential/shared-credential.ts';
import { Once } from '../../../../nodes/WalletService/values/caches.ts';

const ITEMS = 5000;

const unwatched = (item: number) => `unknown to the resolver ${item}`;

/** Reads the credential for all items of a run, by default with n8n's resolver, and counts the reads of its store. */
async function readAll({ type = 'walletServiceApi', accessToken = 'one', isResolved = true }) {
	const counts = { reads: 0 };
	const resolver = {
		getParameterValue: (data: { accessToken: string }, item: number) => ({
			accessToken: data.accessToken.replace('={{ $itemIndex }}', String(item)),
		}),
	};
	const contextOf = (item: number) => ({
		workflow: { expression: resolver },
		async getCredentials(): Promise<object> {
			counts.reads += 1;
			const stored = { accessToken };
			return await (isResolved
				? this.workflow.expression.getParameterValue(stored, item)
				: { accessToken: unwatched(item) });
		},
	});
	const once = new Once();
	const reading = Array.from({ length: ITEMS }, async (_unused, item) => {
		const context = contextOf(item) as unknown as CredentialContext;
		return await readOncePerRun(once, context, type);
	});
	return { counts, credentials: await Promise.all(reading) };
}

test.each([
	['without expressions, once', { accessToken: 'one' }, 1, () => 'one'],
	// One additional read reveals that the items differ.
	['with an expression, for each item', { accessToken: '={{ $itemIndex }}' }, ITEMS + 1, String],
	['that cannot be watched, for each item', { isResolved: false }, ITEMS + 1, unwatched],
	['that n8n renews, for every request', { type: 'walletServiceOAuth2Api' }, ITEMS, () => 'one'],
])('how often a credential is read: %s', async (_how, store, reads, tokenOf) => {
	const { counts, credentials } = await readAll(store);
	expect(counts.reads).toBe(reads);
	const expected = credentials.map((_one, item) => ({ accessToken: tokenOf(item) }));
	expect(credentials).toEqual(expected);
});
