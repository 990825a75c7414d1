import { readObject } from '../../../tools/files/json.mts';
import type { Example } from './examples.mts';
import { readExample } from './examples.mts';
import type { NodeParameters } from './workflow.mts';

/** Poll times this many seconds apart: each alone is once a minute, as n8n requires. */
const pollTimes = (interval: number) => ({
	item: Array.from({ length: 60 / interval }, (_one, index) => ({
		mode: 'custom',
		cronExpression: `${index * interval} * * * * *`,
	})),
});

/** Posts every item to an address. */
const postNode = (collectorUrl: string) => ({
	id: 'post',
	name: 'Post',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	position: [900, 0],
	parameters: {
		method: 'POST',
		url: collectorUrl,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ JSON.stringify($json) }}',
		options: {},
	},
});

const toPost = { main: [[{ node: 'Post', type: 'main', index: 0 }]] };

/**
 * A workflow whose Wallet Service Trigger polls every second by default, and that posts each of its items to an address.
 *
 * @param id - At most 16 characters, like n8n's own IDs.
 * @param credentialId - Of a `walletServiceApi` credential.
 * @param interval - Seconds between polls; 1 by default.
 */
export function triggerWorkflow(
	id: string,
	credentialId: string,
	parameters: NodeParameters,
	collectorUrl: string,
	interval = 1,
): object {
	const trigger = {
		id: 'trigger',
		name: 'Trigger',
		type: 'n8n-nodes-wallet-service.walletServiceTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {
			...parameters,
			pollTimes: pollTimes(interval),
			options: { maxTries: 1 },
		},
		credentials: { walletServiceApi: { id: credentialId, name: credentialId } },
	};
	return {
		id,
		name: id,
		active: false,
		settings: { executionOrder: 'v1' },
		nodes: [trigger, postNode(collectorUrl)],
		connections: { Trigger: toPost },
	};
}

/** An example with the trigger, unchanged except for the poll times. @param name - File name without its ending. */
export async function pollingExample(name: string): Promise<Example> {
	const example = await readExample(name);
	const nodes = example.nodes.map(({ parameters, ...rest }) => {
		const isTrigger = String(rest.type).endsWith('.walletServiceTrigger');
		return {
			...rest,
			parameters: {
				...readObject(parameters, 'the parameters'),
				...(isTrigger && { pollTimes: pollTimes(1) }),
			},
		};
	});
	return { ...example, nodes };
}

/**
 * An example, unchanged except for the poll times of its trigger, with a node after its last one that posts its output.
 *
 * @param name - File name without its ending.
 * @param lastNode - Name of the node whose items are posted.
 */
export async function postingExample(
	name: string,
	lastNode: string,
	collectorUrl: string,
): Promise<object> {
	const example = await pollingExample(name);
	const connections = readObject(example.connections, 'the connections');
	return {
		...example,
		nodes: [...example.nodes, postNode(collectorUrl)],
		connections: { ...connections, [lastNode]: toPost },
	};
}
