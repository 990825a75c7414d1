/** An account is connected by OAuth2 in n8n's editor, and a workflow runs with it. */
import {
	allowAccess,
	chooseUser,
	fillInAccount,
	pressConnect,
} from '../../tools/editor/account.mts';
import type { Page } from '../../tools/editor/browser.mts';
import type { Editor } from '../../tools/editor/editor.mts';
import { n8nUrl, oauthRedirectUri, startN8n } from '../../tools/n8n/server.mts';
import { freePort } from '../../tools/network/ports.mts';
import { ACCOUNT_CREDENTIAL } from '../../tools/sandbox/credentials.mts';
import { useResources } from '../support/resources.mts';
import { createWorkspace, type Workspace } from '../support/n8n/workspace.mts';
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

test('a new credential shows its redirect URL, and is connected by signing in and agreeing', async () => {
	await fillInAccount(editor, workspace.service.ready);
	const form = editor.part('node-credentials-config-container');
	await form.getByText(redirectUri).waitFor();
	const popup = await pressConnect(editor);
	for (const { username } of workspace.service.ready.users)
		await popup.getByText(username).waitFor();
	await chooseUser(popup, 'Nelly');
	await popup.getByText('submit transactions from your wallet').waitFor();
	await allowAccess(editor, popup);
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
