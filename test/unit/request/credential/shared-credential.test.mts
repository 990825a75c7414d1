/** How often the credential is read in a run. */
import type { CredentialContext } from '../../../../nodes/WalletService/request/credential/active-credential.ts';
import { readOncePerRun } from '../../../../nodes/WalletService/request/credential/shared-credential.ts';
import { Once } from '../../../../nodes/WalletService/values/caches.ts';

const ITEMS = 5000;

interface Store {
	readonly accessToken: string;
	/** Whether the workflow's expression resolver processes the credential, as in n8n. */
	readonly isResolved?: boolean;
}

/** Contexts of a run's items, over a credential store that counts reads. */
function runOf({ accessToken, isResolved = true }: Store) {
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
				: { accessToken: `unknown to the resolver ${item}` });
		},
	});
	const contexts = Array.from({ length: ITEMS }, (_unused, item) => contextOf(item));
	const once = new Once();
	const joined = contexts.map((context) => context as unknown as CredentialContext);
	const readAll = async (type = 'walletServiceApi') =>
		await Promise.all(joined.map(async (context) => await readOncePerRun(once, context, type)));
	return { counts, readAll };
}

test('a credential without expressions is read once', async () => {
	const { counts, readAll } = runOf({ accessToken: 'one' });
	const read = (await readAll()).map((one) => JSON.stringify(one));
	expect([...new Set(read)]).toEqual(['{"accessToken":"one"}']);
	expect(counts.reads).toBe(1);
});

test('a credential with an expression is read for each item', async () => {
	const { readAll } = runOf({ accessToken: '={{ $itemIndex }}' });
	const credentials = await readAll();
	expect(credentials).toEqual(credentials.map((_one, item) => ({ accessToken: String(item) })));
});

test('a credential that cannot be watched is read for each item', async () => {
	const { readAll } = runOf({ accessToken: 'one', isResolved: false });
	const credentials = await readAll();
	expect(new Set(credentials.map((one) => JSON.stringify(one))).size).toBe(ITEMS);
});

test('a credential that n8n renews is read for every request', async () => {
	const { counts, readAll } = runOf({ accessToken: 'one' });
	await readAll('walletServiceOAuth2Api');
	expect(counts.reads).toBe(ITEMS);
});
