import { MaxUint256 } from 'ethers';
import Type, { type Static } from 'typebox';
import { BigNumber } from './big-number.mts';
import { Address, AddressInput, TransactionHash, Url } from './text.mts';
import { Closed } from './closed.mts';

const call = {
	address: AddressInput('Address of the contract.'),
	abi: Type.String({
		minLength: 1,
		description:
			'Signature of the function to call, in the form that ethers accepts after the word "function"; names, modifiers and the word itself are optional.',
		examples: ['balanceOf(address) public view returns (uint256)'],
	}),
	args: Type.Optional(
		Type.Array(Type.String(), {
			description:
				'Arguments in order, each as a string; arrays and tuples as JSON text, tuples as array or object.',
		}),
	),
};

export const ReadRequest = Closed(call);

export const WriteRequest = Closed({
	...call,
	value: Type.Optional(
		Type.Refine(
			Type.String({
				pattern: '^\\d{1,78}$',
				description: 'Native coin to send along, in wei. The signature need not contain payable.',
			}),
			(text) => /^\d{1,78}$/.test(text) && BigInt(text) <= MaxUint256,
			() => 'must be an amount in wei: a decimal integer below 2^256',
		),
	),
});

export const Failed = Closed({
	status: Type.Literal('FAILED'),
	error: Type.String({ description: 'Reason for the refusal by the chain.' }),
});

const ReadSucceeded = Closed({
	status: Type.Literal('SUCCESS'),
	explorerUrl: Url('The contract in the block explorer.'),
	response: Type.Unknown({
		description:
			'Return value: integers of every width as BigNumber, also inside arrays; arrays and tuples as arrays; several return values as one array, none as an empty one.',
	}),
});

const SubmittedTransaction = Closed({
	hash: TransactionHash,
	type: Type.Integer({ description: 'EIP-2718 type.' }),
	chainId: Type.Integer(),
	nonce: Type.Integer(),
	from: Address('Wallet that signed.'),
	to: Address('Contract.'),
	data: Type.String({ pattern: '^0x([0-9a-f]{2})*$', description: 'Call data.' }),
	value: BigNumber,
	gasLimit: BigNumber,
	gasPrice: Type.Optional(BigNumber),
	maxFeePerGas: Type.Optional(BigNumber),
	maxPriorityFeePerGas: Type.Optional(BigNumber),
});

const submitted = {
	hash: TransactionHash,
	explorerUrl: Url('The transaction in the block explorer.'),
	tx: SubmittedTransaction,
	submittedAt: Type.Optional(
		Type.String({
			description:
				'When an earlier request with the same key submitted it, ISO 8601; only on a repeat.',
		}),
	),
};

export const WriteSucceeded = Closed({
	status: Type.Literal('SUCCESS'),
	...submitted,
});

export const WritePending = Closed({
	status: Type.Literal('PENDING', {
		description: 'The transaction is signed and stored; no endpoint has it yet. It will be sent.',
	}),
	...submitted,
});

export const ReadAnswer = Type.Union([ReadSucceeded, Failed]);
export const WriteAnswer = Type.Union([WriteSucceeded, WritePending, Failed]);

export type WriteRequest = Static<typeof WriteRequest>;
export type ReadAnswer = Static<typeof ReadAnswer>;
export type WriteAnswer = Static<typeof WriteAnswer>;
export type SubmittedTransaction = Static<typeof SubmittedTransaction>;
