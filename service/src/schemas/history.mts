import Type, { type Static } from 'typebox';
import { BigNumber } from './big-number.mts';
import { Address, Time, TransactionHash, Url } from './text.mts';
import { Closed } from './closed.mts';

const Party = Closed({
	username: Type.String({
		description: 'Display name of the user that the address belongs to, otherwise the address.',
	}),
	platform: Type.String({
		pattern: '^[A-Z][A-Z0-9_-]*$',
		description: "The user's identity provider; the network's name if no user has the address.",
	}),
	address: Address('Wallet address, checksummed.'),
});

const Amount = Closed({
	valueBn: BigNumber,
	formatted: Type.Number({
		description: 'Amount in whole tokens, with the limited precision of a JSON number.',
	}),
	decimals: Type.Integer({ description: '0 for ERC-721 and ERC-1155, which count pieces.' }),
	symbol: Type.String({ description: 'Empty if the contract has none, as with ERC-1155.' }),
	name: Type.String({ description: 'Empty if the contract has none, as with ERC-1155.' }),
	tokenAddress: Type.String({
		pattern: '^0x[0-9a-f]{40}$',
		description: 'Token contract address, lower case.',
	}),
	network: Type.String({ pattern: '^[A-Z0-9-]+$', description: 'Network name, upper case.' }),
	chainId: Type.Integer(),
});

const HistoryEntry = Closed({
	type: Type.Literal('TRANSFER'),
	from: Party,
	to: Party,
	amount: Amount,
	timestamp: Time('Time of the block that holds the transaction.'),
	hash: TransactionHash,
	explorerUrl: Url('The transaction in the block explorer.'),
});

const MAX_ENTRIES = 1_000;

export const HistoryQuery = Type.Object({
	limit: Type.Optional(
		Type.Refine(
			Type.String({
				pattern: '^[1-9]\\d{0,3}$',
				description: `Maximum number of entries, 1 to ${MAX_ENTRIES}; 100 by default.`,
			}),
			(text) => Number(text) <= MAX_ENTRIES,
			() => `must be an integer from 1 to ${MAX_ENTRIES}`,
		),
	),
	before: Type.Optional(
		Type.String({
			pattern: '^\\d{1,9}(?:-\\d{1,9}){2,3}$',
			description:
				'Only older entries than those of an earlier answer, whose header `Link` contains the URL of the next page, with this parameter, as `rel="next"`. Without it there are no older ones, and the header contains that of the first page.',
		}),
	),
});

export type HistoryQuery = Static<typeof HistoryQuery>;

export const History = Type.Array(HistoryEntry, {
	description:
		'The most recent transfers from or to the wallet, newest first. A transfer of several ERC-1155 items at once makes one entry for each.',
});

export type HistoryEntry = Static<typeof HistoryEntry>;
