import type { SandboxContracts } from '../../../../sandbox/src/ready.mts';
import type { JsonObject } from '../../../../tools/files/json.mts';

/** The description of each parameter that the model fills in. */
export const TOLD = {
	user_id: 'ID of the user: provider, hyphen, ID there, for example DISCORD-100200300400500600',
	token: 'Address of the token contract',
	limit: 'How many transfers to list at most',
	account: 'Wallet address whose balance is wanted',
	recipient: 'Wallet address or user ID that gets the tokens',
	amount: 'Amount to send in base units, as text',
	wei: 'Amount of coin to pay, in wei',
};

/** An expression by which the model fills in a parameter. */
const fromModel = (key: keyof typeof TOLD, type = 'string'): string =>
	`$fromAI('${key}', '${TOLD[key]}', '${type}')`;

const filled = (key: keyof typeof TOLD, type?: string): string => `={{ ${fromModel(key, type)} }}`;

/** Each operation as a tool, by the name of its node: the model fills in the identifying parameters. */
export function agentTools({ usd, shapes }: SandboxContracts): Record<string, JsonObject> {
	const userId = filled('user_id');
	return {
		'Find User': { resource: 'user', operation: 'get', userId },
		'Coin Balance': { resource: 'balance', operation: 'native', userId },
		'Token Balance': {
			resource: 'balance',
			operation: 'token',
			userId,
			token: filled('token'),
		},
		Transfers: { resource: 'history', operation: 'list', userId, limit: filled('limit', 'number') },
		'Read Balance': {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'read',
			contractAddress: usd,
			abi: 'balanceOf(address account) view returns (uint256)',
			arguments: {
				mappingMode: 'defineBelow',
				value: { 'account (address)': filled('account') },
			},
		},
		'Send Dollars': {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			contractAddress: usd,
			abi: 'transfer(address to, uint256 amount)',
			argumentsMode: 'json',
			args: `={{ [${fromModel('recipient')}, ${fromModel('amount')}] }}`,
		},
		'Send Token': {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			contractAddress: filled('token'),
			abi: 'transfer(address to, uint256 amount)',
			argumentsMode: 'json',
			args: `={{ [${fromModel('recipient')}, ${fromModel('amount')}] }}`,
		},
		// A different call at each evaluation, like deadlines and nonces.
		'Store Time': {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			contractAddress: shapes,
			abi: 'store(uint256 value) returns (uint256 previous)',
			argumentsMode: 'json',
			args: '={{ [String(Date.now())] }}',
		},
		'Pay Coin': {
			resource: 'contract',
			functionSource: 'signature',
			operation: 'write',
			contractAddress: shapes,
			abi: 'pay() payable returns (uint256 total)',
			argumentsMode: 'json',
			args: '[]',
			options: { nativeCoin: `${filled('wei')} wei` },
		},
	};
}
