import type { Log } from 'ethers';
import {
	AbiCoder,
	Contract,
	FunctionFragment,
	JsonRpcProvider,
	dataSlice,
	formatUnits,
	getAddress,
	id,
	zeroPadValue,
} from 'ethers';

/** A token transfer in the chain's log. */
interface ChainTransfer {
	hash: string;
	/** Checksummed. */
	to: string;
	/** Lower case. */
	tokenAddress: string;
	/** Base units, as a decimal string; 1 for an ERC-721 token. */
	value: string;
}

/** A token transfer as listed by History. */
export interface ListedTransfer {
	hash: string;
	toAddress: string;
	tokenAddress: string;
	/** Whole tokens, as a decimal string. */
	amount: string;
	direction: 'received' | 'sent';
}

const TRANSFER = id('Transfer(address,address,uint256)');
const TRANSFER_SINGLE = id('TransferSingle(address,address,address,uint256,uint256)');
const TRANSFER_BATCH = id('TransferBatch(address,address,address,uint256[],uint256[])');

function amountsOf({ topics, data }: Log): bigint[] {
	const [event] = topics;
	if (event === TRANSFER) return [topics.length === 4 ? 1n : BigInt(data)];
	const types = event === TRANSFER_SINGLE ? ['uint256', 'uint256'] : ['uint256[]', 'uint256[]'];
	const amounts: unknown = AbiCoder.defaultAbiCoder().decode(types, data).at(1);
	return [amounts].flat(1).map((amount) => BigInt(String(amount)));
}

function transfersIn(log: Log): ChainTransfer[] {
	// The first address of ERC-1155 events is the operator.
	const to = log.topics.at(log.topics[0] === TRANSFER ? 2 : 3) ?? '0x';
	return amountsOf(log).map((value) => ({
		hash: log.transactionHash,
		to: getAddress(dataSlice(to, 12)),
		tokenAddress: log.address.toLowerCase(),
		value: value.toString(),
	}));
}

/** Queries the chain directly, for comparison with the node's output. */
export class Chain extends JsonRpcProvider implements AsyncDisposable {
	/** @param rpcUrl - JSON-RPC endpoint of the chain. */
	constructor(rpcUrl: string) {
		super(rpcUrl, undefined, { staticNetwork: true, cacheTimeout: -1, batchStallTime: 0 });
	}

	/** Calls a read-only function, such as `function name() view returns (string)`. Returns its values, integers as bigint. */
	async read(contractAddress: string, signature: string, args: string[] = []): Promise<unknown[]> {
		const contract = new Contract(contractAddress, [signature], this);
		const call = contract.getFunction(FunctionFragment.from(signature));
		return (await call.staticCallResult(...args)).toArray();
	}

	/** An ERC-20 balance in base units. */
	async tokenBalance(contractAddress: string, wallet: string): Promise<bigint> {
		const signature = 'function balanceOf(address) view returns (uint256)';
		const [balance] = await this.read(contractAddress, signature, [wallet]);
		return BigInt(String(balance));
	}

	/** All ERC-20, ERC-721 and ERC-1155 transfers from or to a wallet, newest first. */
	async transfers(wallet: string): Promise<ChainTransfer[]> {
		const address = zeroPadValue(wallet, 32);
		const multi = [TRANSFER_SINGLE, TRANSFER_BATCH];
		const filters = [
			[TRANSFER, address],
			[TRANSFER, null, address],
			[multi, null, address],
			[multi, null, null, address],
		];
		const requests = filters.map((topics) => this.getLogs({ fromBlock: 0, topics }));
		const found = await Promise.all(requests);
		const unique = new Map(found.flat().map((log) => [`${log.blockNumber}/${log.index}`, log]));
		const newestFirst = [...unique.values()].sort(
			(a, b) => b.blockNumber - a.blockNumber || b.index - a.index,
		);
		return newestFirst.flatMap((log) => transfersIn(log).reverse());
	}

	/** Decimal places of a token; 0 for ERC-721 and ERC-1155. */
	async #decimals(contractAddress: string): Promise<number> {
		const signature = 'function decimals() view returns (uint8)';
		const [decimals] = await this.read(contractAddress, signature).catch(() => [0]);
		return Number(decimals);
	}

	/** The expected History of a wallet, newest first. */
	async history(wallet: string): Promise<ListedTransfer[]> {
		const transfers = await this.transfers(wallet);
		return await Promise.all(
			transfers.map(async ({ hash, to, tokenAddress, value }) => {
				const decimals = await this.#decimals(tokenAddress);
				const amount = formatUnits(value, decimals).replace(/\.0$/, '');
				const direction = to === getAddress(wallet) ? 'received' : 'sent';
				return { hash, toAddress: to, tokenAddress, amount, direction };
			}),
		);
	}

	/** The receipt and transfers of a mined transaction. */
	async transaction(hash: string) {
		const receipt = await this.getTransactionReceipt(hash);
		if (receipt === null) throw new Error(`The transaction ${hash} is in no block`);
		const events = [TRANSFER, TRANSFER_SINGLE, TRANSFER_BATCH];
		const logs = receipt.logs.filter(({ topics }) => events.includes(topics[0]));
		return { receipt, transfers: logs.flatMap(transfersIn) };
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.destroy();
	}
}
