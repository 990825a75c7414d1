import { readObject, type JsonObject } from '../../../tools/files/json.mts';
import { readExample, type Example } from './examples.mts';
import { chainedWorkflow, walletNode, type WorkflowNode } from './workflow.mts';

/** Poll times this many seconds apart; each of them recurs once a minute, as n8n requires. */
const pollTimes = (interval: number) => ({
	item: Array.from({ length: 60 / interval }, (_one, index) => ({
		mode: 'custom',
		cronExpression: `${index * interval} * * * * *`,
	})),
});

/** Posts every item to an address. */
const postNode = (url: string): WorkflowNode => ({
	name: 'Post',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
		options: {},
	},
});

/** A workflow whose Wallet Service Trigger polls at this interval in seconds; its ID is also its path at the collector. */
export function triggerWorkflow(
	id: string,
	credential: string,
	parameters: JsonObject,
	collectorUrl: string,
	interval = 1,
): object {
	const polling = { pollTimes: pollTimes(interval), options: { maxTries: 1 } };
	const trigger = {
		...walletNode('Trigger', credential, { ...parameters, ...polling }),
		type: 'n8n-nodes-wallet-service.walletServiceTrigger',
	};
	return chainedWorkflow(id, [trigger, postNode(`${collectorUrl}/${id}`)]);
}

/**
 * A copy of an example that polls often, and whose payments can be repeated within minutes, also in the editor.
 *
 * @param name - File name without its extension.
 */
export async function pollingExample(name: string, id: string): Promise<Example> {
	const example = await readExample(name);
	const nodes = example.nodes.map((node) => {
		const parameters = readObject(node.parameters, 'the parameters');
		if (String(node.type).endsWith('.walletServiceTrigger'))
			return { ...node, parameters: { ...parameters, pollTimes: pollTimes(1) } };
		if (parameters.operation !== 'send') return node;
		const options = { ...readObject(parameters.options ?? {}, 'the options'), sendAgain: true };
		return { ...node, parameters: { ...parameters, options } };
	});
	return { ...example, id, nodes };
}

/** A {@link pollingExample} with an added node, which posts the items of the last node to the collector, under the ID. */
export async function postingExample(
	name: string,
	id: string,
	lastNode: string,
	collectorUrl: string,
): Promise<object> {
	const example = await pollingExample(name, id);
	const connections = readObject(example.connections, 'the connections');
	const toPost = { main: [[{ node: 'Post', type: 'main', index: 0 }]] };
	const post = { id: 'post', position: [900, 0], ...postNode(`${collectorUrl}/${id}`) };
	return {
		...example,
		nodes: [...example.nodes, post],
		connections: { ...connections, [lastNode]: toPost },
	};
}
