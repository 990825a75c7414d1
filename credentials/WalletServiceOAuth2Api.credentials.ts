import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

import { hidden, serviceFields } from '../nodes/WalletService/request/credential/service-fields';
import { connection } from '../nodes/WalletService/request/http/options';
import { spendingPolicyForm } from '../nodes/WalletService/writes/policy/policy-fields';

/** Fields of the sign-in; n8n requests, stores and renews the tokens. */
const signInFields: INodeProperties[] = [
	hidden('Grant Type', 'grantType', 'pkce'),
	{
		displayName: 'Authorization URL',
		name: 'authUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://wallet.example.com/oauth/auth',
		description: 'Where users sign in and give consent',
	},
	{
		displayName: 'Access Token URL',
		name: 'accessTokenUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://wallet.example.com/oauth/token',
		description: 'Where n8n requests and renews access tokens',
	},
	{
		displayName: 'Client ID',
		name: 'clientId',
		type: 'string',
		default: '',
		required: true,
		description: 'The ID that the service assigned to this n8n instance or to your application',
	},
	{
		displayName: 'Client Secret',
		name: 'clientSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Leave empty for a public client',
	},
	{
		displayName: 'Scope',
		name: 'scope',
		type: 'string',
		default: 'openid email offline_access',
		description:
			'Permissions to request, separated by spaces. Without offline_access, the sign-in ends when its first access token expires.',
	},
	// A refresh token is only issued with consent (OpenID Connect Core 1.0, section 11).
	hidden('Auth URI Query Parameters', 'authQueryParameters', 'prompt=consent'),
	hidden('Authentication', 'authentication', 'header'),
];

export class WalletServiceOAuth2Api implements ICredentialType {
	name = 'walletServiceOAuth2Api';

	displayName = 'Wallet Service OAuth2 API';

	icon: Icon = {
		light: 'file:../icons/wallet-service.svg',
		dark: 'file:../icons/wallet-service.dark.svg',
	};

	documentationUrl =
		'https://github.com/n8n-nodes-wallet-service/n8n-nodes-wallet-service/blob/main/docs/oauth2.md';

	extends = ['oAuth2Api'];

	/** Only the nodes of this package check the spending limits. */
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		{
			...serviceFields.baseUrl,
			required: false,
			hint: 'Leave empty if the Access Token URL is this address followed by /oauth/token',
		},
		...signInFields,
		{
			...serviceFields.userId,
			description:
				'Used by nodes whose own User ID is empty. Leave empty for the signed-in user, if the service issues an ID token with the user ID (scope openid).',
		},
		...spendingPolicyForm,
		connection,
		serviceFields.allowInsecureHttp,
		serviceFields.proxy,
		serviceFields.ignoreSSLIssues,
		serviceFields.allowedHttpRequestDomains,
	];
}
