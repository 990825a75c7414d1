import type { Locator } from '../../../tools/editor/browser.mts';
import type { Editor } from '../../../tools/editor/editor.mts';
import { WorkflowBuilder } from '../../../tools/editor/workflow-builder.mts';

const NODE = 'Wallet Service';

/**
 * A person who does a task in n8n's editor, and whose steps are counted. A step is one click or double click, or one value
 * typed into a field, including the click into it. Opening the browser, signing in, creating an empty workflow, looking and
 * waiting do not count.
 */
export class Person {
	readonly #editor: Editor;
	readonly #limit: number;
	readonly #steps: string[] = [];

	/** @param limit maximum number of steps of the task */
	constructor(editor: Editor, limit: number) {
		this.#editor = editor;
		this.#limit = limit;
	}

	/** @throws Error with all steps so far, if they exceed the limit. */
	#step(what: string): void {
		this.#steps.push(what);
		if (this.#steps.length <= this.#limit) return;
		throw new Error(`More than ${this.#limit} steps: ${this.#steps.join('; ')}`);
	}

	async click(what: string, target: Locator): Promise<void> {
		this.#step(`click ${what}`);
		await target.click();
	}

	async type(where: string, field: Locator, text: string): Promise<void> {
		this.#step(`type "${text}" as ${where}`);
		await field.fill(text);
	}

	/** Adds the node to an empty workflow, with one of its triggers or actions. */
	async addFirst(words: string, entry: string): Promise<void> {
		await this.click('Add first step', this.#editor.part('node-creator-plus-button'));
		await this.#find(words);
		// In an empty workflow n8n unfolds only the triggers.
		if (!entry.startsWith('On ')) {
			const actions = this.#editor.part('node-creator-category-item').getByText('Actions (');
			await this.click('Actions', actions);
		}
		await this.#choose(entry);
	}

	/** Adds the node after the last one, with one of its actions. */
	async addNext(words: string, action: string): Promise<void> {
		await this.click('+', this.#editor.part('canvas-handle-plus'));
		await this.#find(words);
		await this.#choose(action);
	}

	async #find(words: string): Promise<void> {
		await this.type('the search', this.#editor.part('node-creator-search-bar'), words);
		await this.click(NODE, new WorkflowBuilder(this.#editor).entry(NODE));
	}

	async #choose(entry: string): Promise<void> {
		const target = new WorkflowBuilder(this.#editor).entry(entry);
		await this.#editor.adding(() => this.click(entry, target));
	}

	/** Opens a workflow from n8n's list. */
	async openWorkflow(name: string): Promise<void> {
		const card = this.#editor.part('workflow-card-name');
		await this.click(`the workflow ${name}`, card.getByText(name, { exact: true }));
		await this.#editor.part('canvas-node').first().waitFor();
	}

	/** Waits until n8n has loaded its node panel: a panel loaded during a search for a tool may open with other nodes. */
	async waitForPanel(): Promise<void> {
		const search = this.#editor.part('node-creator-search-bar');
		await this.#editor.part('node-creator-plus-button').click();
		await search.waitFor();
		await this.#editor.page.keyboard.press('Escape');
		await search.waitFor({ state: 'detached' });
	}

	/** Executes the workflow, and waits until its last node has run. */
	async executeWorkflow(lastNode: string): Promise<void> {
		await this.click('Execute workflow', this.#editor.part('execute-workflow-button'));
		await this.#editor.ranSuccessfully(lastNode);
	}

	async openNode(name: string): Promise<void> {
		this.#step(`double-click the node ${name}`);
		await this.#editor.node(name).dblclick();
		await this.#editor.part('node-parameters').waitFor();
	}

	/** Fills in a field of the open node. */
	async fill(parameter: string, text: string): Promise<void> {
		const field = this.#editor.part(`parameter-input-${parameter}`);
		await this.type(parameter, field.locator('input, textarea'), text);
	}

	/** Chooses an entry of a dropdown of the open node. */
	async select(parameter: string, entry: string): Promise<void> {
		await this.click(parameter, this.#editor.part(`parameter-input-${parameter}`));
		const entries = this.#editor.page.locator('.el-select-dropdown__item');
		await this.click(entry, entries.filter({ hasText: entry, visible: true }).first());
	}

	/** Chooses a token from the list that the node offers. */
	async chooseToken(symbol: string): Promise<void> {
		const input = this.#editor.part('resource-locator-token').locator('input').last();
		await this.click('Token', input);
		await this.click(symbol, this.#editor.part('rlc-item').filter({ hasText: symbol }));
	}

	/** Executes the open node, and returns the contents of the table, by column. */
	async executeStep(): Promise<Record<string, string>[]> {
		await this.click('Execute step', this.#editor.part('node-execute-button'));
		const [columns = [], ...rows] = await this.#editor.outputTable();
		return rows.map((cells) =>
			Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])),
		);
	}
}
