import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import { normalizeBaseUrl } from '../nodes/WalletService/request/base-url';
import { serviceFields } from '../nodes/WalletService/request/service-fields';
import { spendingPolicyFields } from '../nodes/WalletService/request/spending-policy-fields';

/**
 * Adds the bearer token to a request, and the base URL that is stored beside it: a token is only ever sent to its own
 * service. A plain function, so that it costs no n8n expression per request.
 *
 * @throws InvalidInput when the base URL is not acceptable.
 */
export async function addBearerToken(
	credentials: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
	request.baseURL = normalizeBaseUrl(credentials.baseUrl, credentials.allowInsecureHttp === true);
	request.headers = {
		...request.headers,
		Authorization: `Bearer ${String(credentials.accessToken).trim()}`,
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
		'https://github.com/n8n-nodes-wallet-service/n8n-nodes-wallet-service#the-credential-step-by-step';

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
				'The user access token of the service. It acts for one user and usually expires within a day.',
		},
		serviceFields.userId,
		serviceFields.allowInsecureHttp,
		...spendingPolicyFields,
	];

	authenticate: IAuthenticate = addBearerToken;
}
