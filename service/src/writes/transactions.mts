import type { RevertReader } from '../abi/revert.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import type { Database, WriteRow } from '../store/tables.mts';
import type { Caller } from '../store/tokens.mts';
import { writeByHash, type WriteWithAttempts } from '../store/writes.mts';
import { EndpointsDisagree } from './agreement.mts';
import { confirmations, lookFor, supportOf } from './inclusion.mts';
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
	/** Why it is open, or what is not certain, in a sentence. */
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

const TOO_FEW = 'Too few endpoints answer to know whether the transaction exists';

const RESULT_BY_FEW = 'Too few endpoints have its receipt for its result to be certain';

const REASON_BY_FEW = 'Too few endpoints say why it reverted for the reason to be certain';

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
		const { isConfirmed, isContradicted } = await this.#supportOf(write, { hash, blockHash });
		if (isContradicted) return { status: 'PENDING', note: NOT_CERTAIN, ...common };
		const doubt = isConfirmed ? {} : { note: RESULT_BY_FEW };
		if (write.status === 1) return { status: 'SUCCESS', ...doubt, ...common };
		const kept = write.revert_reason;
		const told = kept === null ? (await this.#reason(hash)).told : { revertReason: kept };
		return { status: 'REVERTED', ...told, ...doubt, ...common };
	}

	/** Whether endpoints confirm the result that is recorded of a write, or contradict it. What is final is not asked again. */
	async #supportOf({ state, status }: WriteRow, place: { hash: string; blockHash: string }) {
		if (state !== 'mined') return { isConfirmed: true, isContradicted: false };
		return await supportOf(this.#ports.endpoints, { ...place, status: status === 1 ? 1 : 0 });
	}

	async #onChain(hash: string): Promise<TransactionState | undefined> {
		const { endpoints, depth } = this.#ports;
		const { inclusion: found, knowing, answering, blocks } = await lookFor(endpoints, hash);
		if (!found) {
			// What answers not at all may know it.
			if (knowing === 0 && answering < endpoints.quorum) throw new ChainUnavailable(TOO_FEW);
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
		const doubt = isConfirmed ? {} : { note: RESULT_BY_FEW };
		if (status === 1) return this.#remembered(hash, { status: 'SUCCESS', ...common, ...doubt });
		const { isKept, told } = await this.#reason(hash);
		const state = { status: 'REVERTED' as const, ...told, ...common, ...doubt };
		return isKept ? this.#remembered(hash, state) : state;
	}

	/** What an endpoint shows deep in the chain is not open for long. @throws EndpointsDisagree if a block is that deep */
	#assertNew(hash: string, blocks: readonly number[]): void {
		const { endpoints, depth } = this.#ports;
		const final = Number(endpoints.head) - depth;
		if (!blocks.some((block) => block <= final)) return;
		throw new EndpointsDisagree(`The endpoints disagree about the transaction ${hash}`);
	}

	/** The state, which is remembered if it is final. */
	#remembered(hash: string, state: TransactionState): TransactionState {
		if (!state.final) return state;
		const oldest = this.#final.keys().next();
		if (this.#final.size >= REMEMBERED && !oldest.done) this.#final.delete(oldest.value);
		this.#final.set(hash, state);
		return state;
	}

	async #reason(hash: string) {
		const { endpoints, readRevert } = this.#ports;
		const { text, by } = await readReason(endpoints, readRevert, hash);
		const note = by === 'few' ? { note: REASON_BY_FEW } : {};
		return { isKept: by === 'enough', told: { revertReason: text, ...note } };
	}
}
