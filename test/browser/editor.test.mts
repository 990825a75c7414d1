/** The node in n8n's editor, used in a real browser. */
import { startBrowser, type Browser } from '../../workbench/src/browser.mts';
import { Chain } from '../../workbench/src/chain.mts';
import { Editor } from '../../workbench/src/editor.mts';
import { importCredentials } from '../../workbench/src/n8n/cli.mts';
import { signInAsOwner } from '../../workbench/src/n8n/rest-client.mts';
import { startN8n, type N8nServer } from '../../workbench/src/n8n/server.mts';
import { Cleanup } from '../e2e/support/cleanup.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../e2e/support/workspace.mts';

const cleanup = new Cleanup();
let workspace: Workspace;
let n8n: N8nServer;
let browser: Browser;
let editor: Editor;

beforeAll(async () => {
	workspace = await createWorkspace(cleanup);
	const { baseUrl } = workspace.sandbox;
	const type = 'walletServiceApi';
	await importCredentials(workspace.userFolder, [
		{ id: 'wrongToken', name: 'Wrong token', type, data: { baseUrl, accessToken: 'wrong' } },
		{
			id: 'wrongService',
			name: 'Wrong service',
			type,
			data: { baseUrl: `${baseUrl}/elsewhere`, accessToken: 'wrong' },
		},
	]);
	n8n = await startN8n(workspace.userFolder);
	await cleanup.add(() => n8n.stop());
	await signInAsOwner(n8n.url);
	browser = await startBrowser();
	await cleanup.add(() => browser.close());
	editor = await Editor.signIn(browser, n8n.url);
}, PREPARATION_TIME);
afterAll(async () => await cleanup.run());

test('the search for nodes finds it, with its triggers and an action for each operation', async () => {
	await editor.openNewWorkflow();
	await editor.searchNode('Wallet Service');
	const entries = editor.part('node-creator').getByText(/^(On|Get|Read|Submit) /);
	await editor.page.getByText('Submit a transaction to a contract').waitFor();
	expect(await entries.allTextContents()).toEqual([
		'On balance changed',
		'On balance crossed threshold',
		'On new transfer',
		'Get a user and their wallet',
		'Get the native coin balance of a user',
		'Get the token balance of a user',
		'Get many token transfers of a user',
		'Read a value from a contract',
		'Submit a transaction to a contract',
	]);
});

test('an example runs, and its last step shows what the chain says', async () => {
	await editor.openWorkflow('walletHistory001');
	await editor.execute('One Row per Transfer');
	await editor.openNode('One Row per Transfer');
	const [columns, ...rows] = await editor.outputTable();
	expect(columns).toEqual(['When', 'Direction', 'To', 'Amount', 'Asset', 'Transaction']);

	const chain = new Chain(workspace.sandbox.rpcUrl);
	const transfers = await chain.transfers(workspace.sandbox.users[0]?.address ?? '');
	chain.close();
	const { explorerUrl } = workspace.sandbox;
	expect(rows.map((cells) => cells.at(-1))).toEqual(
		transfers.map(({ hash }) => `${explorerUrl}/tx/${hash}`),
	);
});

test('one step runs in its panel', async () => {
	await editor.openWorkflow('walletRead000001');
	await editor.openNode('Token Name');
	await editor.executeStep();
	const [columns, values] = await editor.outputTable();
	expect(columns?.at(0)).toBe('value');
	expect(values?.at(0)).toBe('Sandbox Dollar');
});

test('opening a credential that works shows so', async () => {
	await editor.openCredential('sandboxUser0001');
	await editor.page.getByText('Connection tested successfully').waitFor();
});

test.each([
	['wrongToken', 'The access token was rejected'],
	['wrongService', 'This is not a wallet service, or not its base URL'],
])('opening the credential %s shows what is wrong with it', async (id, reason) => {
	await editor.openCredential(id);
	await editor.unfoldTestResult();
	await editor.page.getByText(reason).first().waitFor();
});
