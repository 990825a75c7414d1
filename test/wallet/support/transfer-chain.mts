/** A development chain on which any transfer can be logged, of every standard, without its tokens. */
import {
	AbiCoder,
	Interface,
	id,
	JsonRpcProvider,
	toBeHex,
	toQuantity,
	zeroPadValue,
} from 'ethers';
import { compileContracts } from '../../../sandbox/src/deployment/compile.mts';
import { startNetwork } from '../../../tools/wallet/network.mts';
import { inTests, useResources } from '../../support/resources.mts';
import { NEVER } from './orders.mts';

const TRANSFER = id('Transfer(address,address,uint256)');
const SINGLE = id('TransferSingle(address,address,address,uint256,uint256)');
const BATCH = id('TransferBatch(address,address,address,uint256[],uint256[])');

/** The contract that logs. */
export const LOGGER = toBeHex(0x106, 20);

/** A transfer to log. Several amounts make an ERC-1155 batch; without an amount, it is an NFT. */
export interface Logged {
	from: string;
	to: string;
	amounts: readonly bigint[];
	standard?: 20 | 721 | 1155;
	/** The contract that logs it. */
	token?: string;
}

const hostile = new Interface([
	'function log(bytes32[] topics, bytes data)',
	'function setAnswer(bytes4 selector, bytes data)',
]);

/** The topics and the data of a transfer's log. */
export function logOf({ from, to, amounts, standard = 20 }: Logged): [string[], string] {
	const coder = AbiCoder.defaultAbiCoder();
	const [sender, recipient] = [zeroPadValue(from, 32), zeroPadValue(to, 32)];
	const [amount = 0n] = amounts;
	const ids = amounts.map((_amount, index) => index);
	const log = (topics: string[], data: string): [string[], string] => [topics, data];
	if (standard === 20) return log([TRANSFER, sender, recipient], toBeHex(amount, 32));
	if (standard === 721) return log([TRANSFER, sender, recipient, toBeHex(7, 32)], '0x');
	return amounts.length === 1
		? log([SINGLE, sender, sender, recipient], coder.encode(['uint256', 'uint256'], [7, amount]))
		: log(
				[BATCH, sender, sender, recipient],
				coder.encode(['uint256[]', 'uint256[]'], [ids, amounts]),
			);
}

/** A development chain whose blocks the tests make. */
export class TransferChain {
	readonly provider: JsonRpcProvider;
	/** The account that logs. */
	#account = '';

	constructor(rpcUrl: string) {
		this.provider = new JsonRpcProvider(rpcUrl, undefined, { cacheTimeout: -1 });
	}

	async prepare(): Promise<void> {
		const { Hostile } = await compileContracts();
		const code = await this.provider.call({ data: Hostile?.bytecode });
		await this.provider.send('anvil_setCode', [LOGGER, code]);
		const [account] = await this.provider.send('eth_accounts', []);
		this.#account = account;
		await this.provider.send('evm_setAutomine', [false]);
	}

	/** Sends a transaction that logs a transfer. @param sender of the transaction, a development account by default */
	async log(transfer: Logged, sender = this.#account): Promise<string> {
		const transaction = { ...this.#requestOf(transfer), from: sender };
		if (sender !== this.#account) await this.provider.send('anvil_impersonateAccount', [sender]);
		return await this.provider.send('eth_sendTransaction', [transaction]);
	}

	/** Deploys a token with decimals. */
	async deploy(token: string, decimals: number): Promise<void> {
		await this.provider.send('anvil_setCode', [token, await this.provider.getCode(LOGGER)]);
		const selector = id('decimals()').slice(0, 10);
		const data = hostile.encodeFunctionData('setAnswer', [selector, toBeHex(decimals, 32)]);
		await this.provider.send('eth_sendTransaction', [{ to: token, data, from: this.#account }]);
		await this.mine();
	}

	/** Logs transfers in as many transactions, all at the same time. */
	async logAll(transfers: readonly Logged[]): Promise<void> {
		const first = await this.provider.getTransactionCount(this.#account, 'pending');
		const send = async (transfer: Logged, place: number): Promise<void> => {
			const nonce = toQuantity(first + place);
			const transaction = { ...this.#requestOf(transfer), from: this.#account, nonce };
			await this.provider.send('eth_sendTransaction', [transaction]);
		};
		await Promise.all(transfers.map(send));
	}

	async mine(blocks = 1): Promise<void> {
		await this.provider.send('anvil_mine', [toQuantity(blocks)]);
	}

	/** Undoes blocks, and makes as many others. @param transfers those in the first of them */
	async reorganise(blocks: number, transfers: readonly Logged[] = []): Promise<void> {
		const pairs = transfers.map((one) => [{ ...this.#requestOf(one), from: this.#account }, 0]);
		await this.provider.send('anvil_reorg', [blocks, pairs]);
	}

	#requestOf(transfer: Logged) {
		const data = hostile.encodeFunctionData('log', logOf(transfer));
		return { to: transfer.token ?? LOGGER, data, gas: '0x7a1200' };
	}
}

/** A chain for all tests of a file, which makes blocks when it is told to. */
export function useTransferChain(
	begin?: (chain: TransferChain) => Promise<void>,
): () => { rpcUrl: string; chain: TransferChain } {
	const resources = useResources();
	return inTests(beforeAll, async () => {
		const { rpcUrl } = await resources.use(startNetwork(NEVER));
		const chain = new TransferChain(rpcUrl);
		await resources.use({ [Symbol.asyncDispose]: async () => chain.provider.destroy() });
		await chain.prepare();
		await begin?.(chain);
		return { rpcUrl, chain };
	});
}
