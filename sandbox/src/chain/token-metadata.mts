import { Contract, getAddress, isError, type Provider } from 'ethers';

export interface TokenMetadata {
	/** Empty if the contract has none. */
	name: string;
	/** Empty if the contract has none. */
	symbol: string;
	/** 0 if the contract has none. */
	decimals: number;
}

const TOKEN_ABI = [
	'function name() view returns (string)',
	'function symbol() view returns (string)',
	'function decimals() view returns (uint8)',
	'function balanceOf(address) view returns (uint256)',
];

/** The result of a function that a contract may lack; `otherwise` if it is missing. */
async function optional<T>(answer: Promise<T>, otherwise: T): Promise<T> {
	try {
		return await answer;
	} catch (error) {
		if (isError(error, 'CALL_EXCEPTION') || isError(error, 'BAD_DATA')) return otherwise;
		throw error;
	}
}

/** Reads token contracts. Name, symbol and decimals never change and are read once per contract. */
export class TokenReader {
	readonly #provider: Provider;
	readonly #known = new Map<string, Promise<TokenMetadata>>();

	constructor(provider: Provider) {
		this.#provider = provider;
	}

	/** @param address in any letter case */
	metadata(address: string): Promise<TokenMetadata> {
		const key = getAddress(address);
		const known = this.#known.get(key);
		if (known) return known;
		const read = this.#readMetadata(key);
		this.#known.set(key, read);
		read.catch(() => this.#known.delete(key));
		return read;
	}

	/** Balance of `owner` in base units; undefined if `token` is not a contract with `balanceOf(address)`. */
	async balance(token: string, owner: string): Promise<bigint | undefined> {
		const contract = new Contract(token, TOKEN_ABI, this.#provider);
		const balance: unknown = await optional(contract.getFunction('balanceOf')(owner), undefined);
		return typeof balance === 'bigint' ? balance : undefined;
	}

	async #readMetadata(address: string): Promise<TokenMetadata> {
		const contract = new Contract(address, TOKEN_ABI, this.#provider);
		const [name, symbol, decimals] = await Promise.all([
			optional<unknown>(contract.getFunction('name')(), ''),
			optional<unknown>(contract.getFunction('symbol')(), ''),
			optional<unknown>(contract.getFunction('decimals')(), 0n),
		]);
		return { name: String(name), symbol: String(symbol), decimals: Number(decimals) };
	}
}
