import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { icon, methods } from './node-parts';
import { authentication } from './request/credential/active-credential';
import { resources } from './resources';
import { assembleProperties, customOperationsOf, subtitleOf } from './resources/description';
import { complete } from './resources/operation';

const completed = complete(resources);

export class WalletService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Service',
		name: 'walletService',
		icon,
		group: ['transform'],
		version: 1,
		subtitle: subtitleOf(completed),
		description:
			'Use blockchain wallets: look up users, check balances, list transfers, send tokens, and call smart contracts',
		defaults: { name: 'Wallet Service' },
		usableAsTool: true,
		// n8n's workflow builder reads this.
		builderHint: {
			searchHint:
				'Token: Send and Contract: Write move money, and every execution sends again: keep preview on until a person has reviewed the workflow, and leave Retry On Fail off. Amounts are exact text in whole tokens: to compare a balance, use compareWith and onlyWhere, not an If node on numbers. An empty userId means the user of the credential. The arguments of a contract call as one JSON list: args in options. A submitted write can still fail: add History: Find Transfer to check whether the transfer is listed.',
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'walletServiceApi',
				required: true,
				testedBy: 'testWalletServiceApi',
				displayOptions: { show: { authentication: ['accessToken'] } },
			},
			{
				name: 'walletServiceOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
		requestDefaults: { sendCredentialsOnCrossOriginRedirect: false },
		properties: [authentication, ...assembleProperties(completed)],
	};

	methods = methods;

	/** Runs the operations item by item; n8n's own routing would start all items at once. */
	customOperations = customOperationsOf(completed);
}
