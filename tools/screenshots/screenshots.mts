/**
 * `npm run screenshots`: makes the pictures of the documentation, `docs/images/*.png`, from a running n8n.
 * Needs Chromium (see `browser.mts`).
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { allowAccess, chooseUser, fillInAccount, pressConnect } from '../editor/account.mts';
import {
	AGENT_EXAMPLE,
	PAYMENT_EXAMPLE,
	propose,
	startExampleModel,
} from '../model/agent-example.mts';
import { startBrowser } from '../editor/browser.mts';
import { report } from '../process/console.mts';
import { Editor } from '../editor/editor.mts';
import { takeContractPictures } from './contract-pictures.mts';
import { takeFirstSteps } from './first-steps.mts';
import { importCredentials } from '../n8n/cli.mts';
import { n8nState, root } from '../files/paths.mts';
import { ACCOUNT_CREDENTIAL, modelCredential, WEBHOOK_KEY } from '../sandbox/credentials.mts';
import { takeTaskPictures } from './task-pictures.mts';
import type { Workbench } from '../start/workbench.mts';
import { startWorkbench } from '../start/workbench.mts';

const directory = join(root, 'docs', 'images');

async function picture(editor: Editor, name: string): Promise<void> {
	// Nothing that is still under way is in a picture.
	await editor.part('stop-execution-button').waitFor({ state: 'hidden' });
	for (const pending of ['Loading fields', 'Fetching arguments']) {
		await editor.page.getByText(pending).first().waitFor({ state: 'hidden' });
	}
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
		// n8n remembers the orders of earlier runs.
		{ order: `A-${Date.now()}`, to: sandbox.users.at(1)?.address, amount: '1.5' },
		{ headers: { [WEBHOOK_KEY.name]: WEBHOOK_KEY.value } },
	);
	await editor.ranSuccessfully('Answer with the Hash');
}

async function takePictures(editor: Editor, workbench: Workbench): Promise<void> {
	await editor.openWorkflow('walletBalances01');
	await editor.execute('Alert');
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

	await editor.openWorkflow('walletSend000001');
	await editor.execute('Latest Transfers');
	await editor.openNode('Send 1.5 SUSD to Rahul');
	await picture(editor, 'token-send');

	await takeTaskPictures(editor, picture);
	const { contracts, users } = workbench.sandbox;
	await takeContractPictures(editor, contracts.shapes, users.at(1)?.id ?? '', picture);
	await takeAgentPictures(editor, workbench);
	await takeApprovalPicture(editor, workbench);
	await takeAccountPictures(editor, workbench);

	await editor.openCredential('sandboxUser0001');
	await editor.page.getByText('Connection tested successfully').waitFor();
	await picture(editor, 'credential');

	// So high that every action is in sight.
	await editor.setHeight(1160);
	await editor.openNewWorkflow();
	await editor.searchNode('Wallet Service');
	await picture(editor, 'actions');
}

/** Has the agent example answer, with a stand-in for its language model. */
async function takeAgentPictures(editor: Editor, { userFolder }: Workbench): Promise<void> {
	const model = await startExampleModel(userFolder);
	try {
		// So high that no button covers a node.
		await editor.setHeight(960);
		await editor.openWorkflow(AGENT_EXAMPLE);
		await editor.execute('Wallet Assistant');
		await picture(editor, 'ai-agent');
		await editor.openNode('Recent Transfers');
		await editor.outputTable();
		await picture(editor, 'ai-agent-tool');
		await editor.setHeight(800);
	} finally {
		await model.stop();
		await importCredentials(userFolder, [modelCredential()]);
	}
}

/** Has the agent of the payment example propose, and shows the page on which a person approves. */
async function takeApprovalPicture(editor: Editor, { userFolder }: Workbench): Promise<void> {
	const model = await startExampleModel(userFolder, propose);
	try {
		await editor.openWorkflow(PAYMENT_EXAMPLE);
		const opened = editor.page.waitForEvent('popup');
		await editor.pressExecute();
		const page = await opened;
		await page.getByText('Would send').waitFor();
		await page.setViewportSize({ width: 800, height: 560 });
		await page.screenshot({ path: join(directory, 'ai-agent-approval.png') });
		await page.getByRole('combobox').selectOption('No');
		await page.getByRole('button', { name: 'Submit' }).click();
		await editor.ranSuccessfully('Approved?');
		report('docs/images/ai-agent-approval.png');
	} finally {
		await model.stop();
		await importCredentials(userFolder, [modelCredential()]);
	}
}

/** Connects an account, step by step. */
async function takeAccountPictures(editor: Editor, { sandbox }: Workbench): Promise<void> {
	await fillInAccount(editor, sandbox);
	await editor.page.getByText('Authorization URL').first().scrollIntoViewIfNeeded();
	await picture(editor, 'oauth2-form');
	const popup = await pressConnect(editor);
	await popup.getByRole('button', { name: 'Nelly' }).waitFor();
	await popup.screenshot({ path: join(directory, 'oauth2-sign-in.png') });
	await chooseUser(popup, 'Nelly');
	await popup.screenshot({ path: join(directory, 'oauth2-consent.png') });
	await allowAccess(editor, popup);
	await picture(editor, 'oauth2-connected');

	await editor.openCredential(ACCOUNT_CREDENTIAL);
	await allowAccess(editor, await pressConnect(editor));
	await editor.openWorkflow('walletAccount001');
	await editor.execute('Latest Transfers');
	await editor.openNode('Coins');
	await picture(editor, 'oauth2-node');
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
	await takePictures(
		await Editor.signIn(browser, workbench.n8n.url, [workbench.sandbox.baseUrl]),
		workbench,
	);
	await takeFirstSteps(browser, workbench.sandbox, picture);
} finally {
	await browser.close();
	await workbench.stop();
}
process.exit();
