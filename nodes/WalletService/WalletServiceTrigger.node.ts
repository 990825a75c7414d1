import type { INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { icon, methods } from './node-parts';
import { authentication } from './request/credential/active-credential';
import { triggerParameters } from './trigger/parameters';
import { poll } from './trigger/poll';

export class WalletServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Service Trigger',
		name: 'walletServiceTrigger',
		icon,
		group: ['trigger'],
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle:
			'={{ ({ newTransfer: "New transfer", balanceChanged: "Balance changed", balanceCrossedThreshold: "Balance crossed threshold", contractValue: "Contract value changed" })[$parameter["event"]] }}',
		// n8n shows it for the node as well, whose actions it lists together with the trigger's.
		description:
			'Check balances, send tokens, call contracts, or start a workflow when tokens arrive or leave, or when a balance or contract value changes',
		// n8n's workflow builder reads this.
		builderHint: {
			searchHint:
				'Polls the service and outputs an item when a wallet has a new transfer, a balance changes or crosses a threshold, or a contract value changes or begins to meet a condition. Amounts are exact text in whole tokens. An empty list of users means the user of the credential.',
		},
		defaults: { name: 'Wallet Service Trigger' },
		polling: true,
		inputs: [],
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
		properties: [authentication, ...triggerParameters],
	};

	methods = methods;

	poll = poll;
}
