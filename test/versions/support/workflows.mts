import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import type { JsonObject } from '../../../tools/files/json.mts';
import { agentWorkflow } from '../../support/n8n/tools-of-models.mts';
import { contractCall, signedIn, walletWorkflow } from '../../support/n8n/workflow.mts';

/** The credential of the first sandbox user. */
export const CREDENTIAL = 'sandboxUser0001';

/** The credential of the same user at a service that keeps writes. */
export const KEPT = 'keptWrites0001';

/** Number of input items for the writes of {@link writesWorkflow}. */
export const WRITES = 4;

/** An amount of gold in whole tokens, with all 18 decimal places: beyond what a JavaScript number can hold. */
export const AMOUNT = '9007199254740993.000000000000000001';

/** A workflow with every operation, a preview, and a failing item with an error output. */
export function operationsWorkflow({ contracts, users }: SandboxReady): object {
	const [, recipient, other] = users.map(({ id }) => id);
	const abi = 'function transfer(address to, uint256 amount) returns (bool)';
	const args = JSON.stringify([recipient, '1.5 * 10^6']);
	const transfer = contractCall('write', contracts.usd, abi, args);
	const supply = 'function totalSupply() external view returns (uint256)';
	const operations = {
		user: { resource: 'user', operation: 'get' },
		missing: { resource: 'user', operation: 'get', userId: 'DISCORD-404' },
		native: { resource: 'balance', operation: 'native', userId: other },
		write: transfer,
		send: {
			resource: 'token',
			operation: 'send',
			token: contracts.gold,
			recipient,
			amount: AMOUNT,
		},
		preview: { ...transfer, preview: true },
		token: { resource: 'balance', operation: 'token', token: contracts.gold },
		history: { resource: 'history', operation: 'list', returnAll: true },
		read: contractCall('read', contracts.usd, supply),
	};
	return walletWorkflow('operations', CREDENTIAL, operations, {
		settings: { missing: { onError: 'continueErrorOutput' } },
	});
}

const someItems = { resource: 'history', operation: 'list', returnAll: false, limit: WRITES };

/** Item 0 stores 0, item 1 stores 1, ... */
const store = ({ contracts }: SandboxReady, args = '={{ [String($itemIndex)] }}') =>
	contractCall('write', contracts.shapes, 'store(uint256)', args);

/** The minimum difference between the numbers that one attempt stores for an item and for the next item. */
export const STEP = 1_000_000_000_000_000;

/**
 * Several writes in one run of a node that n8n runs again when it fails. Item 0 stores the time, item 1 the time plus a `STEP`,
 * ...: each attempt requests different numbers.
 */
export function writesWorkflow(ready: SandboxReady): object {
	const args = `={{ [String($itemIndex * ${STEP} + Date.now())] }}`;
	const operations = { items: someItems, writes: store(ready, args) };
	return walletWorkflow('manyWrites', CREDENTIAL, operations, {
		behind: { writes: 'items' },
		settings: { writes: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 } },
	});
}

/** Credentials with which no request succeeds, by the name of their node in {@link failuresWorkflow}. */
export function failingCredentials({ baseUrl, users }: SandboxReady, badCertificate: string) {
	const accessToken = users[0]?.accessToken ?? '';
	const credentialOf = (id: string, data: Record<string, string>) => ({
		id,
		name: id,
		type: 'walletServiceApi',
		data: { baseUrl, accessToken, ...data },
	});
	return [
		credentialOf('noServer', { baseUrl: 'http://127.0.0.1:1' }),
		credentialOf('noHost', { baseUrl: 'https://nobody.invalid' }),
		credentialOf('badCertificate', { baseUrl: badCertificate }),
		credentialOf('noToken', { accessToken: '' }),
	];
}

/** A workflow of writes that fail: one for each of the {@link failingCredentials}, and one by OAuth2 whose grant is lost. */
export function failuresWorkflow(ready: SandboxReady): object {
	const write = { ...store(ready), options: { maxTries: 1 } };
	const operations = {
		noServer: write,
		noHost: write,
		badCertificate: write,
		noToken: write,
		lost: { ...write, authentication: 'oAuth2' },
	};
	const goesOn = { onError: 'continueRegularOutput' };
	const settings = Object.fromEntries(
		failingCredentials(ready, '').map(({ id }) => [
			id,
			{ ...goesOn, credentials: { walletServiceApi: { id, name: id } } },
		]),
	);
	return walletWorkflow('failures', CREDENTIAL, operations, {
		settings: { ...settings, lost: { ...goesOn, ...signedIn('lost') } },
	});
}

/** A workflow with one write, other than before, that n8n repeats if it fails: by the access token, or by an account. */
export function retriedWorkflow(id: string, ready: SandboxReady, account?: string): object {
	const write = {
		...store(ready, '={{ [String(Date.now())] }}'),
		...(account !== undefined && { authentication: 'oAuth2' }),
		options: { maxTries: 1, timeout: 5 },
	};
	const repeated = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
	const by = account === undefined ? {} : signedIn(account);
	const settings = { retried: { ...repeated, ...by } };
	return walletWorkflow(id, CREDENTIAL, { retried: write }, { settings });
}

/** A workflow with one write at a service that keeps writes: of a number, or by default of the time. */
export function keptWorkflow(
	id: string,
	ready: SandboxReady,
	options: JsonObject,
	number?: string,
): object {
	const args = number === undefined ? undefined : JSON.stringify([number]);
	const write = { ...store(ready, args ?? '={{ [String(Date.now())] }}'), options };
	return walletWorkflow(id, KEPT, { kept: write });
}

/** A workflow with as many reads or writes as {@link writesWorkflow}, in one run of the OAuth2 node `signedIn`. */
export function signedInWorkflow(account: 'reads' | 'writes', ready: SandboxReady): object {
	// Different for each item: equal requests of several items are sent once.
	const echo = { operation: 'read', abi: 'echoUint(uint256) view returns (uint256)' };
	// The tests send the same writes several times, as nobody does in the editor.
	const again = { options: { sendAgain: true } };
	const parameters = { ...store(ready), ...(account === 'reads' ? echo : again) };
	const operations = { items: someItems, signedIn: { authentication: 'oAuth2', ...parameters } };
	return walletWorkflow(account, CREDENTIAL, operations, {
		behind: { signedIn: 'items' },
		settings: { signedIn: signedIn(account) },
	});
}

/** A workflow whose HTTP Request nodes request a user with each kind of credential: nodes `accessToken` and `oAuth2`. */
export function otherNodesWorkflow(account: string, ready: SandboxReady): object {
	const request = (nodeCredentialType: string, id: string) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		onError: 'continueErrorOutput',
		parameters: {
			nodeCredentialType,
			authentication: 'predefinedCredentialType',
			url: `${ready.baseUrl}/v1/users/${ready.users[0]?.id}`,
		},
		credentials: { [nodeCredentialType]: { id, name: id } },
	});
	const settings = {
		accessToken: request('walletServiceApi', CREDENTIAL),
		oAuth2: request('walletServiceOAuth2Api', account),
	};
	return walletWorkflow('otherNodes', CREDENTIAL, { accessToken: {}, oAuth2: {} }, { settings });
}

/** The tool of {@link signedInAgent}: its node, and its name for the model. */
const TOOL = 'Store_Number';

/** Makes the tool store a number. */
export const storeCall = (number: string) => ({ name: TOOL, arguments: { number } });

/**
 * An agent before version 3, whose tools are run by n8n's own routing. Its tool writes with an OAuth2 credential. The
 * oldest tested n8n supports this agent version.
 */
export function signedInAgent(
	id: string,
	account: string,
	model: string,
	ready: SandboxReady,
): object {
	const args = "={{ [$fromAI('number', 'Number to store', 'string')] }}";
	return agentWorkflow(id, {
		model,
		agentVersion: 1.8,
		credential: CREDENTIAL,
		toolSettings: signedIn(account),
		tools: { [TOOL]: { authentication: 'oAuth2', ...store(ready, args) } },
	});
}
