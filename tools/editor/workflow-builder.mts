import type { Locator } from 'playwright-core';
import { EditorPart } from './editor.mts';
import { readObject } from '../files/json.mts';

/** Builds a workflow by clicking, as a person would. */
export class WorkflowBuilder extends EditorPart {
	async begin(): Promise<void> {
		await this.editor.openNewWorkflow();
		await this.editor.part('node-creator-plus-button').click();
	}

	async search(words: string): Promise<void> {
		await this.editor.part('node-creator-search-bar').fill(words);
	}

	/** An entry of the list of nodes. */
	entry(name: string): Locator {
		return this.editor.part('node-creator-item-name').getByText(name, { exact: true });
	}

	/** The message for a search without results. */
	get nothingFound(): Locator {
		return this.editor.part('node-creator-no-results');
	}

	/** Unfolds the triggers or actions of the shown node, unless they are already unfolded. */
	async unfold(category: 'Actions' | 'Triggers'): Promise<void> {
		const header = this.editor.page.locator(`[data-keyboard-nav-id="${category}"]`);
		const folded = header.and(this.editor.page.locator('[data-category-collapsed="true"] > *'));
		await header.waitFor();
		if (await folded.isVisible()) await folded.click();
	}

	/** Begins a workflow with a manual trigger. */
	async startManually(): Promise<void> {
		await this.begin();
		await this.entry('Trigger manually').click();
		await this.editor.part('canvas-handle-plus').waitFor();
	}

	/** Opens the list of nodes to add one after the last node. */
	async continue(): Promise<void> {
		await this.editor.part('canvas-handle-plus').click();
	}

	/** Chooses a node from the results, and one of its actions; its panel opens. */
	async choose(name: string, action: string): Promise<void> {
		await this.entry(name).click();
		await this.editor.part('node-creator').getByText(action, { exact: true }).click();
		await this.editor.part('node-parameters').waitFor();
	}

	/** Creates a node's first credential from its panel; n8n tests it. @throws Error with n8n's message if the test fails. */
	async createCredential(fields: Record<string, string>): Promise<void> {
		const { page } = this.editor;
		await this.editor.part('node-credentials-empty-state').click();
		await this.editor.part('credential-name').waitFor();
		await this.editor.fillInCredential(fields);
		const tested = page.waitForResponse(/\/rest\/credentials\/test$/);
		await Promise.all([tested, this.editor.part('credential-save-button').click()]);
		const { data } = readObject(await (await tested).json(), 'the answer');
		const { status, message } = readObject(data, 'the result of the test');
		if (status !== 'OK') throw new Error(`n8n's test of the credential failed: ${String(message)}`);
		await this.editor.part('editCredential-modal').waitFor({ state: 'hidden' });
	}

	/** Opens the credential of the open node, waits until its test has succeeded, and closes it. */
	async testCredential(): Promise<void> {
		await this.editor.part('credential-edit-button').click();
		await this.editor.page.getByText('Connection tested successfully').waitFor();
		const form = this.editor.part('editCredential-modal');
		await form.locator('.el-dialog__headerbtn').click();
		await form.waitFor({ state: 'hidden' });
	}

	async closePanel(): Promise<void> {
		await this.editor.part('ndv-close-button').click();
	}
}
