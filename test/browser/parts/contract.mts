/** A contract call by a person, who pastes an ABI, picks a function, fills in its fields, and reads the result and the errors. */
import { ContractForm } from '../../../tools/editor/contract-form.mts';
import { walletWorkflow } from '../../support/n8n/workflow.mts';
import { Person } from '../support/person.mts';
import { editor, n8n } from '../support/shared-editor.mts';

const PARAMETERS = [
	{ type: 'address', name: 'recipient' },
	{ type: 'uint256', name: 'amount' },
	{ type: 'bool', name: 'open' },
	{ type: 'uint16[]', name: 'fees' },
];
const OWNER = { type: 'address', name: 'owner' };
const NUMBER = { type: 'uint256', name: '' };

/** The sandbox's contract echoes the arguments of `offer`; the form must not confuse the other functions with it. */
const ABI = JSON.stringify(
	[
		{ name: 'offer', stateMutability: 'view', inputs: PARAMETERS, outputs: PARAMETERS },
		{ name: 'balanceOf', stateMutability: 'view', inputs: [OWNER], outputs: [NUMBER] },
		{ name: 'balanceOf', stateMutability: 'view', inputs: [OWNER, NUMBER], outputs: [NUMBER] },
		{ name: 'close', stateMutability: 'nonpayable', inputs: [], outputs: [] },
	].map((entry) => ({ type: 'function', ...entry })),
);
const OFFER = 'offer(address,uint256,bool,uint16[])';
const NODE = 'Read an Offer';
const WORKFLOW = 'contractForm0001';

let form: ContractForm;

beforeAll(async () => {
	form = new ContractForm(editor);
	const contractAddress = n8n.contracts.shapes;
	const read = { resource: 'contract', operation: 'read', contractAddress };
	await n8n.client.createWorkflow(walletWorkflow(WORKFLOW, 'sandboxUser0001', { [NODE]: read }));
});

test('picking a function of the pasted ABI shows a field for each of its arguments', async () => {
	await editor.openWorkflow(WORKFLOW);
	await editor.openNode(NODE);
	await form.pasteAbi(ABI);
	await form.pickFunction('balanceOf(address,uint256)');
	expect(await form.labels()).toEqual(['owner: address or user ID', 'id: token ID']);
	await form.pickFunction(OFFER);
	expect(await form.labels()).toEqual([
		'recipient (address)',
		'amount (uint256)',
		'open (bool)',
		'fees (uint16[])',
	]);
});

test('the values filled in arrive, and the answer has the names of the return values', async () => {
	const { id, address } = n8n.user('Rahul Sen');
	await form.fill('recipient (address)', id);
	await form.fill('amount (uint256)', '1.5 ether');
	await form.toggle('open (bool)');
	await form.fillJson('fees (uint16[])', '[25, 300]');
	await editor.executeStep();
	const [columns, row] = await editor.outputTable();
	expect(columns).toEqual(['value', 'status', 'explorerUrl', 'resolvedAddresses']);
	const value = row?.[0] ?? '';
	expect(value).toMatch(/recipient.*amount.*open.*fees/s);
	for (const part of [address, '1500000000000000000', 'true', '25', '300']) {
		expect(value).toContain(part);
	}
});

test('a wrong value shows the mistake and the remedy', async () => {
	await form.fill('amount (uint256)', '1.5');
	await editor.part('node-execute-button').click();
	const message = editor.part('node-error-message');
	await message.getByText('amount (uint256): "1.5" has a decimal point but no unit').waitFor();
	await editor.part('output-panel').getByText('Add a unit').first().waitFor();
});

test('the values filled in are still there when the panel is opened again', async () => {
	const filledIn = async () => [
		await form.valueOf('recipient (address)'),
		await form.valueOf('amount (uint256)'),
	];
	const before = await filledIn();
	await editor.closeNode();
	await form.opening(() => editor.openNode(NODE));
	expect(await filledIn()).toEqual(before);
	expect(before).toEqual([n8n.user('Rahul Sen').id, '1.5']);
});

/** Fields that n8n marks as wrong. */
const MARKED = '.has-issues, [data-test-id="parameter-issues"]';

test.each([
	['Read contract value', 'owner: address or user ID'],
	['Submit contract transaction', 'to: address or user ID'],
])('in a new form of %s nothing is marked as wrong', async (action, argument) => {
	await editor.openNewWorkflow();
	const person = new Person(editor, 10);
	await person.addFirst('smart contract', action);
	await editor.page.getByText(argument).waitFor();
	expect(await editor.page.locator(MARKED).count()).toBe(0);
	for (const [source, shown] of [
		['Signature', 'Choose a function first'],
		['Contract ABI', 'Paste the ABI First'],
	] as const) {
		await person.select('functionSource', source);
		const notice = editor.page.getByText(shown).or(editor.page.locator(`input[value="${shown}"]`));
		await notice.first().waitFor({ state: 'attached' });
		expect(await editor.page.locator(MARKED).count()).toBe(0);
	}
});
