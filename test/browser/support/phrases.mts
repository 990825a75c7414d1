/** Phrases typed into n8n's node search by people who do not code, grouped by the matching entry in the node's list. */
const BY_ENTRY = {
	'Send tokens': [
		...[
			'send money',
			'pay someone',
			'make a payment',
			'transfer money',
			'send crypto',
			'send USDC',
		],
		...['stablecoin', 'payout', 'token transfer', 'send tokens', 'refund', 'airdrop', 'invoice'],
		...['salary', 'reward', 'withdraw', 'metamask', 'discord', 'send eth'],
		...['send nft', 'send an nft', 'transfer nft', 'collectible', 'erc-721', 'erc-1155'],
	],
	'Get token balance': [
		...['check balance', 'wallet balance', 'account balance', 'USDC', 'polygon'],
	],
	'Get native coin balance': ['ETH balance', 'crypto wallet', 'fees', 'gas'],
	'On balance crossed threshold': ['low balance alert', 'balance alert'],
	'On new transfer': [
		...['payment received', 'incoming payment', 'deposit', 'incoming transfer', 'watch wallet'],
	],
	'Get many token transfers': [
		'transaction history',
		'recent transactions',
		'statement',
		'who paid me',
		'monthly total',
	],
	'Find transfer in history': [
		...['payment arrived', 'did my payment arrive', 'find transfer'],
		...['payment not arrived', 'why did my payment not arrive', 'payment missing'],
	],
	'Get transaction': [
		...['transaction status', 'transaction hash', 'payment status', 'confirm payment'],
		...['did my transaction succeed', 'payment failed'],
	],
	'Get user': ['wallet address'],
	'Read contract value': [
		...['smart contract', 'contract value', 'contract abi'],
		...['nft owner', 'who owns nft', 'allowance'],
	],
	'Submit contract transaction': ['approve token'],
};

export const PHRASES = Object.entries(BY_ENTRY).flatMap(([entry, phrases]) =>
	phrases.map((phrase) => [phrase, entry] as const),
);

/** Phrases that people use to search for other nodes. */
export const OTHER_SEARCHES = ['email', 'slack', 'schedule', 'database', 'google sheets'];
