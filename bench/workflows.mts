import { FUNCTION_SIGNATURE } from './calls.mts';
import type { Call } from './calls.mts';

/** Nodes that are compared inside n8n. */
export const NODES = ['walletService', 'httpRequest'] as const;
export type ComparedNode = (typeof NODES)[number];

/** Name of the node whose run is measured. */
export const MEASURED = 'Measured';

/** Items that the same node handles before, in the same process: n8n's code is compiled and the connections are open by then. */
export const WARM_UP_ITEMS = 500;

/** What a workflow measures. */
export interface WorkflowPlan {
	node: ComparedNode;
	call: Call;
	items: number;
	/** Milliseconds that the service holds each answer back. */
	latency: number;
	/** Address of the stub server. */
	stubUrl: string;
}

type Parameters = Record<string, unknown>;

interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Parameters;
	credentials?: object;
	executeOnce?: boolean;
}

/** Id of a workflow; n8n takes 16 characters at most. */
export function workflowId({ node, call, items, latency }: WorkflowPlan): string {
	return `${node.slice(0, 1)}${call.slice(0, 1)}-${items}-${latency}`;
}

/** Id and name of the wallet service credential for a latency, which is part of its base URL. */
export const walletCredentialId = (latency: number) => `wallet-${latency}`;

/** Id and name of the HTTP Request node's credential. */
export const BEARER_CREDENTIAL = 'bearer';

/** Parameters of this package's node as users write them. */
const WALLET_PARAMETERS: Record<Call, Parameters> = {
	balance: { resource: 'balance', operation: 'native', userId: '={{ $json.userId }}' },
	read: {
		resource: 'contract',
		functionSource: 'signature',
		operation: 'read',
		contractAddress: '={{ $json.contract }}',
		abi: FUNCTION_SIGNATURE,
		argumentsMode: 'json',
		args: '={{ [$json.wallet] }}',
	},
};

function httpParameters({ call, stubUrl, latency }: WorkflowPlan): Parameters {
	const authentication = {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpBearerAuth',
	};
	if (call === 'balance') {
		const url = `=${stubUrl}/${latency}/v1/users/{{ $json.userId }}/balance`;
		return { ...authentication, url };
	}
	return {
		...authentication,
		method: 'POST',
		url: `${stubUrl}/${latency}/v1/contracts/method/read`,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ { address: $json.contract, abi: '${FUNCTION_SIGNATURE}', args: [$json.wallet] } }}`,
	};
}

function comparedNode(name: string, plan: WorkflowPlan): WorkflowNode {
	if (plan.node === 'httpRequest') {
		return {
			name,
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: httpParameters(plan),
			credentials: { httpBearerAuth: { id: BEARER_CREDENTIAL, name: BEARER_CREDENTIAL } },
		};
	}
	const credential = walletCredentialId(plan.latency);
	return {
		name,
		type: 'n8n-nodes-wallet-service.walletService',
		typeVersion: 1,
		parameters: WALLET_PARAMETERS[plan.call],
		credentials: { walletServiceApi: { id: credential, name: credential } },
	};
}

/** Gets input items from the stub server: the answer is a list, of which n8n makes one item per entry. */
function itemSource(name: string, stubUrl: string, count: number): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		executeOnce: true,
		parameters: { url: `${stubUrl}/items?count=${count}` },
	};
}

/** A workflow that runs the node over a few items to warm up, and then over the items that count. */
export function benchmarkWorkflow(plan: WorkflowPlan): object {
	const chain: WorkflowNode[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		itemSource('Items to Warm Up', plan.stubUrl, WARM_UP_ITEMS),
		comparedNode('Warm-Up', plan),
		itemSource('Items', plan.stubUrl, plan.items),
		comparedNode(MEASURED, plan),
	];
	const connections = chain
		.slice(1)
		.map(({ name }, index) => [
			chain[index]?.name,
			{ main: [[{ node: name, type: 'main', index: 0 }]] },
		]);
	return {
		id: workflowId(plan),
		name: workflowId(plan),
		active: false,
		settings: {
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'none',
			saveManualExecutions: false,
		},
		nodes: chain.map((node, index) => ({ id: node.name, position: [200 * index, 0], ...node })),
		connections: Object.fromEntries(connections),
	};
}
