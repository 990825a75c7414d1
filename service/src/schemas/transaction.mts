import Type, { type Static } from 'typebox';
import { History } from './history.mts';
import { Closed } from './closed.mts';
import { Time, TransactionHash, Url } from './text.mts';

export const TransactionParams = Type.Object({
	hash: Type.String({
		pattern: '^0x[0-9a-fA-F]{64}$',
		description: 'Hash of any transaction; of a write, also one that a replacement overtook.',
	}),
});

export const TransactionAnswer = Closed({
	hash: TransactionHash,
	status: Type.Enum(['PENDING', 'SUCCESS', 'REVERTED', 'CANCELLED', 'FOREIGN'], {
		description:
			'PENDING: in no block, or it is not certain. CANCELLED: an empty transaction of the service took the place of the write. FOREIGN: a transaction that another program signed took it for good.',
	}),
	minedHash: Type.Optional(
		Type.String({
			pattern: '^0x[0-9a-f]{64}$',
			description: 'The transaction that is in a block; another one after a replacement.',
		}),
	),
	blockNumber: Type.Optional(Type.Integer()),
	confirmations: Type.Integer({ description: '0 in no block, 1 in the newest block.' }),
	final: Type.Boolean({ description: 'Whether no reorganisation changes it any more.' }),
	revertReason: Type.Optional(Type.String({ description: 'Only with REVERTED.' })),
	note: Type.Optional(
		Type.String({ description: 'Why it is open, or what is not certain, in a sentence.' }),
	),
	lastRefusal: Type.Optional(
		Type.String({
			description:
				"Only with PENDING, of the caller's writes: why all endpoints refuse the transaction, and which setting may help.",
		}),
	),
	submittedAt: Type.Optional(Time("Time of the submission; only of the caller's writes.")),
	minedAt: Type.Optional(Time('Time of the block; absent while too few endpoints report it.')),
	finalAt: Type.Optional(
		Time("When the service found it final; only of the caller's final writes."),
	),
	transfers: Type.Array(History.items, {
		description: 'Token transfers in the transaction, in order; at most 100.',
	}),
	intended: Type.Optional(
		Type.Array(History.items, {
			description:
				"Only with REVERTED, of the caller's writes: the token transfers that the call asked for, if it is one of a token; at most 100. None of them took place.",
		}),
	),
	explorerUrl: Url('The transaction in the block explorer.'),
});

export type TransactionAnswer = Static<typeof TransactionAnswer>;
