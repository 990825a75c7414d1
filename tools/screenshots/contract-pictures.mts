import { ContractForm } from '../editor/contract-form.mts';
import type { Editor } from '../editor/editor.mts';
import { WorkflowBuilder } from '../editor/workflow-builder.mts';

/** An argument of each kind of field; the contract for tests answers with what it was called with. */
const TERMS = [
	{ name: 'recipient', type: 'address' },
	{ name: 'amount', type: 'uint256' },
	{ name: 'open', type: 'bool' },
	{ name: 'fees', type: 'uint16[]' },
];
const ABI = JSON.stringify([
	{ type: 'function', name: 'offer', stateMutability: 'view', inputs: TERMS, outputs: TERMS },
]);

/** Takes the pictures of a call by a pasted ABI: answered, and refused for an amount without a unit. */
export async function takeContractPictures(
	editor: Editor,
	contractAddress: string,
	recipient: string,
	picture: (editor: Editor, name: string) => Promise<void>,
): Promise<void> {
	const builder = new WorkflowBuilder(editor);
	const form = new ContractForm(editor);
	// So high that every argument is in sight.
	await editor.setHeight(1180);
	await builder.begin();
	await builder.search('smart contract');
	await builder.entry('Wallet Service').click();
	await builder.unfold('Actions');
	await editor.adding(() => builder.entry('Read contract value').click());
	await editor.fillIn('contractAddress', contractAddress);
	await form.pasteAbi(ABI);
	await form.pickFunction('offer(address,uint256,bool,uint16[])');
	await form.fill('recipient (address)', recipient);
	await form.fill('amount (uint256)', '1.5 ether');
	await form.toggle('open (bool)');
	await form.fillJson('fees (uint16[])', '[25, 300]');
	await editor.executeStep();
	await picture(editor, 'contract-fields');
	await form.fill('amount (uint256)', '1.5');
	await editor.part('node-execute-button').click();
	await editor.part('output-panel').getByText('Error details').waitFor();
	// What n8n says in the corner as well, which the picture is taken without.
	await editor.page.getByText('Problem in node').first().waitFor();
	await picture(editor, 'contract-wrong-value');
	await editor.setHeight(800);
}
