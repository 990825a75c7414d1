/** What a person without code types into n8n's search of nodes, and the entry of the node's list that does it. */
export const PHRASES = [
	['send money', 'Send tokens'],
	['pay someone', 'Send tokens'],
	['make a payment', 'Send tokens'],
	['transfer money', 'Send tokens'],
	['send crypto', 'Send tokens'],
	['send USDC', 'Send tokens'],
	['stablecoin', 'Send tokens'],
	['payout', 'Send tokens'],
	['token transfer', 'Send tokens'],
	['check balance', 'Get token balance'],
	['wallet balance', 'Get token balance'],
	['account balance', 'Get token balance'],
	['USDC', 'Get token balance'],
	['ETH balance', 'Get native coin balance'],
	['crypto wallet', 'Get native coin balance'],
	['low balance alert', 'On balance crossed threshold'],
	['balance alert', 'On balance crossed threshold'],
	['payment received', 'On new transfer'],
	['incoming payment', 'On new transfer'],
	['deposit', 'On new transfer'],
	['transaction history', 'Get many token transfers'],
	['recent transactions', 'Get many token transfers'],
	['payment arrived', 'Find transfer in history'],
	['wallet address', 'Get user'],
	['smart contract', 'Read contract value'],
] as const;

/** Searches that mean other nodes. */
export const OTHER_SEARCHES = ['email', 'slack', 'schedule', 'database', 'google sheets'] as const;
