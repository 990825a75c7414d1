import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { Browser, Page } from '../editor/browser.mts';
import { CommunityNodesPage } from '../editor/community-nodes.mts';
import { ContractForm } from '../editor/contract-form.mts';
import { Editor } from '../editor/editor.mts';
import { WorkflowBuilder } from '../editor/workflow-builder.mts';
import { root } from '../files/paths.mts';
import { packPackage } from '../n8n/package.mts';
import { signInAsOwner } from '../n8n/owner.mts';
import { startN8n } from '../n8n/server.mts';
import { startRegistry } from '../registry/registry.mts';

/** Device pixels per CSS pixel in a picture. */
export const SCALE = 2;

const directory = join(root, 'docs', 'images');

/** File of a picture. */
export const pictureFile = (name: string): string => join(directory, `${name}.png`);

/** Executes the open workflow, which shows a form in a window of its own. */
export async function openForm(editor: Editor): Promise<Page> {
	const opened = editor.page.waitForEvent('popup');
	await editor.pressExecute();
	return await opened;
}

/** Takes a picture of the editor. */
export type Picture = (editor: Editor, name: string) => Promise<void>;

/** Finds the node for a new workflow, and shows its actions. */
async function showActions(editor: Editor, words: string): Promise<WorkflowBuilder> {
	const builder = new WorkflowBuilder(editor);
	await builder.begin();
	await builder.search(words);
	await builder.entry('Wallet Service').click();
	await builder.unfold('Actions');
	return builder;
}

/** Begins a workflow with an action of the node, whose panel opens. */
export async function begin(editor: Editor, words: string, action: string): Promise<void> {
	const builder = await showActions(editor, words);
	await editor.adding(() => builder.entry(action).click());
}

/** Takes the pictures of everyday tasks, carried out as the page about them describes. */
export async function takeTaskPictures(
	editor: Editor,
	{ users }: SandboxReady,
	picture: Picture,
): Promise<void> {
	const names = ['Nelly', 'Rahul Sen', 'mika_dev', 'newcomer'];
	const ids = names.map((name) => users.find(({ username }) => username === name)?.id ?? name);
	const recipient = ids[1] ?? '';
	await begin(editor, 'check balance', 'Get token balance');
	await editor.openTokens();
	await picture(editor, 'task-balance');
	await editor.chooseToken('SUSD');
	await editor.fillIn('userId', ids.join(', '));
	await editor.fillIn('compareWith', '100');
	await editor.executeStep();
	// Wide enough to show every column that the page mentions.
	await editor.page.setViewportSize({ width: 1680, height: 800 });
	await picture(editor, 'task-low-balances');
	await editor.setHeight(800);

	await begin(editor, 'send money', 'Send tokens');
	await editor.openTokens();
	await editor.chooseToken('SUSD');
	await editor.fillIn('recipient', recipient);
	await editor.fillIn('amount', '12.5');
	await editor.executeStep();
	await picture(editor, 'task-send');

	await editor.openWorkflow('walletIncoming01');
	await editor.execute('Insert Rows');
	await editor.openHome();
	await editor.part('tab-data-tables').click();
	await editor.part('data-table-card-link').first().click();
	await editor.part('data-table-grid').getByText(recipient).first().waitFor();
	await editor.setHeight(320);
	await picture(editor, 'task-incoming');

	// Tall enough to show every action.
	await editor.setHeight(1160);
	await showActions(editor, 'Wallet Service');
	await picture(editor, 'actions');
	await editor.setHeight(800);
}

/** Takes the pictures of a payment that has an order number, and of what became of its transaction. */
export async function takeOrderPictures(
	editor: Editor,
	{ users }: SandboxReady,
	picture: Picture,
): Promise<void> {
	await begin(editor, 'send money', 'Send tokens');
	await editor.openTokens();
	await editor.chooseToken('SUSD');
	await editor.fillIn('recipient', users[1]?.id ?? '');
	await editor.fillIn('amount', '2.5');
	await editor.fillIn('orderId', 'INV-2026-0042');
	await editor.executeStep();
	await picture(editor, 'token-send-order');
	const builder = new WorkflowBuilder(editor);
	await builder.closePanel();
	await builder.continue();
	await builder.search('transaction status');
	await builder.choose('Wallet Service', 'Get transaction');
	await editor.executeStep();
	await picture(editor, 'transaction-get');
}

/** Takes the pictures of a list of payments, of the trigger, and of the limits of a credential. */
export async function takePaymentPictures(editor: Editor, picture: Picture): Promise<void> {
	await editor.setHeight(900);
	await editor.openWorkflow('walletPayList001');
	await picture(editor, 'pay-a-list');
	const form = await openForm(editor);
	await form.getByText('Payments: 3').waitFor();
	await form.setViewportSize({ width: 800, height: 760 });
	await form.screenshot({ path: pictureFile('pay-a-list-form') });
	await form.getByRole('combobox').selectOption('No');
	await form.getByRole('button', { name: 'Submit' }).click();
	await editor.ranSuccessfully('Approved?');
	await form.close();

	await editor.setHeight(800);
	await editor.openWorkflow('walletIncoming01');
	await editor.execute('Insert Rows');
	await editor.openNode('Incoming Transfer');
	await picture(editor, 'trigger');

	await editor.openCredential('sandboxUser0001');
	await editor.page.getByText('Connection tested successfully').waitFor();
	await editor.page.getByText('Token Limits per Execution').first().scrollIntoViewIfNeeded();
	await picture(editor, 'credential-limits');
}

/** An argument for each kind of field; the test contract returns its arguments. */
const TERMS = [
	{ name: 'recipient', type: 'address' },
	{ name: 'amount', type: 'uint256' },
	{ name: 'open', type: 'bool' },
	{ name: 'fees', type: 'uint16[]' },
];
const ABI = JSON.stringify([
	{ type: 'function', name: 'offer', stateMutability: 'view', inputs: TERMS, outputs: TERMS },
]);

/** Takes the pictures of calls with a pasted ABI: one answered, one refused for an amount without a unit. */
export async function takeContractPictures(
	editor: Editor,
	{ contracts, users }: SandboxReady,
	picture: Picture,
): Promise<void> {
	const form = new ContractForm(editor);
	// Tall enough to show every argument.
	await editor.setHeight(1180);
	await begin(editor, 'smart contract', 'Read contract value');
	await editor.fillIn('contractAddress', contracts.shapes);
	await form.pasteAbi(ABI);
	await form.pickFunction('offer(address,uint256,bool,uint16[])');
	await form.fill('recipient (address)', users[1]?.id ?? '');
	await form.fill('amount (uint256)', '1.5 ether');
	await form.toggle('open (bool)');
	await form.fillJson('fees (uint16[])', '[25, 300]');
	await editor.executeStep();
	await picture(editor, 'contract-fields');
	await form.fill('amount (uint256)', '1.5');
	await editor.part('node-execute-button').click();
	await editor.part('output-panel').getByText('Error details').waitFor();
	// Waits for n8n's message in the corner, which is closed before the picture.
	await editor.page.getByText('Problem in node').first().waitFor();
	await picture(editor, 'contract-wrong-value');
	await editor.setHeight(800);
}

/** Takes the pictures of the first steps in a new n8n without community packages: installation and a first workflow. */
export async function takeFirstSteps(
	browser: Browser,
	{ baseUrl, users }: SandboxReady,
	picture: Picture,
): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), 'wallet-service-first-steps-'));
	const packed = await packPackage(folder.path);
	const registryFolder = join(folder.path, 'registry');
	await mkdir(registryFolder);
	await using registry = await startRegistry(registryFolder);
	await registry.publish(packed.tarball);
	await using n8n = await startN8n(join(folder.path, 'n8n'), 0, registry.environment);
	await signInAsOwner(n8n);
	const editor = await Editor.signIn(browser, n8n, SCALE);

	const page = new CommunityNodesPage(editor);
	await page.open();
	await page.fillInInstallation(packed.name);
	await picture(editor, 'first-install');
	await page.install();
	await page.package(packed.name).waitFor();
	await picture(editor, 'first-installed');

	const builder = new WorkflowBuilder(editor);
	const action = 'Get native coin balance';
	await builder.startManually();
	await builder.continue();
	await builder.search('wallet');
	await builder.entry('Wallet Service').waitFor();
	await picture(editor, 'first-search');
	await builder.choose('Wallet Service', action);
	const { id = '', accessToken = '' } = users[0] ?? {};
	await builder.createCredential({ baseUrl, accessToken, userId: id });
	await editor.executeStep();
	await picture(editor, 'first-result');
	await builder.closePanel();
	await editor.execute(action);
	await picture(editor, 'first-workflow');
}
