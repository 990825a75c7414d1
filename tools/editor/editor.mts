import type { Browser, Locator, Page } from 'playwright-core';
import { ownerOf } from '../n8n/owner.mts';
import type { N8nServer } from '../n8n/server.mts';

/** Time limit for one step in n8n's editor, in milliseconds. */
const PATIENCE = 60_000;

/** n8n's debounce of a text field (`ParameterInput`), in milliseconds. */
const TYPING_PAUSE = 200;

/** Width of the window, in CSS pixels. */
const WIDTH = 1280;

/** The router of n8n's editor. `push` returns why it did not reach the page, if so. */
interface Router {
	push(path: string): Promise<{ type: number } | undefined>;
}
const ROUTER = "document.querySelector('#app').__vue_app__.config.globalProperties.$router";
/** Vue's type of a failure: another navigation began before the end of this one. */
const CANCELLED = 8;

/** Drives n8n's editor in a browser as a person would. */
export class Editor {
	readonly page: Page;
	/** Address of n8n, without a trailing slash. */
	readonly url: string;

	private constructor(page: Page, url: string) {
		this.page = page;
		this.url = url;
		page.context().setDefaultTimeout(PATIENCE);
	}

	/** Opens the editor and signs in as the owner. A larger scale makes pictures sharper, and takes longer to draw. */
	static async signIn(
		browser: Browser,
		{ url, userFolder }: Pick<N8nServer, 'url' | 'userFolder'>,
		deviceScaleFactor = 1,
	): Promise<Editor> {
		const { email, password } = await ownerOf(userFolder);
		const viewport = { width: WIDTH, height: 800 };
		const look = { viewport, deviceScaleFactor, reducedMotion: 'reduce' } as const;
		const context = await browser.newContext(look);
		const editor = new Editor(await context.newPage(), url);
		const { page } = editor;
		await page.goto(`${url}/signin`);
		await page.getByLabel('Email').fill(email);
		await page.getByLabel('Password').fill(password);
		await page.keyboard.press('Enter');
		await page.waitForURL(({ pathname }) => pathname.startsWith('/home'));
		return editor;
	}

	/** Sets the height of the window, in CSS pixels. */
	async setHeight(height: number): Promise<void> {
		await this.page.setViewportSize({ width: WIDTH, height });
	}

	/** An element by the test ID that n8n's own tests use. */
	part(testId: string): Locator {
		return this.page.locator(`[data-test-id="${testId}"]`);
	}

	/** The box of a node in the open workflow. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	/**
	 * Goes to another page of the editor without a new load. The editor must have shown a page before. A list that n8n has just
	 * opened sets its own address, which cancels the way to another page; the way is then taken again.
	 */
	async goTo(path: string): Promise<void> {
		const router = await this.page.evaluateHandle<Router>(ROUTER);
		const way = { path, cancelled: CANCELLED };
		await router.evaluate((router, { path, cancelled }) => {
			const latest = document.documentElement.dataset;
			latest.goingTo = path;
			const go = async (): Promise<void> => {
				const failure = await router.push(path);
				if (failure?.type === cancelled && latest.goingTo === path) await go();
			};
			// Not awaited: n8n may first ask whether to leave without saving.
			void go();
		}, way);
	}

	/** Opens n8n's list of workflows, and leaves whatever is open without saving it. */
	async openHome(): Promise<void> {
		for (const close of ['.el-dialog__headerbtn', '[data-test-id="ndv-close-button"]']) {
			const button = this.page.locator(close).filter({ visible: true }).first();
			if (await button.isVisible()) await button.click();
			await button.waitFor({ state: 'hidden' });
		}
		// n8n saves a new workflow by itself, and replaces its address then: this would lead back from the list.
		const hasNodes = (await this.part('canvas-node').count()) > 0;
		if (hasNodes) await this.page.waitForURL(({ searchParams }) => !searchParams.has('new'));
		await this.goTo('/home/workflows');
		const list = this.part('workflow-card-name').or(this.part('new-workflow-card')).first();
		const leave = this.page.getByRole('button', { name: 'Leave without saving' });
		await list.or(leave).first().waitFor();
		if (await leave.isVisible()) await leave.click();
		await list.waitFor();
	}

	async openWorkflow(id: string): Promise<void> {
		await this.openHome();
		await this.goTo(`/workflow/${id}`);
		await this.part('canvas-node').first().waitFor();
	}

	async openNewWorkflow(): Promise<void> {
		await this.openHome();
		await this.goTo('/workflow/new');
		await this.part('canvas-wrapper').waitFor();
	}

	/** Closes n8n's messages in the corner of the window. */
	async dismissMessages(): Promise<void> {
		const close = this.page.locator('.el-notification__closeBtn, [data-test-id="toast-close"]');
		// The last first: each one that closes renumbers those after it.
		for (const button of (await close.all()).reverse()) await button.click();
	}

	async pressExecute(): Promise<void> {
		await this.part('execute-workflow-button').click();
	}

	/** Executes the open workflow from its first trigger, and waits until the last node has succeeded. */
	async execute(lastNode: string): Promise<void> {
		await this.pressExecute();
		await this.ranSuccessfully(lastNode);
	}

	async ranSuccessfully(name: string): Promise<void> {
		await this.node(name).locator('[data-test-id="canvas-node-status-success"]').waitFor();
	}

	async openNode(name: string): Promise<void> {
		await this.node(name).dblclick();
		await this.part('node-parameters').waitFor();
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.part('node-parameters').waitFor({ state: 'hidden' });
	}

	/**
	 * Adds a node, whose panel opens, and waits until n8n has selected its credential. In a workflow that has just been
	 * saved for the first time, n8n first requests the credentials again.
	 */
	async adding(add: () => Promise<void>): Promise<void> {
		await add();
		await this.part('node-parameters').waitFor();
		await this.part('credential-edit-button').waitFor();
	}

	async fillIn(parameter: string, text: string): Promise<void> {
		await this.part(`parameter-input-${parameter}`).locator('input, textarea').fill(text);
	}

	async openTokens(): Promise<void> {
		await this.part('resource-locator-token').locator('input').last().click();
		await this.part('rlc-item').first().waitFor();
	}

	async chooseToken(symbol: string): Promise<void> {
		await this.part('rlc-item').filter({ hasText: symbol }).click();
	}

	/** Executes the open node, and waits for its output. */
	async executeStep(): Promise<void> {
		await this.part('node-execute-button').click();
		await this.part('output-panel').locator('table').waitFor();
	}

	/** The output table of the open node; its first row holds the column names. */
	async outputTable(): Promise<string[][]> {
		const rows = this.part('output-panel').locator('table tr');
		await rows.first().waitFor();
		const texts = await rows.evaluateAll((lines) =>
			lines.map((line) => Array.from(line.children, (cell) => cell.textContent.trim())),
		);
		// The last column holds n8n's own controls.
		return texts.map((cells) => cells.slice(0, -1));
	}

	async openNewCredential(displayName: string): Promise<void> {
		await this.page.goto(`${this.url}/home/credentials/create`);
		await this.part('new-credential-type-select').locator('input').fill(displayName);
		await this.part('new-credential-type-select-option').getByText(displayName).click();
		await this.part('new-credential-type-button').click();
		await this.part('editCredential-modal').waitFor();
	}

	async fillInCredential(fields: Record<string, string>): Promise<void> {
		const form = this.part('editCredential-modal');
		for (const [name, value] of Object.entries(fields)) {
			await form.locator(`[data-test-id="parameter-input-${name}"] input`).fill(value);
		}
		// n8n applies typed text after a pause, without an event. This timer is set later, so it also ends later.
		const pause = (length: number) => new Promise((done) => setTimeout(done, length));
		await this.page.evaluate(pause, TYPING_PAUSE);
	}

	/** Opens a stored credential; n8n tests it immediately. */
	async openCredential(id: string): Promise<void> {
		await this.page.goto(`${this.url}/home/credentials/${id}`);
		await this.part('editCredential-modal').waitFor();
	}
}

/** A part of the editor. */
export class EditorPart {
	protected readonly editor: Editor;

	constructor(editor: Editor) {
		this.editor = editor;
	}
}
