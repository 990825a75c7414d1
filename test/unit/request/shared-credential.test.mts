import { SharedCredential } from '../../../nodes/WalletService/request/shared-credential.ts';
import type { CredentialContext } from '../../../nodes/WalletService/request/shared-credential.ts';

/** Contexts of a run's items, over a credential store that counts how often it is read. */
function runOf(tokens: string[], joined = tokens.length) {
	const counts = { reads: 0 };
	const credential = new SharedCredential();
	const executeData = { data: { main: [tokens.map(() => ({ json: {} }))] } };
	const contexts = tokens.slice(0, joined).map((accessToken): CredentialContext => {
		const context = {
			getCredentials: async (type: string) => {
				counts.reads += 1;
				return { type, accessToken };
			},
			getExecuteData: () => executeData,
		};
		return context as unknown as CredentialContext;
	});
	contexts.forEach((context) => credential.join(context));
	const readAll = async (type = 'walletServiceApi') =>
		await Promise.all(contexts.map(async (context) => await context.getCredentials(type)));
	return { counts, readAll };
}

const ITEMS = 5000;
const same = Array.from({ length: ITEMS }, () => 'one');

test('reads a credential that is the same for all items a bounded number of times', async () => {
	const { counts, readAll } = runOf(same);
	const credentials = await readAll();
	expect(new Set(credentials.map((credential) => JSON.stringify(credential))).size).toBe(1);
	expect(counts.reads).toBe(20);
});

test.each([
	['each item', (index: number) => `token ${index}`],
	['the last item only', (index: number) => (index === ITEMS - 1 ? 'other' : 'one')],
	['the first item only', (index: number) => (index === 0 ? 'other' : 'one')],
	['a part in the middle', (index: number) => (index > 2000 && index < 2500 ? 'other' : 'one')],
])('gives every item its own credential when it differs for %s', async (_, tokenOf) => {
	const tokens = same.map((_token, index) => tokenOf(index));
	const credentials = await runOf(tokens).readAll();
	expect(credentials).toEqual(
		tokens.map((accessToken) => ({ type: 'walletServiceApi', accessToken })),
	);
});

test('compares all items of a small run', async () => {
	const tokens = Array.from({ length: 20 }, (_, index) => (index === 7 ? 'other' : 'one'));
	const credentials = await runOf(tokens).readAll();
	expect(credentials.map((credential) => Reflect.get(credential, 'accessToken'))).toEqual(tokens);
});

test('reads it for each item while items are still to come', async () => {
	const { counts, readAll } = runOf(same, 100);
	await readAll();
	expect(counts.reads).toBe(100);
});

test('reads a credential that n8n renews for every request', async () => {
	const { counts, readAll } = runOf(same);
	await readAll('walletServiceOAuth2Api');
	expect(counts.reads).toBe(ITEMS);
});
