/** An EVM chain in this process: the test makes its blocks, and every answer follows from them. */
import { computeAddress, keccak256, SigningKey, toUtf8Bytes, Transaction } from 'ethers';
import type { TransactionLike } from 'ethers';
import { feeOf, Refusal, senderOf, signedBy, tipOf } from './scripted-block.mts';
import type { Included, Placed } from './scripted-block.mts';
import type { ScriptedBlock, ScriptedCall, ScriptedLog } from './scripted-block.mts';
import { transferLogs } from './scripted-transfer.mts';

/** What a function of a contract returns. @param head newest block whose state counts */
export type ContractAnswer = (data: string, head: number, chain: ScriptedChain) => string;

const NO_HASH = `0x${'0'.repeat(64)}`;
const FUNDS = 10n ** 21n;
/** Gas of a transaction without data. */
const PLAIN_GAS = 21_000n;

export class ScriptedChain {
	readonly chainId: number;
	/** The blocks of the chain as it is, by number. */
	readonly blocks: ScriptedBlock[] = [];
	/** Transactions that wait for a block, by hash. */
	readonly pool = new Map<string, Transaction>();
	/** Every transaction that any endpoint was ever sent, by hash. */
	readonly received = new Map<string, Transaction>();
	/** What contracts answer, by address and selector. */
	readonly #answers = new Map<string, ContractAnswer>();
	readonly #contracts = new Set<string>();
	readonly #funds = new Map<string, bigint>();
	/** Number of blocks by which the tag `finalized` lies below the newest block. */
	finalLag = 0;
	/** Base fee of the next blocks, and the usual tip, in wei. */
	baseFee = 1_000_000_000n;
	tip = 1_000_000_000n;
	/** Gas that a call with data uses. */
	gas = 50_000n;
	/** Whether logs are numbered in each transaction, as on some chains, or in the block. */
	numbersLogs: 'block' | 'transaction' = 'block';
	/** Transactions that no block takes. */
	isHeld: (transaction: Transaction) => boolean = () => false;
	/** The data with which a call reverts; undefined if it succeeds. */
	reverts: (call: ScriptedCall) => string | undefined = () => undefined;
	/** The logs of a call that succeeds. */
	logsOf: (call: ScriptedCall) => ScriptedLog[] = transferLogs;
	#branch: number;
	#timer: NodeJS.Timeout | undefined;

	/**
	 * @param options.blocks number of empty blocks at the beginning
	 * @param options.branch number of the chain among those with the same ID
	 */
	constructor({ chainId = 31_999, blocks = 40, branch = 0 } = {}) {
		this.chainId = chainId;
		this.#branch = branch;
		this.mine(blocks);
		for (const block of this.blocks) block.time -= 12 * (this.head - block.number);
	}

	/** A chain of its own that begins with the same blocks, pool and contracts. */
	copy(): ScriptedChain {
		const copy = new ScriptedChain({ chainId: this.chainId, blocks: 0, branch: this.#branch });
		copy.blocks.push(...this.blocks);
		for (const [address, wei] of this.#funds) copy.#funds.set(address, wei);
		for (const address of this.#contracts) copy.#contracts.add(address);
		for (const [place, answer] of this.#answers) copy.#answers.set(place, answer);
		for (const [hash, one] of this.pool) copy.pool.set(hash, one);
		for (const [hash, one] of this.received) copy.received.set(hash, one);
		return copy;
	}

	get head(): number {
		return this.blocks.length - 1;
	}

	/** Makes blocks; the first takes what the pool has. */
	mine(count = 1): void {
		for (let made = 0; made < count; made++) this.#append(this.#executable());
	}

	/** Makes a block every so many milliseconds until {@link stopMining}. */
	startMining(everyMs: number): void {
		this.stopMining();
		this.#timer = setInterval(() => this.mine(), everyMs);
	}

	stopMining(): void {
		clearInterval(this.#timer);
	}

	/** Undoes the newest blocks and makes one more, without their transactions, which return to the pool. */
	reorganise(count: number): void {
		const undone = this.blocks.splice(Math.max(1, this.blocks.length - count));
		this.#branch += 1;
		for (let made = 0; made <= undone.length; made++) this.#append([]);
		for (const { included } of undone) {
			for (const { hash, transaction } of included) this.pool.set(hash, transaction);
		}
	}

	/** The pool forgets a transaction. */
	evict(hash: string): void {
		this.pool.delete(hash);
	}

	/** Takes a signed transaction into the pool. @returns its hash @throws Refusal */
	send(raw: string): string {
		const transaction = Transaction.from(raw);
		const { hash, nonce, chainId } = transaction;
		const isOfChain = hash !== null && chainId === BigInt(this.chainId);
		if (!isOfChain) throw new Refusal(-32000, 'invalid sender');
		this.received.set(hash, transaction);
		if (this.pool.has(hash)) throw new Refusal(-32000, 'already known');
		const from = senderOf(transaction);
		if (nonce < this.countAt(from)) throw new Refusal(-32000, 'nonce too low');
		const cost = transaction.value + transaction.gasLimit * feeOf(transaction);
		if (cost > this.balanceAt(from)) throw new Refusal(-32000, 'insufficient funds');
		for (const [other, old] of this.pool) {
			if (senderOf(old) !== from || old.nonce !== nonce) continue;
			const isHigher = [feeOf, tipOf].every((fee) => fee(transaction) * 10n >= fee(old) * 11n);
			if (!isHigher) throw new Refusal(-32000, 'replacement transaction underpriced');
			this.pool.delete(other);
		}
		this.pool.set(hash, transaction);
		return hash;
	}

	/**
	 * Another program signs with a key, by default at its next nonce, and takes the place of what the pool has there.
	 *
	 * @returns the hash
	 */
	signElsewhere(key: string, fields: TransactionLike = {}): string {
		const signer = new SigningKey(key);
		const from = computeAddress(signer).toLowerCase();
		if (!this.#funds.has(from)) this.fund(from);
		const nonce = fields.nonce ?? this.countAt(from);
		for (const [hash, old] of this.pool) {
			if (senderOf(old) === from && old.nonce === nonce) this.pool.delete(hash);
		}
		return this.send(signedBy(signer, this, { nonce, ...fields }));
	}

	/** Gives an address native coin, in wei. */
	fund(address: string, wei = FUNDS): void {
		this.#funds.set(address.toLowerCase(), wei);
	}

	/** Deploys a contract, and sets what one of its functions returns. @param selector 4 bytes */
	answerCall(address: string, selector: string, answer: ContractAnswer): void {
		this.deploy(address);
		this.#answers.set(address.toLowerCase() + selector, answer);
	}

	/** Deploys a contract whose functions return nothing. */
	deploy(address: string): void {
		this.#contracts.add(address.toLowerCase());
	}

	codeAt(address: string): string {
		return this.#contracts.has(address.toLowerCase()) ? '0x6001600055' : '0x';
	}

	/** What a call returns. @throws Refusal if it reverts */
	call(call: ScriptedCall, head = this.head): string {
		const reverted = this.reverts(call);
		if (reverted !== undefined) throw new Refusal(3, 'execution reverted', reverted);
		const answer = this.#answers.get(call.to.toLowerCase() + call.data.slice(0, 10));
		return answer?.(call.data, head, this) ?? '0x';
	}

	/** The transactions of the chain up to a block. */
	history(head = this.head): Placed[] {
		return this.blocks.slice(0, head + 1).flatMap((block) => {
			return block.included.map((one, index) => ({ block, one, index }));
		});
	}

	/** A transaction of the chain; undefined if it is in no block. */
	find(hash: string, head = this.head): Placed | undefined {
		return this.history(head).find(({ one }) => one.hash === hash);
	}

	/** Number of an address's transactions in the chain up to a block. */
	countAt(address: string, head = this.head): number {
		const from = address.toLowerCase();
		return this.history(head).filter(({ one }) => one.from === from).length;
	}

	/** Native coin of an address, in wei. */
	balanceAt(address: string, head = this.head): bigint {
		const owner = address.toLowerCase();
		let balance = this.#funds.get(owner) ?? 0n;
		for (const { one } of this.history(head)) {
			const moved = one.status === 1 ? one.transaction.value : 0n;
			if (one.from === owner) balance -= moved + one.gasUsed * one.price;
			if (one.transaction.to?.toLowerCase() === owner) balance += moved;
		}
		return balance;
	}

	/** What the next block takes: of each sender the lowest nonces without a gap. */
	#executable(): Transaction[] {
		const next = new Map<string, number>();
		const taken: Transaction[] = [];
		for (const transaction of [...this.pool.values()].sort((a, b) => a.nonce - b.nonce)) {
			const from = senderOf(transaction);
			const expected = next.get(from) ?? this.countAt(from);
			const isPayable = feeOf(transaction) >= this.baseFee;
			if (transaction.nonce < expected) this.pool.delete(transaction.hash ?? '');
			else if (transaction.nonce === expected && isPayable && !this.isHeld(transaction)) {
				taken.push(transaction);
				next.set(from, expected + 1);
			}
		}
		return taken;
	}

	#append(transactions: readonly Transaction[]): void {
		const number = this.blocks.length;
		const parent = this.blocks.at(-1);
		const parentHash = parent?.hash ?? NO_HASH;
		const hashes = transactions.map(({ hash }) => hash);
		const content = [this.chainId, this.#branch, number, parentHash, ...hashes].join();
		const hash = keccak256(toUtf8Bytes(content));
		const time = Math.max(parent?.time ?? 0, Math.floor(Date.now() / 1000));
		const included = transactions.map((one) => this.#execute(one));
		this.blocks.push({ number, hash, parentHash, time, baseFee: this.baseFee, included });
		for (const one of included) this.pool.delete(one.hash);
	}

	#execute(transaction: Transaction): Included {
		const { data, to, hash } = transaction;
		const from = senderOf(transaction);
		const call = { from, to: (to ?? '').toLowerCase(), data };
		const needed = data === '0x' ? PLAIN_GAS : this.gas;
		const isOut = transaction.gasLimit < needed;
		const isReverted = isOut || this.reverts(call) !== undefined;
		const highest = this.baseFee + tipOf(transaction);
		const price = highest < feeOf(transaction) ? highest : feeOf(transaction);
		return {
			transaction,
			hash: hash ?? '',
			from,
			status: isReverted ? 0 : 1,
			price,
			gasUsed: isOut ? transaction.gasLimit : needed,
			logs: isReverted ? [] : this.logsOf(call),
		};
	}
}
