import { FUNCTION_SIGNATURE, TRANSFER_SIGNATURE, type Call } from './calls.mts';
import type { MeasuredNode } from './workflows.mts';

/** ID and name of the HTTP Request node's credential. */
export const BEARER_CREDENTIAL = 'bearer';

/** ID and name of the credential for a service of the stub server. */
export const serviceCredential = (service: string | number): string => `wallet-${service}`;

const READ = {
	resource: 'contract',
	operation: 'read',
	functionSource: 'signature',
	contractAddress: '={{ $json.contract }}',
	abi: FUNCTION_SIGNATURE,
	argumentsMode: 'json',
	args: '={{ [$json.wallet] }}',
};

/** Parameters of this package's node as users write them. */
export const WALLET_PARAMETERS = {
	balance: { resource: 'balance', operation: 'native', userId: '={{ $json.userId }}' },
	read: READ,
	write: {
		...READ,
		operation: 'write',
		abi: TRANSFER_SIGNATURE,
		args: '={{ [$json.wallet, "1"] }}',
	},
	send: {
		resource: 'token',
		operation: 'send',
		token: { __rl: true, mode: 'address', value: '={{ $json.contract }}' },
		recipient: '={{ $json.wallet }}',
		amount: '0.000001',
	},
} as const;

/** This package's node. @param options - Parameters under *Options*. */
export function walletNode(
	call: keyof typeof WALLET_PARAMETERS,
	credential: string,
	options: object = {},
): MeasuredNode {
	return {
		type: 'n8n-nodes-wallet-service.walletService',
		typeVersion: 1,
		parameters: { ...WALLET_PARAMETERS[call], options },
		credentials: { walletServiceApi: { id: credential, name: credential } },
	};
}

/** n8n's HTTP Request node, configured for the same call. @param baseUrl - Base URL of the service. */
export function httpRequestNode(call: Call, baseUrl: string): MeasuredNode {
	const common = {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		credentials: { httpBearerAuth: { id: BEARER_CREDENTIAL, name: BEARER_CREDENTIAL } },
	};
	const authentication = {
		authentication: 'genericCredentialType',
		genericAuthType: 'httpBearerAuth',
	};
	if (call === 'balance') {
		const url = `=${baseUrl}/v1/users/{{ $json.userId }}/balance`;
		return { ...common, parameters: { ...authentication, url } };
	}
	return {
		...common,
		parameters: {
			...authentication,
			method: 'POST',
			url: `${baseUrl}/v1/contracts/method/read`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: `={{ { address: $json.contract, abi: '${FUNCTION_SIGNATURE}', args: [$json.wallet] } }}`,
		},
	};
}
