import type { Locator } from 'playwright-core';
import type { Editor } from './editor.mts';
import { readObject } from '../files/json.mts';

/** Builds a workflow by clicking, as a person would. */
export class WorkflowBuilder {
	readonly #editor: Editor;

	constructor(editor: Editor) {
		this.#editor = editor;
	}

	/** Opens an empty workflow, and its list of nodes. */
	async begin(): Promise<void> {
		await this.#editor.openNewWorkflow();
		await this.#editor.part('node-creator-plus-button').click();
	}

	/** Types into the search of the list of nodes. */
	async search(words: string): Promise<void> {
		await this.#editor.part('node-creator-search-bar').fill(words);
	}

	/** An entry of the list of nodes. */
	entry(name: string): Locator {
		return this.#editor.part('node-creator-item-name').getByText(name, { exact: true });
	}

	/** What the list of nodes shows when a search finds nothing. */
	get nothingFound(): Locator {
		return this.#editor.part('node-creator-no-results');
	}

	/** Unfolds the triggers or the actions of the node whose details are shown, unless they are. */
	async unfold(category: 'Actions' | 'Triggers'): Promise<void> {
		const header = this.#editor.page.locator(`[data-keyboard-nav-id="${category}"]`);
		const folded = header.and(this.#editor.page.locator('[data-category-collapsed="true"] > *'));
		await header.waitFor();
		if (await folded.isVisible()) await folded.click();
	}

	/** Goes back from the details of a node to the search. */
	async back(): Promise<void> {
		await this.#editor.part('nodes-list-header').getByRole('button').first().click();
	}

	/** Begins a workflow that starts when its button is pressed. */
	async startManually(): Promise<void> {
		await this.begin();
		await this.entry('Trigger manually').click();
		await this.#editor.part('canvas-handle-plus').waitFor();
	}

	/** Opens the list of nodes behind the last node. */
	async continue(): Promise<void> {
		await this.#editor.part('canvas-handle-plus').click();
	}

	/** Chooses a node from what was found, and one of its actions: its panel opens. */
	async choose(name: string, action: string): Promise<void> {
		await this.entry(name).click();
		await this.#editor.part('node-creator').getByText(action, { exact: true }).click();
		await this.#editor.part('node-parameters').waitFor();
	}

	/**
	 * Creates the first credential of a node from the node's panel, and saves it: n8n tests it, and closes the form.
	 *
	 * @throws Error with n8n's words when the test fails.
	 */
	async createCredential(fields: Record<string, string>): Promise<void> {
		const { page } = this.#editor;
		await this.#editor.part('node-credentials-empty-state').click();
		await this.#editor.part('credential-name').waitFor();
		await this.#editor.fillInCredential(fields);
		const tested = page.waitForResponse(/\/rest\/credentials\/test$/);
		await Promise.all([tested, this.#editor.part('credential-save-button').click()]);
		const { data } = readObject(await (await tested).json(), 'the answer');
		const { status, message } = readObject(data, 'the result of the test');
		if (status !== 'OK') throw new Error(`n8n says of the credential: ${String(message)}`);
		await this.#editor.part('editCredential-modal').waitFor({ state: 'hidden' });
	}

	/** Opens the credential of the node whose panel is open, waits until n8n shows that its test went well, and closes it. */
	async testCredential(): Promise<void> {
		await this.#editor.part('credential-edit-button').click();
		await this.#editor.page.getByText('Connection tested successfully').waitFor();
		const form = this.#editor.part('editCredential-modal');
		await form.locator('.el-dialog__headerbtn').click();
		await form.waitFor({ state: 'hidden' });
	}

	/** Closes the panel of the open node. */
	async closePanel(): Promise<void> {
		await this.#editor.part('ndv-close-button').click();
	}
}
