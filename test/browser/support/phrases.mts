/** What a person without code types into n8n's search of nodes, and the entry of the node's list that does it. */
export const PHRASES = [
	['send money', 'Send tokens to a user or address'],
	['pay someone', 'Send tokens to a user or address'],
	['make a payment', 'Send tokens to a user or address'],
	['transfer money', 'Send tokens to a user or address'],
	['send crypto', 'Send tokens to a user or address'],
	['send USDC', 'Send tokens to a user or address'],
	['stablecoin', 'Send tokens to a user or address'],
	['payout', 'Send tokens to a user or address'],
	['token transfer', 'Send tokens to a user or address'],
	['check balance', 'Get the token balance of a user'],
	['wallet balance', 'Get the token balance of a user'],
	['account balance', 'Get the token balance of a user'],
	['USDC', 'Get the token balance of a user'],
	['ETH balance', 'Get the native coin balance of a user'],
	['crypto wallet', 'Get the native coin balance of a user'],
	['low balance alert', 'On balance crossed threshold'],
	['balance alert', 'On balance crossed threshold'],
	['payment received', 'On new transfer'],
	['incoming payment', 'On new transfer'],
	['deposit', 'On new transfer'],
	['transaction history', 'Get many token transfers of a user'],
	['recent transactions', 'Get many token transfers of a user'],
	['payment arrived', 'Find a transfer'],
	['wallet address', 'Get a user and their wallet'],
	['smart contract', 'Read a value from a contract'],
] as const;

/** Searches that mean other nodes. */
export const OTHER_SEARCHES = ['email', 'slack', 'schedule', 'database', 'google sheets'] as const;
