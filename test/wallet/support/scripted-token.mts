/** Tokens of a scripted chain. */
import { AbiCoder, dataSlice, id, toBeHex } from 'ethers';
import type { ScriptedChain } from './scripted-chain.mts';
import { addressIn, TRANSFER_EVENT } from './scripted-transfer.mts';

export interface ScriptedToken {
	address: string;
	decimals: number;
	symbol: string;
	/** What owners have at the beginning, in base units, by address. */
	minted: Record<string, bigint>;
}

const selectorOf = (signature: string): string => id(signature).slice(0, 10);

/** What an owner has of a token, by its logs up to a block. */
export function tokenBalanceAt(
	chain: ScriptedChain,
	{ address, minted }: ScriptedToken,
	owner: string,
	head = chain.head,
): bigint {
	const holder = owner.toLowerCase();
	const first = Object.entries(minted).find(([one]) => one.toLowerCase() === holder)?.[1] ?? 0n;
	let balance = first;
	for (const { one } of chain.history(head)) {
		for (const { address: token, topics, data } of one.logs) {
			const [event, from = '', to = ''] = topics;
			if (token !== address.toLowerCase() || event !== TRANSFER_EVENT) continue;
			if (addressIn(from) === holder) balance -= BigInt(data);
			if (addressIn(to) === holder) balance += BigInt(data);
		}
	}
	return balance;
}

/** Deploys a token. */
export function deployToken(chain: ScriptedChain, token: ScriptedToken): void {
	const { address, decimals, symbol } = token;
	const text = AbiCoder.defaultAbiCoder().encode(['string'], [symbol]);
	const answer = (signature: string, returned: string) => {
		chain.answerCall(address, selectorOf(signature), () => returned);
	};
	answer('decimals()', toBeHex(decimals, 32));
	answer('symbol()', text);
	answer('name()', text);
	answer('transfer(address,uint256)', toBeHex(1, 32));
	chain.answerCall(address, selectorOf('balanceOf(address)'), (data, head, at) => {
		const owner = addressIn(dataSlice(data, 4, 36));
		return toBeHex(tokenBalanceAt(at, token, owner, head), 32);
	});
}
