/** Another credential in the panel of a node: what was chosen with the first one remains. */
import { builder, editor } from '../support/shared-editor.mts';

const NODE = 'Wallet Service';

test.each([
	['a node', 'Get token balance'],
	['the trigger', 'On new transfer'],
])('does not empty Token of %s, even if its tokens cannot be listed', async (_what, action) => {
	const { page } = editor;
	const input = () => editor.part('resource-locator-token').locator('input').last();
	await builder.begin();
	await builder.search(NODE);
	await builder.entry(NODE).click();
	await builder.unfold(action.startsWith('On ') ? 'Triggers' : 'Actions');
	await editor.adding(async () => await builder.entry(action).click());
	await editor.openTokens();
	await editor.chooseToken('SUSD');
	const chosen = /^SUSD - Sandbox Dollar \(0x/;
	const all = action.startsWith('On ') ? ['All Tokens, Also Worthless Ones'] : [];
	expect(await input().inputValue()).toMatch(chosen);
	await editor.part('node-credentials-select').click();
	const listed = page.waitForResponse(/\/resource-locator-results$/);
	await page
		.locator('[data-test-id^="node-credentials-select-item"]')
		.filter({ hasText: 'wrongToken' })
		.click();
	await listed;
	await input().click();
	const reason = editor.part('rlc-item').filter({ hasText: 'No other tokens: ' });
	await reason.waitFor();
	expect(await editor.part('rlc-item').allTextContents()).toMatchObject([
		expect.stringMatching(chosen),
		...all,
		// This credential has no user.
		expect.stringMatching(/^No other tokens: There is no user/),
	]);
	await page.keyboard.press('Escape');
	expect(await input().inputValue()).toMatch(chosen);
});
