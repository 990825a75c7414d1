import type { Page } from 'playwright-core';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { Editor } from './editor.mts';

/** Fills in a new Wallet Service OAuth2 API credential as documented, and leaves it open. */
export async function fillInAccount(editor: Editor, { oauth }: SandboxReady) {
	await editor.openNewCredential('Wallet Service OAuth2 API');
	const { authorizationUrl: authUrl, tokenUrl: accessTokenUrl, clientId } = oauth;
	await editor.fillInCredential({ authUrl, accessTokenUrl, clientId });
}

/** Presses the open credential's connect button; returns the window that opens. */
export async function pressConnect(editor: Editor): Promise<Page> {
	const popup = editor.page.waitForEvent('popup');
	await editor.part('quick-connect-button').first().click();
	return await popup;
}

/** Chooses a user on the sandbox's login page. */
export async function chooseUser(popup: Page, username: string): Promise<void> {
	await popup.getByRole('button', { name: username }).click();
	await popup.getByRole('button', { name: 'Allow' }).waitFor();
}

/** Gives consent on the sandbox's page, and waits until n8n shows the credential as connected. */
export async function allowAccess(editor: Editor, popup: Page): Promise<void> {
	await popup.getByRole('button', { name: 'Allow' }).click();
	await editor.part('oauth-connect-success-banner').waitFor();
}
