/** A user at an identity provider. */
export interface UserRecord {
	provider: string;
	/** The user's identifier at the provider; may contain any character. */
	providerUserId: string;
	username: string;
	email: string;
	/** Initial native coin of the wallet, as a decimal string in whole coins. */
	funds: string;
}

/** The users of the sandbox, in the order of their wallets. The last user's wallet is empty until its first write. */
export const USER_RECORDS: UserRecord[] = [
	{
		provider: 'DISCORD',
		providerUserId: '80351110224678912',
		username: 'Nelly',
		email: 'nelly@users.example',
		funds: '100',
	},
	{
		provider: 'GOOGLE',
		providerUserId: '115842093764510827364',
		username: 'Rahul Sen',
		email: 'rahul@users.example',
		funds: '12.345678901234567891',
	},
	{
		provider: 'TWITTER',
		providerUserId: '2244994945',
		username: 'mika_dev',
		email: 'mika@users.example',
		funds: '3.5',
	},
	{
		provider: 'EPIC_GAMES',
		providerUserId: '4f0a6b1c9d2e4e7fa1b3c5d7e9f01234',
		username: 'StormRider',
		email: 'storm@users.example',
		funds: '0.75',
	},
	{
		provider: 'CHESS',
		providerUserId: 'anna/k b%2F@é',
		username: 'anna-k',
		email: 'anna@users.example',
		funds: '1',
	},
	{
		provider: 'DISCORD',
		providerUserId: '901234567890123456',
		username: 'newcomer',
		email: 'newcomer@users.example',
		funds: '0',
	},
];
