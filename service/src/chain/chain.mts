import { blockIn, receiptIn, transactionIn } from '../rpc/blocks.mts';
import type { PlacedTransaction, Receipt } from '../rpc/blocks.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Network } from '../rpc/networks.mts';
import { bytes, index, quantity } from '../rpc/values.mts';

/** A call that changes nothing. */
export interface ReadCall {
	from?: string;
	to: string;
	data: string;
}

/** The chain of the service, for reading. What is decided about money is what the endpoints agree about. */
export interface Chain {
	chainId: number;
	/** Network name, lower case. */
	network: string;
	nativeSymbol: string;
	nativeName: string;
	/** Block explorer of the network; undefined if the service's own pages take its place. */
	explorer: string | undefined;
	/** Newest block that as many endpoints have as must agree. @throws ChainUnavailable */
	head(): Promise<number>;
	/** Native coin of an address, in wei. @throws ChainUnavailable */
	balance(address: string): Promise<bigint>;
	/** Number of transactions of an address. @throws ChainUnavailable */
	count(address: string): Promise<bigint>;
	/** The data that a call returns. @throws ContractRefusal, ChainUnavailable */
	call(call: ReadCall): Promise<string>;
	/** Whether there is a contract at an address. One that has been found stays. @throws ChainUnavailable */
	hasContract(address: string): Promise<boolean>;
	/** A transaction, as one endpoint shows it; undefined if none has it. @throws ChainUnavailable */
	transaction(hash: string): Promise<PlacedTransaction | undefined>;
	/** A receipt, as one endpoint shows it; undefined if none has it. @throws ChainUnavailable */
	receipt(hash: string): Promise<Receipt | undefined>;
	/** Time of the block with a hash, in seconds since 1970; undefined if no endpoint has it. @throws ChainUnavailable */
	timeOf(blockHash: string): Promise<number | undefined>;
}

export function chainAt(endpoints: Endpoints, network: Network): Chain {
	const contracts = new Set<string>();
	return {
		chainId: endpoints.identity.chainId,
		network: network.name,
		nativeSymbol: network.symbol,
		nativeName: network.coin,
		explorer: network.explorer,
		async head() {
			const { quorum } = endpoints;
			if (quorum === 1) return (await endpoints.newest()).block;
			const outcomes = await endpoints.outcomes(index, 'eth_blockNumber');
			const heads = outcomes.flatMap((outcome) => (outcome.refusal ? [] : outcome.answer));
			return heads.sort((a, b) => b - a)[quorum - 1] ?? Number(endpoints.sharedHead);
		},
		balance: async (address) =>
			await endpoints.agreed(quantity, 'eth_getBalance', [address, 'latest']),
		count: async (address) =>
			await endpoints.agreed(quantity, 'eth_getTransactionCount', [address, 'latest']),
		call: async (call) => await endpoints.agreed(bytes, 'eth_call', [call, 'latest']),
		async hasContract(address) {
			if (contracts.has(address)) return true;
			const hasCode = (await endpoints.agreed(bytes, 'eth_getCode', [address, 'latest'])) !== '0x';
			if (hasCode) contracts.add(address);
			return hasCode;
		},
		transaction: async (hash) =>
			await endpoints.seek(transactionIn, 'eth_getTransactionByHash', [hash]),
		receipt: async (hash) => await endpoints.seek(receiptIn, 'eth_getTransactionReceipt', [hash]),
		async timeOf(blockHash) {
			const params = [blockHash, false];
			return (await endpoints.seek(blockIn, 'eth_getBlockByHash', params))?.time;
		},
	};
}
