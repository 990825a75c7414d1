import type { RevertReader } from '../abi/revert.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import type { Database, WriteRow } from '../store/tables.mts';
import type { Caller } from '../store/tokens.mts';
import { writeByHash, type WriteWithAttempts } from '../store/writes.mts';
import { EndpointsDisagree } from './agreement.mts';
import { confirmations, lookFor } from './inclusion.mts';
import { doubtAbout, type OpenQuestions } from './open-questions.mts';
import { waitingNote } from './replacement.mts';
import { readReason } from './revert-reason.mts';

/** What became of a transaction, or of the write that it belongs to. */
export interface TransactionState {
	status: 'PENDING' | 'SUCCESS' | 'REVERTED' | 'CANCELLED' | 'FOREIGN';
	/** Whether no reorganisation changes it any more. */
	final: boolean;
	/** The transaction that is in a block. */
	mined?: { hash: string; blockNumber: number; blockHash: string };
	revertReason?: string;
	/** Why it is open, in a sentence. */
	note?: string;
	/** The write, if the caller submitted it. */
	write?: Pick<WriteRow, 'created_at' | 'final_at' | 'last_refusal' | 'to_address' | 'data'>;
}

export interface TransactionPorts {
	db: Database;
	endpoints: Endpoints;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	readRevert: RevertReader;
	questions: Pick<OpenQuestions, 'of'>;
}

/** Maximum number of transactions that are remembered as final. */
const REMEMBERED = 10_000;

const NOT_CERTAIN =
	'An endpoint has shown it in a block; whether it is, and whether it succeeded, is not certain yet';

const KNOWN_TO_FEW = 'Too few endpoints know it for it to be certain that it exists';

/** Reports what became of transactions: of the caller's writes from the database, of all others from the chain. */
export class Transactions {
	readonly #ports: TransactionPorts;
	/** Final states of strangers' transactions, which no endpoint can take back, by hash. */
	readonly #final = new Map<string, TransactionState>();

	constructor(ports: TransactionPorts) {
		this.#ports = ports;
	}

	/** @param hash lower case @returns undefined if nobody knows the transaction @throws ChainUnavailable */
	async find({ user }: Caller, hash: string): Promise<TransactionState | undefined> {
		const own = await writeByHash(this.#ports.db, hash);
		if (own?.write.user_id === user.id) return await this.#ofWrite(own);
		return this.#final.get(hash) ?? (await this.#onChain(hash));
	}

	async #ofWrite({ write, attempts }: WriteWithAttempts): Promise<TransactionState> {
		const { id, state, mined_hash: hash, block_number: number, block_hash: blockHash } = write;
		if (state === 'foreign') return { status: 'FOREIGN', final: true, write };
		const question = this.#ports.questions.of(id) ?? doubtAbout(write) ?? waitingNote(write);
		const note = question === undefined ? {} : { note: question };
		if (hash === null || number === null || blockHash === null) {
			return { status: 'PENDING', final: false, ...note, write };
		}
		const mined = { hash, blockNumber: number, blockHash };
		const common = { final: state !== 'mined', mined, write };
		const isCall = attempts.some((attempt) => attempt.hash === hash && attempt.kind === 'call');
		if (!isCall) return { status: 'CANCELLED', ...common };
		if (write.status === null) {
			return { status: 'PENDING', note: NOT_CERTAIN, ...note, ...common };
		}
		if (write.status === 1) return { status: 'SUCCESS', ...common };
		const revertReason = write.revert_reason ?? (await this.#reason(hash));
		return { status: 'REVERTED', revertReason, ...common };
	}

	async #onChain(hash: string): Promise<TransactionState | undefined> {
		const { endpoints, depth } = this.#ports;
		const { inclusion: found, knowing, blocks } = await lookFor(endpoints, hash);
		if (!found) {
			if (knowing === 0) return undefined;
			this.#assertNew(hash, blocks);
			const doubt = knowing < endpoints.quorum ? KNOWN_TO_FEW : undefined;
			const note = blocks.length > 0 ? NOT_CERTAIN : doubt;
			return { status: 'PENDING', final: false, ...(note === undefined ? {} : { note }) };
		}
		const { status, blockNumber, blockHash } = found;
		const mined = { hash, blockNumber, blockHash };
		const isDeep = BigInt(blockNumber) <= (await endpoints.finalBlock(depth));
		const { length } = await confirmations(endpoints, found);
		const isConfirmed = length >= endpoints.quorum;
		if (status === null) {
			this.#assertNew(hash, [blockNumber]);
			return { status: 'PENDING', note: NOT_CERTAIN, final: false, mined };
		}
		const common = { final: isDeep && isConfirmed, mined };
		const state: TransactionState =
			status === 1
				? { status: 'SUCCESS', ...common }
				: { status: 'REVERTED', revertReason: await this.#reason(hash), ...common };
		if (state.final) this.#remember(hash, state);
		return state;
	}

	/** What an endpoint shows deep in the chain is not open for long. @throws EndpointsDisagree if a block is that deep */
	#assertNew(hash: string, blocks: readonly number[]): void {
		const { endpoints, depth } = this.#ports;
		const final = Number(endpoints.head) - depth;
		if (!blocks.some((block) => block <= final)) return;
		throw new EndpointsDisagree(`The endpoints disagree about the transaction ${hash}`);
	}

	#remember(hash: string, state: TransactionState): void {
		const oldest = this.#final.keys().next();
		if (this.#final.size >= REMEMBERED && !oldest.done) this.#final.delete(oldest.value);
		this.#final.set(hash, state);
	}

	async #reason(hash: string): Promise<string> {
		return await readReason(this.#ports.endpoints, this.#ports.readRevert, hash);
	}
}
