/**
 * `npm run screenshots`: makes the pictures of the documentation, `docs/images/*.png`, from a running n8n.
 * Needs Chromium (see `browser.mts`).
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { startBrowser } from './browser.mts';
import { report } from './console.mts';
import { Editor } from './editor.mts';
import { n8nState, root } from './paths.mts';
import { WEBHOOK_KEY } from './sandbox-credentials.mts';
import type { Workbench } from './workbench.mts';
import { startWorkbench } from './workbench.mts';

const directory = join(root, 'docs', 'images');

async function picture(editor: Editor, name: string): Promise<void> {
	await editor.dismissMessages();
	await editor.page.screenshot({ path: join(directory, `${name}.png`), animations: 'disabled' });
	report(`docs/images/${name}.png`);
}

/** Executes the webhook example in the editor: it waits for a call, which comes from here. */
async function executeWebhook(editor: Editor, { n8n, sandbox }: Workbench): Promise<void> {
	await editor.pressExecute();
	await editor.page.getByText('Waiting for trigger event').waitFor();
	await axios.post(
		`${n8n.url}/webhook-test/wallet-transfer`,
		{ to: sandbox.users.at(1)?.address, amount: '1500000' },
		{ headers: { [WEBHOOK_KEY.name]: WEBHOOK_KEY.value } },
	);
	await editor.ranSuccessfully('Answer with the Hash');
}

async function takePictures(editor: Editor, workbench: Workbench): Promise<void> {
	await editor.openWorkflow('walletBalances01');
	await editor.execute('Find Low Balances');
	await picture(editor, 'workflow');
	await editor.openNode('Dollar Balance');
	await picture(editor, 'balance-token');

	await editor.openWorkflow('walletHistory001');
	await editor.execute('One Row per Transfer');
	await editor.openNode('Transfers');
	await picture(editor, 'history-list');

	await editor.openWorkflow('walletRead000001');
	await editor.execute('Several Values');
	await editor.openNode('Several Values');
	await picture(editor, 'contract-read');

	await editor.openWorkflow('walletWebhook001');
	await executeWebhook(editor, workbench);
	await editor.openNode('Send Token');
	await picture(editor, 'contract-write');

	await editor.openCredential('sandboxUser0001');
	await editor.page.getByText('Connection tested successfully').waitFor();
	await picture(editor, 'credential');

	// So high that every action is in sight.
	await editor.setHeight(1040);
	await editor.openNewWorkflow();
	await editor.searchNode('Wallet Service');
	await picture(editor, 'actions');
}

await mkdir(directory, { recursive: true });
const workbench = await startWorkbench({
	userFolder: n8nState,
	fresh: false,
	restoreExamples: true,
	report,
});
const browser = await startBrowser();
try {
	await takePictures(await Editor.signIn(browser, workbench.n8n.url), workbench);
} finally {
	await browser.close();
	await workbench.stop();
}
process.exit();
