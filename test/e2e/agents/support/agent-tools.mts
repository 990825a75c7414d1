import type { SandboxContracts } from '../../../../sandbox/src/ready.mts';
import type { JsonObject } from '../../../../tools/files/json.mts';
import { contractCall } from '../../../support/n8n/workflow.mts';

/** The description of each parameter that the model fills in. */
export const TOLD = {
	user_id: 'ID of the user: provider, hyphen, ID there, for example DISCORD-100200300400500600',
	token: 'Address of the token contract',
	limit: 'How many transfers to list at most',
	account: 'Wallet address whose balance is wanted',
	recipient: 'Wallet address or user ID that gets the tokens',
	amount: 'Amount to send in base units, as text',
	wei: 'Amount of coin to pay, in wei',
	hash: 'Transaction hash: 0x and 64 hexadecimal digits',
	order: 'Number of the order',
	payer: 'User ID of the one who pays',
	whole_amount: 'In whole tokens, as text, such as 12.5',
	since: 'When it was sent, as ISO time',
};

/** An expression that lets the model fill in a parameter. */
const fromModel = (key: keyof typeof TOLD, type = 'string'): string =>
	`$fromAI('${key}', '${TOLD[key]}', '${type}')`;

const filled = (key: keyof typeof TOLD, type?: string): string => `={{ ${fromModel(key, type)} }}`;

/** Each operation as a tool, by the name of its node: the model fills in the identifying parameters. */
export function agentTools({ usd, shapes }: SandboxContracts): Record<string, JsonObject> {
	const userId = filled('user_id');
	const find = { resource: 'history', operation: 'find', userId };
	const payment = `={{ [${fromModel('recipient')}, ${fromModel('amount')}] }}`;
	const transfer = (contract: string) =>
		contractCall('write', contract, 'transfer(address to, uint256 amount)', payment);
	const store = 'store(uint256 value) returns (uint256 previous)';
	return {
		'Find User': { resource: 'user', operation: 'get', userId },
		'Coin Balance': { resource: 'balance', operation: 'native', userId },
		'Token Balance': { resource: 'balance', operation: 'token', userId, token: filled('token') },
		Transfers: { resource: 'history', operation: 'list', userId, limit: filled('limit', 'number') },
		'Find Transaction': { ...find, transactionHash: filled('hash') },
		'Find Payment': {
			...find,
			token: usd,
			recipient: filled('recipient'),
			amount: filled('whole_amount'),
			options: { findBy: 'content', submittedAt: filled('since') },
		},
		'Read Balance': {
			...contractCall('read', usd, 'balanceOf(address account) view returns (uint256)'),
			argumentsMode: undefined,
			arguments: { mappingMode: 'defineBelow', value: { 'account (address)': filled('account') } },
		},
		'Send Dollars': transfer(usd),
		'Pay Order': { ...transfer(usd), orderId: filled('order'), options: { maxTries: 1 } },
		'Pay From': {
			...transfer(usd),
			argumentsMode: undefined,
			args: undefined,
			options: { args: payment, sender: filled('payer') },
		},
		'Send Token': transfer(filled('token')),
		// Each evaluation makes a different call, as a deadline or nonce would.
		'Store Time': {
			...contractCall('write', shapes, store, '={{ [String(Date.now())] }}'),
			options: { maxTries: 1 },
		},
		'Pay Coin': {
			...contractCall('write', shapes, 'pay() payable returns (uint256 total)'),
			options: { nativeCoin: `${filled('wei')} wei` },
		},
	};
}
