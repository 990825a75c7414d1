/**
 * `npm run screenshots`: takes the pictures for the documentation, `docs/images/*.png`, in a running n8n.
 * Needs Chromium (see `browser.mts`).
 */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { orderTransfer } from '../compare/compare-examples.mts';
import { allowAccess, chooseUser, fillInAccount, pressConnect } from '../editor/account.mts';
import { startBrowser } from '../editor/browser.mts';
import { Editor } from '../editor/editor.mts';
import { n8nState } from '../files/paths.mts';
import { startChatModel } from '../model/chat-model.mts';
import { AGENT_EXAMPLE, lookUp, PAYMENT_EXAMPLE, propose } from '../model/agent-example.mts';
import type { N8nRestClient } from '../n8n/rest-client.mts';
import { report } from '../process/console.mts';
import { ACCOUNT_CREDENTIAL, modelCredential } from '../sandbox/credentials.mts';
import { startWorkbench, type Workbench } from '../start/workbench.mts';
import { takeOwnServicePictures } from './own-service.mts';
import {
	openForm,
	pictureFile,
	SCALE,
	takeContractPictures,
	takeFirstSteps,
	takeOrderPictures,
	takePaymentPictures,
	takeTaskPictures,
} from './steps.mts';

async function picture(editor: Editor, name: string): Promise<void> {
	// Nothing in the picture may still be loading.
	await editor.part('stop-execution-button').waitFor({ state: 'hidden' });
	for (const pending of ['Loading fields', 'Fetching arguments']) {
		await editor.page.getByText(pending).first().waitFor({ state: 'hidden' });
	}
	await editor.dismissMessages();
	await editor.page.screenshot({ path: pictureFile(name), animations: 'disabled' });
	report(`docs/images/${name}.png`);
}

/** Executes the webhook example in the editor and calls its test webhook. */
async function executeWebhook(editor: Editor, { n8n, sandbox }: Workbench): Promise<void> {
	await editor.pressExecute();
	await editor.page.getByText('Waiting for trigger event').waitFor();
	await orderTransfer(`${n8n.url}/webhook-test/wallet-transfer`, sandbox.users.at(1)?.address);
	await editor.ranSuccessfully('Answer with the Hash');
}

async function takePictures(editor: Editor, workbench: Workbench): Promise<void> {
	const takeExample = async (id: string, last: string, node: string, name: string) => {
		await editor.openWorkflow(id);
		await editor.execute(last);
		await editor.openNode(node);
		await picture(editor, name);
	};
	await editor.openWorkflow('walletBalances01');
	await editor.execute('Alert');
	await picture(editor, 'workflow');
	await editor.openNode('Dollar Balance');
	await picture(editor, 'balance-token');
	await takeExample('walletHistory001', 'One Row per Transfer', 'Transfers', 'history-list');
	await takeExample('walletRead000001', 'Several Values', 'Several Values', 'contract-read');
	await editor.openWorkflow('walletWebhook001');
	await executeWebhook(editor, workbench);
	await editor.openNode('Send Token');
	await picture(editor, 'contract-write');
	const sent = 'Send 1.5 SUSD to Rahul';
	await takeExample('walletSend000001', 'Latest Transfers', sent, 'token-send');

	await takeTaskPictures(editor, workbench.sandbox, picture);
	await takeOrderPictures(editor, workbench.sandbox, picture);
	await takeContractPictures(editor, workbench.sandbox, picture);
	await takePaymentPictures(editor, picture);
	await withModel(workbench.client, async () => {
		// Tall enough that no button covers a node.
		await editor.setHeight(960);
		await editor.openWorkflow(AGENT_EXAMPLE);
		await editor.execute('Wallet Assistant');
		await picture(editor, 'ai-agent');
		await editor.openNode('Recent Transfers');
		await editor.outputTable();
		await picture(editor, 'ai-agent-tool');
		await editor.setHeight(800);
	});
	await withModel(workbench.client, () => takeApprovalPicture(editor), propose);
	await takeAccountPictures(editor, workbench);
	await takeExample('walletAccount001', 'Latest Transfers', 'Coins', 'oauth2-node');

	await editor.openCredential('sandboxUser0001');
	await editor.page.getByText('Connection tested successfully').waitFor();
	await picture(editor, 'credential');
}

/** Calls `run` while a stand-in replaces the language model of the agent examples. */
async function withModel(client: N8nRestClient, run: () => Promise<void>, decide = lookUp) {
	const model = await startChatModel(decide);
	await client.changeCredential(modelCredential(`${model.url}/v1`, 'not needed'));
	try {
		await run();
	} finally {
		await model.stop();
		await client.changeCredential(modelCredential());
	}
}

/** Takes the picture of the page on which a person approves the agent's payment. */
async function takeApprovalPicture(editor: Editor): Promise<void> {
	await editor.openWorkflow(PAYMENT_EXAMPLE);
	const page = await openForm(editor);
	await page.getByText('Would send').waitFor();
	await page.setViewportSize({ width: 800, height: 560 });
	await page.screenshot({ path: pictureFile('ai-agent-approval') });
	await page.getByRole('combobox').selectOption('No');
	await page.getByRole('button', { name: 'Submit' }).click();
	await editor.ranSuccessfully('Approved?');
	report('docs/images/ai-agent-approval.png');
}

/** Takes the pictures of connecting an account step by step, then connects the account of the examples. */
async function takeAccountPictures(editor: Editor, { sandbox }: Workbench): Promise<void> {
	await fillInAccount(editor, sandbox);
	// High enough for all fields that a person meets, to the hint below Base URL.
	await editor.setHeight(920);
	const first = editor.page.getByText('Authorization URL').first();
	await first.evaluate((label) => label.scrollIntoView());
	await picture(editor, 'oauth2-form');
	await editor.setHeight(800);
	const popup = await pressConnect(editor);
	await popup.getByRole('button', { name: 'Nelly' }).waitFor();
	await popup.screenshot({ path: pictureFile('oauth2-sign-in') });
	await chooseUser(popup, 'Nelly');
	await popup.screenshot({ path: pictureFile('oauth2-consent') });
	await allowAccess(editor, popup);
	await picture(editor, 'oauth2-connected');
	await editor.openCredential(ACCOUNT_CREDENTIAL);
	await allowAccess(editor, await pressConnect(editor));
}

await mkdir(dirname(pictureFile('any')), { recursive: true });
const start = { userFolder: n8nState, fresh: false, restoreExamples: true, report };
const workbench = await startWorkbench(start);
const browser = await startBrowser();
try {
	const { n8n, sandbox } = workbench;
	await takePictures(await Editor.signIn(browser, n8n, SCALE), workbench);
	await takeFirstSteps(browser, sandbox, picture);
	await takeOwnServicePictures(browser, picture);
} finally {
	await browser.close();
	await workbench.stop();
}
process.exit();
