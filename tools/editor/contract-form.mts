import { EditorPart } from './editor.mts';

/** Paths of the editor's requests for the entries of a dropdown, and for the fields of a function. */
const LISTS = /\/dynamic-node-parameters\/options$/;
const FIELDS = /\/dynamic-node-parameters\/resource-mapper-fields$/;

/** The form of a contract call in a node's panel. */
export class ContractForm extends EditorPart {
	/** Pastes a JSON ABI, and waits for its functions. */
	async pasteAbi(abi: string): Promise<void> {
		await this.#loading(LISTS, () => this.#choose('functionSource', 'Contract ABI'));
		const box = this.editor.part('parameter-input-contractAbi').locator('textarea');
		await this.#loading(LISTS, () => box.fill(abi));
	}

	/** Picks a function by its signature, and waits for its fields. */
	async pickFunction(key: string): Promise<void> {
		await this.#loading(FIELDS, () => this.#choose('contractFunction', key));
	}

	/** Types into the field of an argument, for example `amount (uint256)`. */
	async fill(field: string, text: string): Promise<void> {
		await this.#field(field).locator('input').fill(text);
	}

	/** Types JSON into the field of an array or tuple. */
	async fillJson(field: string, json: string): Promise<void> {
		const box = this.#field(field).locator('.cm-content');
		await box.click();
		await box.fill(json);
	}

	async toggle(field: string): Promise<void> {
		await this.#field(field).getByRole('switch').locator('..').click();
	}

	async valueOf(field: string): Promise<string> {
		return await this.#field(field).locator('input').inputValue();
	}

	/** Opens the form, and waits until n8n has reloaded the fields of its function. */
	async opening(open: () => Promise<void>): Promise<void> {
		await this.#loading(FIELDS, open);
	}

	async labels(): Promise<string[]> {
		const labels = this.editor.part('mapping-fields-container').locator('label[for^="value["]');
		await labels.first().waitFor();
		// The first text in a label is its title; n8n's own controls follow.
		return await labels.evaluateAll((list) =>
			list.map((label) => label.querySelector('span')?.textContent.trim() ?? ''),
		);
	}

	#field(name: string) {
		return this.editor.part(`parameter-input-${name}`);
	}

	async #choose(parameter: string, option: string): Promise<void> {
		await this.editor.part(`parameter-input-${parameter}`).click();
		const options = this.editor.page.locator('.el-select-dropdown__item');
		await options.filter({ hasText: option, visible: true }).first().click();
	}

	async #loading(url: RegExp, act: () => Promise<void>): Promise<void> {
		await Promise.all([this.editor.page.waitForResponse(url), act()]);
	}
}
