import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import {
	networkOf,
	readAccessToken,
	serviceFields,
} from '../nodes/WalletService/request/credential/service-fields';
import { baseUrlOf } from '../nodes/WalletService/request/credential/base-url';
import { InvalidInputError } from '../nodes/WalletService/values/invalid-input';
import { connection } from '../nodes/WalletService/request/http/options';
import { spendingPolicyForm } from '../nodes/WalletService/writes/policy/policy-fields';

/**
 * Adds the bearer token, base URL and network settings of the credential to a request. A request with its own address is
 * refused, so a token is only sent to its own service. This is a function, because n8n expressions take longer per request.
 *
 * @throws InvalidInputError if the base URL or token is invalid, or the request has its own address; an error with
 * status 401 if n8n is about to repeat the request.
 */
export async function addBearerToken(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	// n8n's HTTP Request node uses `uri` instead of `url`.
	const path: unknown = request.url;
	if (typeof path !== 'string' || !path.startsWith('/')) {
		throw new InvalidInputError({
			message: 'This credential is for the Wallet Service nodes only',
			hint: 'Use a Wallet Service node: other nodes could send the token anywhere and ignore the spending limits',
		});
	}
	// After a 401 that it cannot read, n8n repeats a request, even a write. No request option of n8n 2.38 prevents this.
	if (request.headers?.Authorization !== undefined) {
		throw Object.assign(new Error('The service answered with an unreadable HTTP 401 response'), {
			response: { status: 401 },
		});
	}
	Object.assign(request, { baseURL: baseUrlOf(credentials) }, networkOf(credentials));
	request.headers = {
		...request.headers,
		Authorization: `Bearer ${readAccessToken(credentials.accessToken)}`,
	};
	return request;
}

export class WalletServiceApi implements ICredentialType {
	name = 'walletServiceApi';

	displayName = 'Wallet Service API';

	icon: Icon = {
		light: 'file:../icons/wallet-service.svg',
		dark: 'file:../icons/wallet-service.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-wallet-service/n8n-nodes-wallet-service/blob/main/docs/resources/credentials.md';

	/** Only the nodes of this package check the spending limits. */
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		serviceFields.baseUrl,
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description:
				'A user access token of the service. It acts for one user and usually expires within a day.',
		},
		serviceFields.userId,
		...spendingPolicyForm,
		connection,
		serviceFields.allowInsecureHttp,
		serviceFields.proxy,
		serviceFields.ignoreSSLIssues,
		serviceFields.allowedHttpRequestDomains,
	];

	authenticate: IAuthenticate = addBearerToken;
}
