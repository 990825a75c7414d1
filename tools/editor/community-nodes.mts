import type { Locator } from 'playwright-core';
import { EditorPart } from './editor.mts';

/** Drives n8n's page "Settings > Community nodes" as a person would. */
export class CommunityNodesPage extends EditorPart {
	/** Opens the page, and waits until n8n has loaded the installed packages and their updates. */
	async open(): Promise<void> {
		await this.editor.openHome();
		const listed = this.editor.page.waitForResponse((answer) => {
			const isList = answer.url().endsWith('/rest/community-packages');
			return isList && answer.request().method() === 'GET';
		});
		await this.editor.goTo('/settings/community-nodes');
		await listed;
	}

	/** The message shown while no package is installed. */
	get empty(): Locator {
		return this.editor.page.getByText('Supercharge your workflows with community nodes');
	}

	/** The card of an installed package: name, nodes and version. */
	package(name: string): Locator {
		return this.editor.part('community-package-card').filter({ hasText: name });
	}

	/** Opens and fills in the installation dialog. */
	async fillInInstallation(name: string): Promise<void> {
		await this.editor.page.getByRole('button', { name: /^Install/ }).click();
		await this.editor.part('package-name-input').fill(name);
		await this.editor.part('user-agreement-checkbox').click();
	}

	/** Confirms the dialog, and waits for n8n's message. */
	async install(): Promise<void> {
		await this.editor.part('install-community-package-button').click();
		await this.editor.page.getByText('Package installed').waitFor();
	}

	async update(name: string): Promise<void> {
		await this.package(name).getByRole('button', { name: 'Update' }).click();
		await this.#confirm('Confirm update', 'Package updated');
	}

	async uninstall(name: string): Promise<void> {
		await this.package(name).locator('[data-test-id="action-toggle"]').click();
		await this.editor.part('action-uninstall').click();
		await this.#confirm('Confirm uninstall', 'Package uninstalled');
	}

	async #confirm(button: string, message: string): Promise<void> {
		// By key: n8n lists the affected workflows a moment later, which moves the button from under a mouse.
		await this.editor.page.getByRole('dialog').getByRole('button', { name: button }).press('Enter');
		await this.editor.page.getByText(message).waitFor();
	}
}
