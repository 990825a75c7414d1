import { agreedIfKnown, type Agreed } from '../rpc/agreed-if-known.mts';
import { blockIn, MOST_TIME, transactionIn } from '../rpc/blocks.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import type { Network } from '../rpc/networks.mts';
import { address, bytes, index, quantity } from '../rpc/values.mts';
import { effectsOf, type ReceiptEffects } from './receipt-effects.mts';

/** A call that changes nothing. */
export interface ReadCall {
	from?: string;
	to: string;
	data: string;
}

/** What a transaction asks for. */
export interface TransactionContent {
	/** Lower case. */
	from: string;
	/** Lower case; null if it creates a contract. */
	to: string | null;
	/** In wei. */
	value: bigint;
	nonce: number;
	data: string;
}

/** The transaction with a hash in an answer; undefined for any other. @throws EndpointFailure if it cannot be read */
const contentIn =
	(hash: string) =>
	(value: unknown): TransactionContent | undefined => {
		const found = transactionIn(value);
		if (found?.hash !== hash) return undefined;
		const { from, nonce, answer } = found;
		return {
			from,
			nonce,
			value: quantity(answer.value),
			to: (answer.to ?? null) === null ? null : address(answer.to),
			data: bytes(answer.input ?? answer.data),
		};
	};

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
	/** A transaction, and whether it is certain; undefined if no endpoint has it. @throws ChainUnavailable */
	transaction(hash: string): Promise<Agreed<TransactionContent> | undefined>;
	/** What the receipt of a transaction says; undefined if no endpoint has it. @throws ChainUnavailable */
	effects(hash: string): Promise<ReceiptEffects | undefined>;
	/** Time of the block with a hash, in seconds since 1970, and whether it is certain. @throws ChainUnavailable, also if no endpoint has it */
	timeOf(blockHash: string): Promise<Agreed<number>>;
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
		balance: async (owner) => await endpoints.agreed(quantity, 'eth_getBalance', [owner, 'latest']),
		count: async (owner) =>
			await endpoints.agreed(quantity, 'eth_getTransactionCount', [owner, 'latest']),
		call: async (call) => await endpoints.agreed(bytes, 'eth_call', [call, 'latest']),
		async hasContract(place) {
			if (contracts.has(place)) return true;
			const heard = await endpoints.heard(bytes, 'eth_getCode', [place, 'latest']);
			const hasCode = !heard.refusal && heard.answer !== '0x';
			if (!hasCode && !heard.isCertain) {
				throw new ChainUnavailable(`Too few endpoints report whether ${place} is a contract`);
			}
			if (hasCode && heard.isCertain) contracts.add(place);
			return hasCode;
		},
		async transaction(hash) {
			let answering = 0;
			const read = (value: unknown) => {
				const content = contentIn(hash)(value);
				answering += 1;
				return content;
			};
			const found = await agreedIfKnown(endpoints, read, 'eth_getTransactionByHash', [hash]);
			if (found || answering >= endpoints.quorum) return found;
			throw new ChainUnavailable(`Too few endpoints answer to know whether ${hash} exists`);
		},
		effects: async (hash) => await effectsOf(endpoints, hash),
		async timeOf(blockHash) {
			const readTime = (answer: unknown) => {
				const block = blockIn(answer);
				return block?.hash === blockHash ? block.time : undefined;
			};
			const params = [blockHash, false];
			const time = await agreedIfKnown(endpoints, readTime, 'eth_getBlockByHash', params);
			if (time !== undefined && time.answer <= MOST_TIME) return time;
			throw new ChainUnavailable(`No endpoint of the chain has the time of block ${blockHash}`);
		},
	};
}
