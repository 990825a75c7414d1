/** A wild chain that is recorded, with a ledger whose payments move a token, and revert for the reasons that they carry. */
import { AbiCoder, concat, id, Interface, parseEther, toBeHex, toQuantity, Wallet } from 'ethers';
import { LEDGER } from '../../../tools/wallet/network.mts';
import { Chronicle, type Included } from './chronicle.mts';
import { WildChain } from './wild-chain.mts';

/**
 * `pay(bytes32 id, bytes data)` adds 1 to the storage slot `id`, and logs a transfer of 1 token from the caller to the contract.
 * If slot 0 is 1, it reverts with `data` instead; if it is 2, it uses up its gas. Calldata of 32 bytes is stored in slot 0. A
 * function without arguments returns 18.
 */
const CODE =
	'0x3680602014605357600414605b5760005460665760043580546001019055670de0b6b3a764000060005230337fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60206000a3005b600035600055005b601260005260206000f35b600054600214607c576044358060646000376000fd5b607c56';
/** The fees decide about the order in a block. */
const HIGHEST_FEE = 10n ** 15n;
/** Rounds after which a service has seen a change. */
const ROUNDS = 8;
/** How blocks treat payments. */
const [CARRY_OUT, REVERT, BURN] = [0, 1, 2];
const ledger = new Interface(['function pay(bytes32 id, bytes data)']);
export const PAY = 'pay(bytes32,bytes)';

const errors = new Interface([
	'error Error(string reason)',
	'error Panic(uint256 code)',
	'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
	'error Unheard(uint256 of)',
]);
const unheard = errors.encodeErrorResult('Unheard', [5n]);
const encode = (type: string, value: unknown) => AbiCoder.defaultAbiCoder().encode([type], [value]);

/** The data of reverts, with the reasons in words. */
const REASONS = new Map([
	[
		concat([id('Error(string)').slice(0, 10), encode('string', 'Payments are paused')]),
		'Payments are paused',
	],
	[concat([id('Panic(uint256)').slice(0, 10), encode('uint256', 17)]), 'Panic due to OVERFLOW(17)'],
	[
		errors.encodeErrorResult('ERC20InsufficientBalance', [LEDGER, 1n, 2n]),
		`ERC20 insufficient balance: sender ${LEDGER}, balance 1, needed 2`,
	],
	[unheard, `The contract reverted with an unknown error: ${unheard}`],
	['0x', 'The contract reverted without a reason'],
]);
const REVERT_DATA = [...REASONS.keys()];

/** The arguments of a payment, of which each carries another reason. */
export const argumentsOf = (payload: string, number: number): [payload: string, data: string] => [
	payload,
	REVERT_DATA[number % REVERT_DATA.length] ?? '0x',
];

/** Why a payment in a block reverted, in words. */
export function reasonOf({ input, hasUsedAllGas }: Included): string {
	if (hasUsedAllGas) return 'The transaction ran out of gas';
	return REASONS.get(String(ledger.decodeFunctionData('pay', input)[1])) ?? '';
}

export class RecordedChain extends WildChain {
	override readonly code = CODE;
	/** When the service had compared its writes with the chain, in milliseconds since 1970. */
	readonly rounds: number[] = [];
	readonly chronicle = new Chronicle(this.provider);
	readonly #switches = [Wallet.createRandom(), Wallet.createRandom()];
	readonly #strangers = [Wallet.createRandom(), Wallet.createRandom(), Wallet.createRandom()];
	#blocksOfReverts = 0;

	/** The oldest time from which the service may still have what it reports, in milliseconds since 1970. */
	knownSince({ begun, ended }: { begun: number; ended: number }): number {
		const compared = this.rounds.filter((one) => one < begun).at(-ROUNDS) ?? -Infinity;
		// One of its endpoints may be the only one that answers.
		return Math.min(compared, this.chronicle.shownBehind(compared, ended));
	}

	override async prepare(wallets: readonly string[]): Promise<void> {
		const own = [...this.#switches, ...this.#strangers].map(({ address }) => address);
		await super.prepare([...wallets, ...own]);
		// Accounts of programs need more for their high fees.
		for (const address of own) {
			await this.provider.send('hardhat_setBalance', [address, toQuantity(parseEther('1000000'))]);
		}
	}

	override async mine(): Promise<void> {
		await this.chronicle.during(async () => await super.mine());
	}

	override async reorganise(blocks: number): Promise<void> {
		await this.chronicle.during(async () => await super.reorganise(blocks));
	}

	/** Other transactions of the block, before and after all payments, let these revert. */
	override async revertBlock(): Promise<void> {
		const [first, last] = this.#switches;
		this.#blocksOfReverts += 1;
		const how = this.#blocksOfReverts % 4 === 0 ? BURN : REVERT;
		const { baseFeePerGas } = (await this.provider.getBlock('latest')) ?? {};
		if (first) await this.#send(first, toBeHex(how, 32), HIGHEST_FEE);
		// Enough for the next block, and less than payments offer.
		if (last)
			await this.#send(last, toBeHex(CARRY_OUT, 32), ((baseFeePerGas ?? 1n) * 9n) / 8n + 1n);
		await this.mine();
		this.count('block of reverts');
	}

	/** Somebody who does not use the service pays. @returns the signed transaction */
	async payElsewhere(payload: string, number: number): Promise<string | undefined> {
		const stranger = this.#strangers[number % this.#strangers.length];
		const data = ledger.encodeFunctionData('pay', argumentsOf(payload, number));
		return stranger && (await this.#send(stranger, data, HIGHEST_FEE / 10n));
	}

	async #send(
		wallet: Wallet | ReturnType<typeof Wallet.createRandom>,
		data: string,
		maxFeePerGas: bigint,
	): Promise<string> {
		const raw = await wallet.signTransaction({
			type: 2,
			chainId: 31_337,
			to: LEDGER,
			data,
			gasLimit: 150_000n,
			maxFeePerGas,
			maxPriorityFeePerGas: 1n,
			nonce: await this.provider.getTransactionCount(wallet.address),
		});
		await this.provider.send('eth_sendRawTransaction', [raw]).catch(() => undefined);
		return raw;
	}
}
