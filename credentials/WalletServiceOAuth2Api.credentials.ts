import type { ICredentialType, INodeProperties, Icon } from 'n8n-workflow';

import { hidden, serviceFields } from '../nodes/WalletService/request/credential/service-fields';
import { spendingPolicyForm } from '../nodes/WalletService/writes/policy/policy-fields';

/** The parameters of the sign-in; n8n itself requests, stores and renews the tokens. */
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
		description: 'Where n8n gets access tokens and renews them',
	},
	{
		displayName: 'Client ID',
		name: 'clientId',
		type: 'string',
		default: '',
		required: true,
		description: 'The ID under which this n8n, or your application, is registered with the service',
	},
	{
		displayName: 'Client Secret',
		name: 'clientSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Leave empty for a public client, which has none',
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

	/** For the nodes of this package only, which check the spending limits. n8n before 2.25 ignores this. */
	restrictToSupportedNodes = true as const;

	properties: INodeProperties[] = [
		serviceFields.baseUrl,
		...signInFields,
		{
			...serviceFields.userId,
			description:
				'The user for nodes whose own User ID is empty. Leave empty for the user who signs in, if the service reports them in an ID token (scope openid).',
		},
		serviceFields.allowInsecureHttp,
		serviceFields.allowedHttpRequestDomains,
		...spendingPolicyForm,
	];
}
