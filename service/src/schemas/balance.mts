import Type, { type Static } from 'typebox';
import { BigNumber } from './big-number.mts';
import { Address, AddressInput, DecimalInteger, UserIdParams } from './text.mts';
import { Closed } from './closed.mts';

const common = {
	balance: DecimalInteger('Amount in base units.'),
	balanceBn: BigNumber,
	formatted: Type.String({
		pattern: '^\\d+\\.\\d+$|^\\d+$',
		description: 'Amount in whole coins, exact.',
	}),
	symbol: Type.String(),
	name: Type.String(),
	network: Type.String({ pattern: '^[a-z0-9-]+$', description: 'Network name, lower case.' }),
	chainId: Type.Integer(),
};

const NativeBalance = Closed({
	...common,
	decimals: Type.Integer({ description: 'A number, unlike that of a token.' }),
	tokenAddress: Type.Null(),
});

const TokenBalance = Closed({
	...common,
	decimals: DecimalInteger('A string, unlike that of the native coin.'),
	tokenAddress: Address('The address exactly as the caller wrote it.'),
});

export const NativeBalanceAnswer = Type.Record(Type.String(), NativeBalance, {
	minProperties: 1,
	maxProperties: 1,
	description: 'One property, whose key is the symbol of the native coin.',
});

export const TokenBalanceAnswer = Type.Record(
	Type.String({ pattern: '^0x[0-9a-f]{40}$' }),
	TokenBalance,
	{
		minProperties: 1,
		maxProperties: 1,
		description: 'One property, whose key is the address of the token in lower case.',
	},
);

export const TokenBalanceParams = Type.Object({
	...UserIdParams.properties,
	tokenAddress: AddressInput('Address of the token contract.'),
});

export type NativeBalanceAnswer = Static<typeof NativeBalanceAnswer>;
export type TokenBalanceAnswer = Static<typeof TokenBalanceAnswer>;
