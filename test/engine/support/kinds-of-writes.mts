import type { IDataObject } from 'n8n-workflow';

import { storeCall } from './contract-calls.mts';
import { BOB, TOKEN } from './scripted-world.mts';

/** A different number on each evaluation, like `Date.now()` and `$now`. */
const RANDOM = 'String(1 + Math.floor(Math.random() * 90000))';
export const CHANGING = `={{ ${RANDOM} }}`;
/** A list of arguments with such a number. */
const CHANGING_ARGS = `={{ [${RANDOM}] }}`;

/** Parameters of Contract: Write with arguments in JSON. */
export const callOf = (
	abi: string,
	args: readonly unknown[],
	more: IDataObject = {},
): IDataObject => storeCall(TOKEN, { abi, args: JSON.stringify(args), ...more });

/** A transfer of tokens, to Bob by default, as parameters of Contract: Write. */
export const transferOf = (amount: unknown, to = BOB.address): IDataObject => ({
	resource: 'contract',
	functionSource: 'signature',
	operation: 'write',
	contractAddress: TOKEN,
	abi: 'transfer(address to, uint256 amount)',
	arguments: {
		mappingMode: 'defineBelow',
		value: { 'to (address)': to, 'amount (uint256)': amount },
	},
});

/** Parameters of Token: Send for 12.5 tokens to Bob, with overrides. */
export const sendOf = (changes: IDataObject = {}): IDataObject => ({
	resource: 'token',
	operation: 'send',
	token: TOKEN,
	recipient: BOB.id,
	amount: '12.5',
	...changes,
});

const pay = (amount: string): IDataObject =>
	callOf('pay() payable', [], { options: { nativeCoin: `${amount} wei` } });

const byAbi = (args: string): IDataObject => ({
	...storeCall(TOKEN, { args }),
	functionSource: 'contractAbi',
	abi: undefined,
	contractAbi: 'function store(uint256)',
	contractFunction: 'store(uint256)',
});

/** All kinds of writes, each with a call that remains the same and one that changes with each attempt. */
export const WRITES: Record<
	string,
	{ readonly same: IDataObject; readonly changing: IDataObject }
> = {
	'Contract: Write by a signature': {
		same: storeCall(TOKEN),
		changing: storeCall(TOKEN, { args: CHANGING_ARGS }),
	},
	'Contract: Write by an ABI': { same: byAbi('["1"]'), changing: byAbi(CHANGING_ARGS) },
	'Contract: Write with native coin': { same: pay('1'), changing: pay(CHANGING) },
	'Contract: Write to a user': {
		same: transferOf('5', BOB.id),
		changing: transferOf(CHANGING, BOB.id),
	},
	'Contract: Write in whole tokens': {
		same: transferOf('1.5 SUSD'),
		changing: transferOf(`${CHANGING}.5 SUSD`),
	},
	'Token: Send': { same: sendOf(), changing: sendOf({ amount: CHANGING }) },
	'Token: Send of an NFT': {
		same: sendOf({ tokenStandard: 'erc721', pieceId: '42' }),
		changing: sendOf({ tokenStandard: 'erc721', pieceId: CHANGING }),
	},
};
