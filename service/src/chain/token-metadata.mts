import { AbiCoder, getAddress, getBytes, id, isCallException, type Provider } from 'ethers';
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
	readonly #provider: Provider;
	readonly #known = new Remembered((address) => this.#readMetadata(address), REMEMBERED);

	constructor(provider: Provider) {
		this.#provider = provider;
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

	/** The data that a function returns; '0x' if the contract lacks it. */
	async #call(to: string, signature: string, address = ''): Promise<string> {
		const data = id(signature).slice(0, 10) + (address && address.slice(2).padStart(64, '0'));
		try {
			return await this.#provider.call({ to, data });
		} catch (error) {
			if (isCallException(error)) return '0x';
			throw error;
		}
	}
}
