import type { IDataObject } from 'n8n-workflow';

import type { ScriptedAnswer } from './answers.mts';
import { failed, json } from './answers.mts';

export const ALICE = { id: 'DISCORD-1', address: `0x${'a1'.repeat(20)}` };
export const BOB = { id: 'GOOGLE-2', address: `0x${'b2'.repeat(20)}` };
/** The address of a user whom the service does not know. */
export const CAROL = `0x${'c3'.repeat(20)}`;
/** A token, and a contract that is not a token. */
export const TOKEN = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
export const CONTRACT = `0x${'0c'.repeat(20)}`;

export const READ = '/v1/contracts/method/read';
export const WRITE = '/v1/contracts/method/write';
const USER_PATH = /^\/v1\/users\/([^/]+)(?:\/(balance|history)(?:\/(.*))?)?$/;

/** A read or a write as the service receives it. */
export interface ContractCall {
	readonly address: string;
	readonly abi: string;
	readonly args: string[];
	readonly value?: string;
}

/** A token's answers about itself: `undefined` for a missing function; a number of 400 or more is an HTTP status. */
export interface TokenFacts {
	readonly decimals?: unknown;
	readonly symbol?: unknown;
	/** In base units; of every kind of item as well. */
	readonly totalSupply?: unknown;
	/** The answer if the symbol is read as 32 bytes. */
	readonly symbolInBytes?: unknown;
	/** What the contract answers to whether it is an ERC-721 token; `false` if it answers only the other question. */
	readonly isNft?: unknown;
	/** The same for ERC-1155. */
	readonly isItems?: unknown;
	/** Everyone's balance in base units, or an HTTP status. */
	readonly balance?: string | number;
}

/** A transfer, by default of 12.5 SUSD to Bob. */
export interface ListedTransfer {
	readonly hash: string;
	readonly second?: number;
	readonly hex?: string;
	readonly type?: string;
	/** Fields that replace the usual ones or extend the interface. */
	readonly said?: IDataObject;
}

/** An entry of a history. */
export const entryOf = (transfer: ListedTransfer): IDataObject => {
	const { hash, second = 0, hex = '0xbebc20', type = 'TRANSFER', said } = transfer;
	return {
		type,
		to: { username: 'Rahul', platform: 'GOOGLE', address: BOB.address },
		amount: {
			valueBn: { type: 'BigNumber', hex },
			formatted: 12.5,
			decimals: 6,
			symbol: 'SUSD',
			name: 'Sandbox Dollar',
			tokenAddress: TOKEN,
			network: 'SANDBOX',
			chainId: 1,
		},
		timestamp: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
		hash,
		explorerUrl: `http://127.0.0.1/tx/${hash}`,
		...said,
	};
};

/** Takes the next entry from a list; the last one remains. */
const next = <T,>(given: T[]): T | undefined => (given.length > 1 ? given.shift() : given[0]);

/** The answer to a read of a fact: its value, an error, or an HTTP status. */
const factOf = (fact: unknown): ScriptedAnswer => {
	if (fact === undefined) return failed('execution reverted');
	return typeof fact === 'number' && fact >= 400 ? json({}, fact) : valueOf(fact);
};

/** The answer to a read. */
export const valueOf = (response: unknown): ScriptedAnswer =>
	json({ status: 'SUCCESS', explorerUrl: 'http://127.0.0.1/contract', response });

/** The users, tokens, values and transfers that a service knows. */
export class ScriptedWorld {
	/** Profiles by user ID. */
	profiles: Record<string, unknown> = { [ALICE.id]: ALICE, [BOB.id]: BOB };

	/** The facts that every token reports. */
	facts: TokenFacts = { decimals: 6, symbol: 'SUSD', balance: '1000000000000' };

	/** Changes what every token reports about itself. */
	reports(facts: TokenFacts): void {
		this.facts = { ...this.facts, ...facts };
	}

	/** The values that a contract returns on successive reads, by arguments; the last one repeats. */
	values: Record<string, unknown[]> = {};

	/** The transfers that the history lists on successive checks; the last list repeats. */
	looks: ListedTransfer[][] = [];

	/** The arguments of each read of a value, in order. */
	readonly valuesRead: string[] = [];

	/** Saves the lists that answers use up; the returned function restores them. */
	snapshot(): () => void {
		const { values, looks } = this;
		const before = structuredClone({ values, looks });
		return () => Object.assign(this, structuredClone(before));
	}

	/** Answers anything but a write. */
	answerTo(path: string, body: string): ScriptedAnswer {
		if (path === READ) return this.#read(body);
		const [, user = '', what, address = ''] = USER_PATH.exec(path) ?? [];
		if (what === 'history') return json((next(this.looks) ?? []).map(entryOf));
		if (what === undefined) {
			const profile = this.profiles[decodeURIComponent(user)];
			return profile === undefined ? json({ error: 'no such user' }, 404) : json(profile);
		}
		const { balance } = this.facts;
		return typeof balance === 'number'
			? json({}, balance)
			: json({ [address.toLowerCase()]: { balance } });
	}

	#read(body: string): ScriptedAnswer {
		const { abi, args } = JSON.parse(body) as ContractCall;
		const { decimals, isNft, isItems, symbolInBytes, totalSupply } = this.facts;
		const symbol = abi.includes('(bytes32)') ? symbolInBytes : this.facts.symbol;
		// The interface IDs of ERC-721 and ERC-1155, as defined by ERC-165.
		const asked = body.includes('0x80ac58cd') ? isNft : isItems;
		const isErc165 = isNft !== undefined || isItems !== undefined;
		const supportsInterface = isErc165 ? (asked ?? false) : undefined;
		// Without one, `values` answer, as any other function's.
		const supply = totalSupply === undefined ? {} : { totalSupply };
		const facts: Record<string, unknown> = { decimals, supportsInterface, symbol, ...supply };
		const name = abi.replace(/\(.*/, '');
		if (name in facts) return factOf(facts[name]);
		const key = args.join();
		this.valuesRead.push(key);
		const given = this.values[key];
		return given === undefined ? failed('execution reverted') : valueOf(next(given));
	}
}
