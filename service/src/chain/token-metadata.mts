import { AbiCoder, getAddress, getBytes, id, ZeroAddress } from 'ethers';
import { RpcError } from '../rpc/client.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { Remembered } from './remembered.mts';

export interface TokenMetadata {
	/** Empty if the contract has none that can be read. */
	name: string;
	/** Empty if the contract has none that can be read. */
	symbol: string;
	/** 0 if the contract has none that can be read: amounts are then in base units. */
	decimals: number;
}

/** Anybody can deploy tokens, and some change their facts. */
const REMEMBERED = { count: 10_000, ms: 600_000 };

/** Limit of a call's gas: a contract may never end. */
const GAS = '0x989680';

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
	readonly #endpoints: Pick<Endpoints, 'call'>;
	readonly #known = new Remembered((address) => this.#readMetadata(address), REMEMBERED);

	constructor(endpoints: Pick<Endpoints, 'call'>) {
		this.#endpoints = endpoints;
	}

	/** @param address in any letter case */
	async metadata(address: string): Promise<TokenMetadata> {
		return await this.#known.get(getAddress(address));
	}

	/** Balance of `owner` in base units; undefined if `token` is not a contract with `balanceOf(address)`. */
	async balance(token: string, owner: string): Promise<bigint | undefined> {
		return toInteger(await this.#call(token, 'balanceOf(address)', owner));
	}

	async #readMetadata(address: string): Promise<TokenMetadata> {
		const [name, symbol, decimals] = await Promise.all([
			this.#call(address, 'name()'),
			this.#call(address, 'symbol()'),
			this.#call(address, 'decimals()'),
		]);
		const places = Number(toInteger(decimals) ?? 0n);
		return { name: toText(name), symbol: toText(symbol), decimals: places > 255 ? 0 : places };
	}

	/** The data that a function returns; '0x' if the contract lacks it. @throws Error if no endpoint answers */
	async #call(to: string, signature: string, address = ''): Promise<string> {
		const data = id(signature).slice(0, 10) + (address && address.slice(2).padStart(64, '0'));
		const ask = async (call: object) =>
			String(await this.#endpoints.call('eth_call', [{ gas: GAS, ...call }, 'latest']));
		try {
			return await ask({ to, data });
		} catch (error) {
			if (!(error instanceof RpcError)) throw error;
			// An endpoint that refuses every call says nothing about the contract.
			if (!error.isOfChain) await ask({ to: ZeroAddress });
			return '0x';
		}
	}
}
