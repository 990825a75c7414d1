/** An account is connected by OAuth2 in n8n's editor, and a workflow runs with it. */
import { allowAccess, chooseUser, pressConnect } from '../../tools/editor/account.mts';
import type { Page } from '../../tools/editor/browser.mts';
import type { Editor } from '../../tools/editor/editor.mts';
import { WorkflowBuilder } from '../../tools/editor/workflow-builder.mts';
import { n8nUrl, oauthRedirectUri, startN8n } from '../../tools/n8n/server.mts';
import { freePort } from '../../tools/network/ports.mts';
import { ACCOUNT_CREDENTIAL } from '../../tools/sandbox/credentials.mts';
import { useResources } from '../support/resources.mts';
import { createWorkspace, type Workspace } from '../support/n8n/workspace.mts';
import { Person } from './support/person.mts';
import { openSignedInEditor } from './support/signed-in-editor.mts';

const resources = useResources();
let workspace: Workspace;
let editor: Editor;
let redirectUri: string;

beforeAll(async () => {
	const port = await freePort();
	redirectUri = oauthRedirectUri(n8nUrl(port));
	const env = { SANDBOX_REDIRECT_URIS: redirectUri };
	workspace = await createWorkspace(resources, { env });
	const n8n = await resources.use(startN8n(workspace.userFolder, port));
	editor = await openSignedInEditor(resources, n8n);
});

test('an account is connected from a node in 10 steps, without a base URL, and the node uses it', async () => {
	const { users, oauth } = workspace.service.ready;
	const builder = new WorkflowBuilder(editor);
	await builder.startManually();
	await builder.continue();
	await builder.search('wallet address');
	await editor.adding(async () => await builder.choose('Wallet Service', 'Get user'));
	const nelly = new Person(editor, 10);
	await nelly.click('Credential', editor.part('node-credentials-select'));
	await nelly.click('Create new credential', editor.part('node-credentials-select-item-new'));
	await nelly.click('Access Token', editor.part('credential-mode-dropdown-trigger'));
	await nelly.click('OAuth2', editor.page.getByRole('menuitem', { name: 'OAuth2' }));
	const form = editor.part('editCredential-modal');
	await form.getByText(redirectUri).waitFor();
	for (const [name, text] of [
		['authUrl', oauth.authorizationUrl],
		['accessTokenUrl', oauth.tokenUrl],
		['clientId', oauth.clientId],
	] as const) {
		const field = form.locator(`[data-test-id="parameter-input-${name}"] input`);
		await nelly.type(name, field, text);
	}
	const opened = editor.page.waitForEvent('popup');
	await nelly.click('Connect', editor.part('quick-connect-button').first());
	const popup = await opened;
	const user = ({ username }: { readonly username: string }) =>
		popup.getByRole('button', { name: username });
	for (const one of users) await user(one).waitFor();
	await nelly.click('Nelly', user({ username: 'Nelly' }));
	await popup.getByText('submit transactions from your wallet').waitFor();
	await nelly.click('Allow', popup.getByRole('button', { name: 'Allow' }));
	await form.waitFor({ state: 'hidden' });
	await editor.executeStep();
	const { id } = workspace.service.user('Nelly');
	await editor.part('output-panel').getByText(id).first().waitFor();
});

test('a user who denies access stays unconnected', async () => {
	await editor.openCredential(ACCOUNT_CREDENTIAL);
	const popup: Page = await pressConnect(editor);
	// The browser is signed in as Nelly: another user can still be chosen.
	await popup.getByRole('link', { name: 'Use another user' }).click();
	await chooseUser(popup, 'mika_dev');
	await popup.getByText('TWITTER-2244994945').waitFor();
	await popup.getByRole('button', { name: 'Deny' }).click();
	await popup.waitForURL((url) => url.href.startsWith(redirectUri));
	await popup.close();
	expect(await editor.part('oauth-connect-success-banner').isVisible()).toBe(false);
});

test('a callback with a state that n8n did not issue connects nothing', async () => {
	const page = await editor.page.context().newPage();
	const state = Buffer.from(JSON.stringify({ token: 'made-up', createdAt: Date.now() }));
	await page.goto(`${redirectUri}?code=made-up&state=${state.toString('base64')}`);
	await page.getByText(/state is invalid/).waitFor();
	await page.close();
	await editor.openCredential(ACCOUNT_CREDENTIAL);
	expect(await editor.part('oauth-connect-success-banner').isVisible()).toBe(false);
});

test('a workflow runs with the connected account', async () => {
	const popup = await pressConnect(editor);
	await chooseUserIfAsked(popup);
	await allowAccess(editor, popup);
	await editor.openWorkflow('walletAccount001');
	await editor.execute('Latest Transfers');
	await editor.openNode('Latest Transfers');
	const [columns, ...rows] = await editor.outputTable();
	expect(columns).toContain('toAddress');
	expect(rows).toHaveLength(5);
});

/** Chooses Nelly, unless the browser is still signed in at the sandbox, which then requests only consent. */
async function chooseUserIfAsked(popup: Page): Promise<void> {
	await popup.getByRole('heading').waitFor();
	if (await popup.getByRole('heading', { name: /^Sign in/ }).isVisible()) {
		await chooseUser(popup, 'Nelly');
	}
}
