import type { Editor } from '../editor/editor.mts';
import { WorkflowBuilder } from '../editor/workflow-builder.mts';

/** Users of the sandbox: Nelly, Rahul Sen, mika_dev and the newcomer. */
const USERS = [
	'DISCORD-80351110224678912',
	'GOOGLE-115842093764510827364',
	'TWITTER-2244994945',
	'DISCORD-901234567890123456',
];

/** Begins a workflow with an action of the node, whose panel opens. */
async function begin(editor: Editor, words: string, action: string): Promise<void> {
	const builder = new WorkflowBuilder(editor);
	await builder.begin();
	await builder.search(words);
	await builder.entry('Wallet Service').click();
	await builder.unfold('Actions');
	await editor.adding(() => builder.entry(action).click());
}

/** Takes the pictures of everyday tasks: each is done as the page about them says. */
export async function takeTaskPictures(
	editor: Editor,
	picture: (editor: Editor, name: string) => Promise<void>,
): Promise<void> {
	await begin(editor, 'check balance', 'Get token balance');
	await editor.openTokens();
	await picture(editor, 'task-balance');
	await editor.chooseToken('SUSD');
	await editor.fillIn('userId', USERS.join(', '));
	await editor.fillIn('compareWith', '100');
	await editor.executeStep();
	await picture(editor, 'task-low-balances');

	await begin(editor, 'send money', 'Send tokens');
	await editor.openTokens();
	await editor.chooseToken('SUSD');
	await editor.fillIn('recipient', USERS.at(1) ?? '');
	await editor.fillIn('amount', '12.5');
	await editor.executeStep();
	await picture(editor, 'task-send');

	await editor.openWorkflow('walletIncoming01');
	await editor.execute('Insert Rows');
	await editor.openHome();
	await editor.part('tab-data-tables').click();
	await editor.part('data-table-card-link').first().click();
	await editor
		.part('data-table-grid')
		.getByText(USERS.at(1) ?? '')
		.first()
		.waitFor();
	await editor.setHeight(320);
	await picture(editor, 'task-incoming');
	await editor.setHeight(800);
}
