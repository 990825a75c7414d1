import type { RevertReader } from '../abi/revert.mts';
import { record } from '../rpc/client.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Database, WriteRow } from '../store/tables.mts';
import type { Caller } from '../store/tokens.mts';
import { writeByHash, type WriteWithAttempts } from '../store/writes.mts';
import { compareReceipts, findInclusion } from './inclusion.mts';
import { readReason } from './revert-reason.mts';

/** What became of a transaction, or of the write that it belongs to. */
export interface TransactionState {
	status: 'PENDING' | 'SUCCESS' | 'REVERTED' | 'CANCELLED' | 'FOREIGN';
	/** Whether no reorganisation changes it any more. */
	final: boolean;
	/** The transaction that is in a block. */
	mined?: { hash: string; blockNumber: number; blockHash: string };
	revertReason?: string;
	/** The write, if the caller submitted it. */
	write?: Pick<WriteRow, 'created_at' | 'final_at'>;
}

export interface TransactionPorts {
	db: Database;
	endpoints: Endpoints;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	readRevert: RevertReader;
}

/** Reports what became of transactions: of the caller's writes from the database, of all others from the chain. */
export class Transactions {
	readonly #ports: TransactionPorts;

	constructor(ports: TransactionPorts) {
		this.#ports = ports;
	}

	/** @param hash lower case @returns undefined if nobody knows the transaction @throws ChainUnavailable */
	async find({ user }: Caller, hash: string): Promise<TransactionState | undefined> {
		const own = await writeByHash(this.#ports.db, hash);
		return own?.write.user_id === user.id ? await this.#ofWrite(own) : await this.#onChain(hash);
	}

	async #ofWrite({ write, attempts }: WriteWithAttempts): Promise<TransactionState> {
		const { state, mined_hash: hash, block_number: blockNumber, block_hash: blockHash } = write;
		if (state === 'foreign') return { status: 'FOREIGN', final: true, write };
		if (hash === null || blockNumber === null || blockHash === null) {
			return { status: 'PENDING', final: false, write };
		}
		const mined = { hash, blockNumber, blockHash };
		const common = { final: state !== 'mined', mined, write };
		const isCall = attempts.some((attempt) => attempt.hash === hash && attempt.kind === 'call');
		if (!isCall) return { status: 'CANCELLED', ...common };
		if (write.status === 1) return { status: 'SUCCESS', ...common };
		const revertReason = write.revert_reason ?? (await this.#reason(hash));
		return { status: 'REVERTED', revertReason, ...common };
	}

	async #onChain(hash: string): Promise<TransactionState | undefined> {
		const { endpoints, depth } = this.#ports;
		const mined = await findInclusion(endpoints, hash);
		if (!mined) {
			const known = await endpoints.ask(record, 'eth_getTransactionByHash', [hash]);
			return known && { status: 'PENDING', final: false };
		}
		const isDeep = BigInt(mined.blockNumber) <= (await endpoints.finalBlock(depth));
		const final =
			isDeep && (await compareReceipts(endpoints, mined)).equal.length >= endpoints.quorum;
		if (mined.status === 1) return { status: 'SUCCESS', final, mined };
		return { status: 'REVERTED', revertReason: await this.#reason(hash), final, mined };
	}

	async #reason(hash: string): Promise<string> {
		return await readReason(this.#ports.endpoints, this.#ports.readRevert, hash);
	}
}
