/** The search for nodes, one step in the panel of a node, and the forms of credentials. */
import { limitedCredential } from '../../support/n8n/workspace.mts';
import { OTHER_SEARCHES, PHRASES } from '../support/phrases.mts';
import { builder, editor, n8n } from '../support/shared-editor.mts';

const NODE = 'Wallet Service';

/** Number of search results in which an entry must appear. */
const FIRST = 3;

describe('the search for nodes', () => {
	const actions = () => editor.part('node-creator-item-name');

	/** Types a search, and returns n8n's results. */
	async function search(words: string): Promise<string[]> {
		// Clears the results of an earlier search first.
		await builder.search('no such node');
		await builder.nothingFound.waitFor();
		await builder.search(words);
		await actions().first().waitFor();
		return (await actions().allTextContents()).map((name) => name.trim());
	}

	beforeAll(async () => await builder.begin());

	test.each(PHRASES)('for "%s" finds it among the first, with "%s"', async (phrase, action) => {
		expect((await search(phrase)).slice(0, FIRST)).toContain(NODE);
		await builder.entry(NODE).click();
		await builder.unfold(action.startsWith('On ') ? 'Triggers' : 'Actions');
		await builder.entry(action).waitFor();
		await editor.part('nodes-list-header').getByRole('button').first().click();
	});

	test.each(OTHER_SEARCHES)('for "%s" does not offer it', async (words) => {
		expect(await search(words)).not.toContain(NODE);
	});

	test('lists its triggers, and an action for each operation with the most wanted first', async () => {
		await search(NODE);
		await builder.entry(NODE).click();
		await builder.unfold('Actions');
		expect(await actions().allTextContents()).toEqual([
			'On new transfer',
			'On balance changed',
			'On balance crossed threshold',
			'On contract value changed',
			'Get native coin balance',
			'Get token balance',
			'Send tokens',
			'Get many token transfers',
			'Find transfer in history',
			'Get transaction',
			'Get user',
			'Read contract value',
			'Submit contract transaction',
		]);
	});
});

test('one step runs in its panel', async () => {
	await editor.openWorkflow('walletRead000001');
	await editor.openNode('Total Supply');
	await editor.executeStep();
	const [columns, values] = await editor.outputTable();
	expect(columns?.slice(0, 3)).toEqual(['value', 'amount', 'symbol']);
	expect(values?.slice(0, 3)).toEqual(['2540250000', '2540.25', 'SUSD']);
});

test('a list opened before n8n has selected the credential is loaded with the credential', async () => {
	const { page } = editor;
	// n8n selects the latest credential for a new node. This one has no user ID.
	await n8n.client.changeCredential(limitedCredential(n8n.service, 'wrongToken', {}, 'wrong'));
	const list = '**/dynamic-node-parameters/resource-locator-results';
	const saved = page.waitForResponse(/\/rest\/workflows$/, { timeout: 60_000 });
	await builder.begin();
	await builder.entry('On a schedule').click();
	await builder.closePanel();
	await saved;
	await builder.continue();
	await builder.search('check balance');
	// Delays the credentials until the list is first requested, and answers that request last.
	const asked = page.waitForRequest(list);
	await page.route('**/credentials/for-workflow?*', async (route) => {
		await asked;
		await route.continue();
	});
	await page.route(
		list,
		async (route) => {
			await editor.part('credential-edit-button').waitFor();
			await route.continue();
		},
		{ times: 1 },
	);
	await builder.choose(NODE, 'Get token balance');
	await editor.part('resource-locator-token').locator('input').last().click();
	expect((await asked).postDataJSON()).not.toHaveProperty('credentials');
	await editor.part('rlc-error-message').getByText('There is no user').waitFor();
	await page.unrouteAll();
});

test('opening a working credential shows that it works', async () => {
	await editor.openCredential('sandboxUser0001');
	await editor.page.getByText('Connection tested successfully').waitFor();
});

test.each([
	['wrongToken', 'The access token was rejected'],
	['wrongService', 'This is not a wallet service, or not its base URL'],
])('opening the credential %s shows what is wrong with it', async (id, reason) => {
	await editor.openCredential(id);
	await editor.part('node-credentials-config-container').getByText('More details').click();
	await editor.page.getByText(reason).first().waitFor();
});
