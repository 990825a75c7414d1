import { randomUUID } from 'node:crypto';
import { readObject, readObjects, type JsonObject } from '../../../tools/files/json.mts';
import { readDocument, sectionOf } from '../../support/docs/documents.mts';
import { nodesOf } from '../../support/docs/markdown.mts';

const RECIPE = 'A second approver above an amount';

/** The expressions of the recipe, in the order of its steps. */
async function expressions(): Promise<string[]> {
	const { nodes } = sectionOf(await readDocument('docs/recipes.md'), RECIPE);
	return nodes.flatMap((node) => nodesOf(node, 'code')).map(({ value }) => value);
}

/** The new node, as the editor saves it. */
const below50 = (amount: string): JsonObject => ({
	id: randomUUID(),
	name: 'Below 50?',
	type: 'n8n-nodes-base.if',
	typeVersion: 2.3,
	position: [1157, 280],
	parameters: {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 3 },
			conditions: [
				{
					id: randomUUID(),
					leftValue: `=${amount}`,
					rightValue: 50,
					operator: { type: 'number', operation: 'lt' },
				},
			],
			combinator: 'and',
		},
		looseTypeValidation: true,
		options: {},
	},
});

/** Changes *Refund by form* in the steps of the recipe. @param approver - address of the second person */
export async function addSecondApprover(
	example: JsonObject,
	approver: string,
): Promise<JsonObject> {
	const [amount = '', agreed = ''] = await expressions();
	const nodes = readObjects(example.nodes, 'the nodes');
	const copyOf = (name: string): JsonObject => {
		const copied = readObject(
			nodes.find((node) => node.name === name),
			name,
		);
		const ids = { id: randomUUID(), ...('webhookId' in copied && { webhookId: randomUUID() }) };
		return { ...copied, ...ids, name: `${name}1` };
	};
	const approve = copyOf('Approve');
	const form = readObject(approve.parameters, 'the form');
	// The message is an expression already, so its first character is the equals sign of n8n's JSON.
	const message = `=${agreed}\n${String(form.message).slice(1)}`;
	const second = { ...approve, parameters: { ...form, toEmail: approver, message } };
	const to = (node: string) => [{ node, type: 'main', index: 0 }];
	return {
		...example,
		nodes: [...nodes, below50(amount), second, copyOf('Approved?')],
		connections: {
			...readObject(example.connections, 'the connections'),
			'Approved?': { main: [to('Below 50?')] },
			'Below 50?': { main: [to('Pay'), to('Approve1')] },
			Approve1: { main: [to('Approved?1')] },
			'Approved?1': { main: [to('Pay')] },
		},
	};
}
