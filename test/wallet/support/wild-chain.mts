/** A development chain whose blocks the proof makes: with reorganisations, evictions, fee storms, and endpoints that lag. */
import axios from 'axios';
import { JsonRpcProvider, parseEther, toQuantity, Wallet } from 'ethers';
import { LEDGER, LEDGER_CODE } from '../../../tools/wallet/network.mts';
import type { RpcRequest } from './endpoint.mts';

/** How each chain calls the method that makes its pool forget a transaction; the others have the same names. */
const DROP = { anvil: 'anvil_dropTransaction', hardhat: 'hardhat_dropTransaction' };

/** The chains that the proof knows. */
export type ChainKind = keyof typeof DROP;
export const CHAIN_KINDS = ['anvil', 'hardhat'] as const satisfies ChainKind[];

/** Blocks that can be undone: fewer than lie above a final one. */
export const MAX_UNDONE = 10;
/** Blocks by which one of the endpoints lags behind. */
export const LAG = 10;
const REVERTING_CODE = '0x60006000fd';
const refusal = { error: { code: -32000, message: 'transaction underpriced' } };

/** What becomes of a transaction that is sent: taken, refused, or taken although the endpoints deny it. */
export type Sending = 'answered' | 'refused' | 'denied';

export class WildChain {
	/** How often each event has happened. */
	readonly events = new Map<string, number>();
	readonly provider: JsonRpcProvider;
	/** The code of the ledger. */
	readonly code: string = LEDGER_CODE;
	readonly #rpcUrl: string;
	readonly #drop: string;
	/** Snapshots before the latest blocks. */
	#snapshots: unknown[] = [];
	#head = 0;
	#sending: Sending = 'answered';
	/** Whether the better endpoint answers nothing. */
	#isLeaderDown = false;

	constructor(rpcUrl: string, kind: ChainKind) {
		this.#rpcUrl = rpcUrl;
		this.#drop = DROP[kind];
		this.provider = new JsonRpcProvider(rpcUrl, undefined, { cacheTimeout: -1 });
	}

	count(event: string): void {
		this.events.set(event, (this.events.get(event) ?? 0) + 1);
	}

	async #send(method: string, ...params: unknown[]): Promise<unknown> {
		return await this.provider.send(method, params);
	}

	async prepare(wallets: readonly string[]): Promise<void> {
		await this.#send('evm_setAutomine', false);
		await this.#send('hardhat_setCode', LEDGER, this.code);
		const balance = toQuantity(parseEther('1000'));
		for (const wallet of wallets) await this.#send('hardhat_setBalance', wallet, balance);
		await this.mine();
	}

	async mine(): Promise<void> {
		this.#snapshots = [...this.#snapshots, await this.#send('evm_snapshot')].slice(-MAX_UNDONE);
		await this.#send('evm_mine');
		this.#head = await this.provider.getBlockNumber();
	}

	/** Undoes blocks, and makes others in their place, without their transactions. */
	async reorganise(blocks: number): Promise<void> {
		const snapshot = this.#snapshots.at(-blocks);
		if (snapshot === undefined) return;
		await this.#send('evm_revert', snapshot);
		// A snapshot holds only once.
		this.#snapshots = [];
		for (let block = 0; block <= blocks; block++) await this.mine();
		this.count('reorganisation');
	}

	/** The pool forgets a transaction. */
	async evict(hash: string): Promise<void> {
		// It may be in a block by now.
		await this.#send(this.#drop, hash).catch(() => undefined);
		this.count('eviction');
	}

	/** The base fee multiplies, and falls again with each block that is not full. */
	async storm(times: number): Promise<void> {
		const fee = (await this.provider.getBlock('latest'))?.baseFeePerGas ?? 1n;
		await this.#send('hardhat_setNextBlockBaseFeePerGas', toQuantity(fee * BigInt(times)));
		await this.mine();
		this.count('fee storm');
	}

	/** The ledger refuses what the next block has for it. */
	async revertBlock(): Promise<void> {
		await this.#send('hardhat_setCode', LEDGER, REVERTING_CODE);
		await this.mine();
		await this.#send('hardhat_setCode', LEDGER, this.code);
		this.#snapshots = [];
		this.count('block of reverts');
	}

	/** Another program signs with a wallet's key, at its next nonce. */
	async signElsewhere(key: string): Promise<void> {
		const wallet = new Wallet(key, this.provider);
		const nonce = await this.provider.getTransactionCount(wallet.address);
		const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n, gasLimit: 21_000n };
		await wallet.sendTransaction({ to: wallet.address, nonce, ...fees }).catch(() => undefined);
		this.count('second signer');
	}

	setSending(sending: Sending): void {
		this.#sending = sending;
		if (sending !== 'answered') this.count(`all ${sending}`);
	}

	setLeaderDown(isDown: boolean): void {
		this.#isLeaderDown = isDown;
		if (isDown) this.count('only the lagging endpoint');
	}

	/** How the better endpoint treats a request. */
	readonly leader = (request: RpcRequest): object | Promise<object> | undefined =>
		this.#isLeaderDown ? { id: -1 } : this.#misreport(request);

	/** How the lagging endpoint treats a request. */
	readonly laggard = (request: RpcRequest): object | Promise<object> | undefined => {
		const { method, params } = request;
		const seen = toQuantity(Math.max(0, this.#head - LAG));
		if (method === 'eth_blockNumber') {
			return { result: seen };
		}
		if (method === 'eth_getTransactionReceipt') return this.#oldReceipt(request, BigInt(seen));
		if (method === 'eth_estimateGas' || !params.includes('latest')) return this.#misreport(request);
		return this.pass({ ...request, params: params.map((one) => (one === 'latest' ? seen : one)) });
	};

	/** What an endpoint reports instead of the truth about a transaction that is sent. */
	#misreport(request: RpcRequest): object | Promise<object> | undefined {
		if (request.method === 'eth_sendRawTransaction' && this.#sending !== 'answered') {
			return this.#sending === 'refused' ? refusal : this.pass(request).then(() => refusal);
		}
		const isDenied = this.#sending === 'denied' && request.method === 'eth_getTransactionByHash';
		return isDenied ? { result: null } : undefined;
	}

	/** Asks the chain. */
	async pass({
		method,
		params,
	}: RpcRequest): Promise<{ result?: { blockNumber?: string } | null; error?: object }> {
		const request = { jsonrpc: '2.0', id: 1, method, params };
		const { result, error } = (await axios.post(this.#rpcUrl, request)).data;
		return error === undefined ? { result } : { error };
	}

	async #oldReceipt(request: RpcRequest, seen: bigint): Promise<object> {
		const { result } = await this.pass(request);
		return { result: BigInt(result?.blockNumber ?? 0) > seen ? null : result };
	}
}
