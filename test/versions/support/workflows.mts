import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import type { JsonObject } from '../../../tools/files/json.mts';
import { readList, readObject } from '../../../tools/files/json.mts';
import { agentWorkflow } from '../../support/n8n/agent-workflow.mts';
import { walletWorkflow } from '../../support/n8n/workflow.mts';

/** The credential of the first sandbox user. */
export const CREDENTIAL = 'sandboxUser0001';

/** The input items of the writes of {@link writesWorkflow}. */
export const WRITES = 4;

/** Every operation, a preview, and a failing item with an error output. */
export function operationsWorkflow({ contracts, users }: SandboxReady): object {
	const transfer = {
		resource: 'contract',
		functionSource: 'signature',
		operation: 'write',
		contractAddress: contracts.usd,
		abi: 'function transfer(address to, uint256 amount) returns (bool)',
		argumentsMode: 'json',
		args: JSON.stringify([users[1]?.id, '1.5 * 10^6']),
	};
	const operations = {
		user: { resource: 'user', operation: 'get' },
		missing: { resource: 'user', operation: 'get', userId: 'DISCORD-404' },
		native: { resource: 'balance', operation: 'native', userId: users[2]?.id ?? '' },
		write: transfer,
		preview: { ...transfer, preview: true },
		token: { resource: 'balance', operation: 'token', token: contracts.gold },
		history: { resource: 'history', operation: 'list', returnAll: true },
		read: {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'read',
			contractAddress: contracts.usd,
			abi: 'function totalSupply() external view returns (uint256)',
		},
	};
	return walletWorkflow('operations', CREDENTIAL, operations, {
		settings: { missing: { onError: 'continueErrorOutput' } },
	});
}

const someItems = { resource: 'history', operation: 'list', returnAll: false, limit: WRITES };

/** Item 0 stores 0, item 1 stores 1, ... */
const store = ({ contracts }: SandboxReady, args = '={{ [String($itemIndex)] }}') => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'write',
	contractAddress: contracts.shapes,
	abi: 'store(uint256)',
	argumentsMode: 'json',
	args,
});

/** The minimum difference between the numbers that one attempt stores for an item and for the next item. */
export const STEP = 1_000_000_000_000_000;

/**
 * Several writes in one run of a node that n8n runs again when it fails. Item 0 stores the time, item 1 the time plus a `STEP`,
 * ...: each attempt requests another number.
 */
export function writesWorkflow(ready: SandboxReady): object {
	const args = `={{ [String($itemIndex * ${STEP} + Date.now())] }}`;
	return walletWorkflow(
		'writes',
		CREDENTIAL,
		{ items: someItems, writes: store(ready, args) },
		{
			behind: { writes: 'items' },
			settings: { writes: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 } },
		},
	);
}

const OAUTH = 'walletServiceOAuth2Api';

/** The settings that make a node use an account. */
const signedIn = (id: string) => ({ credentials: { [OAUTH]: { id, name: id } } });

/** As many reads or writes as {@link writesWorkflow} has, in one run of the node `signedIn`, which uses an account. */
export function signedInWorkflow(
	id: string,
	account: string,
	ready: SandboxReady,
	what: 'reads' | 'writes',
): object {
	// Different for each item: equal requests of several items are sent once.
	const reads = {
		...store(ready),
		operation: 'read',
		abi: 'echoUint(uint256) view returns (uint256)',
	};
	const parameters = what === 'writes' ? store(ready) : reads;
	const operations = { items: someItems, signedIn: { authentication: 'oAuth2', ...parameters } };
	return walletWorkflow(id, CREDENTIAL, operations, {
		behind: { signedIn: 'items' },
		settings: { signedIn: signedIn(account) },
	});
}

/** n8n's HTTP Request node requests a user, with each kind of credential: nodes `accessToken` and `oAuth2`. */
export function otherNodesWorkflow(account: string, ready: SandboxReady): object {
	const request = (nodeCredentialType: string, id: string) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${ready.baseUrl}/v1/users/${ready.users[0]?.id}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType,
		},
		credentials: { [nodeCredentialType]: { id, name: id } },
		onError: 'continueErrorOutput',
	});
	const settings = {
		accessToken: request('walletServiceApi', CREDENTIAL),
		oAuth2: request(OAUTH, account),
	};
	return walletWorkflow('otherNodes', CREDENTIAL, { accessToken: {}, oAuth2: {} }, { settings });
}

/** The tool of {@link signedInAgent}: its node, and its name for the model. */
const TOOL = 'Store_Number';

/** Makes the tool store a number. */
export const storeCall = (number: string) => ({ name: TOOL, arguments: { number } });

/**
 * An agent before version 3, whose tools are run by n8n's own routing, with a tool that writes with an account. Old enough for
 * the oldest tested n8n.
 */
export function signedInAgent(
	id: string,
	account: string,
	model: string,
	ready: SandboxReady,
): object {
	const args = "={{ [$fromAI('number', 'Number to store', 'string')] }}";
	const workflow: JsonObject = {
		...agentWorkflow(id, {
			model,
			tools: { [TOOL]: { authentication: 'oAuth2', ...store(ready, args) } },
			credential: CREDENTIAL,
			toolSettings: signedIn(account),
			agentVersion: 1.8,
		}),
	};
	const nodes = readList(workflow.nodes, 'the nodes').map((one) => {
		const node = readObject(one, 'a node');
		return String(node.type).endsWith('.lmChatOpenAi') ? { ...node, typeVersion: 1.2 } : node;
	});
	return { ...workflow, nodes };
}
