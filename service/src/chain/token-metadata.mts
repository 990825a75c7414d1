import { AbiCoder, getAddress, getBytes, id } from 'ethers';
import { ChainUnavailable, RequestRefused } from '../rpc/failures.mts';
import { bytes } from '../rpc/values.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Agreement } from '../rpc/outcomes.mts';
import { probed, probeOf } from './probe.mts';
import { Remembered } from './remembered.mts';

export interface TokenMetadata {
	/** Empty if the contract has none that can be read. */
	name: string;
	/** Empty if the contract has none that can be read. */
	symbol: string;
	/** 0 if the contract has none that can be read: amounts are then in base units. */
	decimals: number;
	/** Whether as many endpoints report what can be read as must agree. */
	isCertain: boolean;
}

/** Anybody can deploy tokens, and some change their facts. */
const REMEMBERED = { count: 10_000, ms: 600_000 };

/** Limit of a call's gas: a contract may never end. */
const GAS = '0x989680';

const DECIMALS = 'decimals()';

/** Maximum length of a name or symbol, in bytes. */
const MAX_TEXT = 256;

/** The first word of returned data; undefined if it is not made of words. */
function toInteger(data: string): bigint | undefined {
	return data.length % 64 === 2 && data !== '0x' ? BigInt(data.slice(0, 66)) : undefined;
}

/** Text in returned data, a string or, in old tokens, a bytes32. */
function toText(data: string): string {
	try {
		const isWord = data.length === 66;
		const bytes = isWord ? data : AbiCoder.defaultAbiCoder().decode(['bytes'], data, true)[0];
		const text = getBytes(bytes).subarray(0, MAX_TEXT);
		// As a part of a stream, it may end within a character.
		return new TextDecoder().decode(text, { stream: true }).replaceAll('\0', '');
	} catch {
		return '';
	}
}

/** Reads token contracts. Name, symbol and decimals hardly ever change and are remembered for a while. */
export class TokenReader {
	readonly #endpoints: Pick<Endpoints, 'heard'>;
	readonly #known = new Remembered<TokenMetadata>(
		(address, doubt) => this.#readMetadata(address, doubt),
		REMEMBERED,
	);

	constructor(endpoints: Pick<Endpoints, 'heard'>) {
		this.#endpoints = endpoints;
	}

	/** @param address in any letter case */
	async metadata(address: string): Promise<TokenMetadata> {
		return await this.#known.get(getAddress(address));
	}

	/**
	 * Balance of `owner` in base units; undefined if `token` is not a contract with `balanceOf(address)`.
	 *
	 * @throws ChainUnavailable also if too few endpoints say that it is not
	 */
	async balance(token: string, owner: string): Promise<bigint | undefined> {
		const heard = await this.#hear(token, 'balanceOf(address)', owner);
		const balance = heard.refusal ? undefined : toInteger(heard.answer);
		if (balance !== undefined || heard.isCertain) return balance;
		throw new ChainUnavailable(`Too few endpoints report whether ${token} is a token`);
	}

	/** @param doubt is called if it is not certain */
	async #readMetadata(address: string, doubt: () => void): Promise<TokenMetadata> {
		let isCertain = true;
		const doubts = {
			soon: doubt,
			byFew() {
				isCertain = false;
				doubt();
			},
		};
		const [name, symbol, decimals] = await Promise.all([
			this.#text(address, 'name()', doubts),
			this.#text(address, 'symbol()', doubts),
			this.#decimals(address, doubts.byFew),
		]);
		return { name, symbol, decimals: decimals > 255n ? 0 : Number(decimals), isCertain };
	}

	/**
	 * Empty if the endpoints refuse to answer: nothing is decided by it, and a stranger's contract may burn all gas. They may
	 * answer a moment later.
	 *
	 * @param doubts.soon is called if it is to be read again soon
	 */
	async #text(
		address: string,
		signature: string,
		doubts: { soon(): void; byFew(): void },
	): Promise<string> {
		const data = this.#call(address, signature, doubts.byFew).catch((error: unknown) => {
			if (!(error instanceof RequestRefused)) throw error;
			doubts.soon();
			return '0x';
		});
		return toText(await data);
	}

	/** 0 only if the contract says so, or has none. A stranger's contract may burn all gas, which its own data must prove. */
	async #decimals(address: string, doubt: () => void): Promise<bigint> {
		try {
			return toInteger(await this.#call(address, DECIMALS, doubt)) ?? 0n;
		} catch (error) {
			if (!(error instanceof RequestRefused)) throw error;
			const call = { gas: GAS, data: probeOf(address, id(DECIMALS).slice(0, 10)) };
			const heard = await this.#endpoints.heard(bytes, 'eth_call', [call, 'latest']);
			if (heard.refusal) throw heard.refusal;
			if (!heard.isCertain) doubt();
			const answer = probed(heard.answer);
			if (!answer) throw error;
			return answer.isDone && answer.size % 32n === 0n && answer.size > 0n ? answer.word : 0n;
		}
	}

	/** What the endpoints agree that a function returns. @throws ChainUnavailable */
	async #hear(to: string, signature: string, argument = ''): Promise<Agreement<string>> {
		const data = id(signature).slice(0, 10) + (argument && argument.slice(2).padStart(64, '0'));
		return await this.#endpoints.heard(bytes, 'eth_call', [{ gas: GAS, to, data }, 'latest']);
	}

	/** The data that a function returns; '0x' if the contract lacks it. @throws ChainUnavailable */
	async #call(to: string, signature: string, doubt: () => void): Promise<string> {
		const heard = await this.#hear(to, signature);
		if (!heard.isCertain) doubt();
		return heard.refusal ? '0x' : heard.answer;
	}
}
