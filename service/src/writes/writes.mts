import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Signer } from '../keys/signer.mts';
import { LimitExceeded } from '../limits/limit-exceeded.mts';
import type { CountedCall, Spending } from '../limits/spending.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import { worstPrice } from '../rpc/fees.mts';
import { newestAttempt } from '../store/labels.mts';
import type { Database, Queries, WalletRow } from '../store/tables.mts';
import type { Caller } from '../store/tokens.mts';
import { walletById } from '../store/users.mts';
import { fenceKey } from '../store/fences.mts';
import { commitWrite, writeByKey } from '../store/writes.mts';
import type { Committed, NewWrite, Refused } from '../store/writes.mts';
import { fingerprintOf } from './call.mts';
import { Deadline } from './deadline.mts';
import type { Delivery } from './delivery.mts';
import type { Observer } from './events.mts';
import { InProgress, KeyReused, Superseded } from './failures.mts';
import { TooManyOpenWrites, Undecided, WalletClosed } from './failures.mts';
import type { Preparation, Prepared } from './prepare.mts';
import { replayed, type CountedRequest, type Submitted, type WriteRequest } from './request.mts';
import { signChecked, type Signed, type Unsigned } from './sign.mts';
import { WalletQueue } from './wallet-queue.mts';

/** The steps of a write, at which tests kill the process. */
export type Step = 'signed' | 'before-commit' | 'committed' | 'sent' | 'accepted';

export interface WriteOptions {
	/** Maximum number of a wallet's writes that are not in a block. */
	maxOpen: number;
	/** Time limit for an answer, in milliseconds. */
	answerMs: number;
}

export interface WritePorts {
	db: Database;
	chainId: number;
	signer: Signer;
	preparation: Preparation;
	delivery: Delivery;
	spending: Spending;
	options: WriteOptions;
	/** Called at each step. */
	atStep?(step: Step): void;
	observe: Observer;
}

/** Pause before a commit without an answer is repeated, in milliseconds. */
const COMMIT_EVERY_MS = 250;

/** Accepts writes. Their transactions leave only after they are stored, and each key and each nonce is used once. */
export class Writes {
	readonly #ports: WritePorts;
	readonly #queue = new WalletQueue();
	/** Requests under way, by user and key. */
	readonly #underWay = new Map<string, Promise<unknown>>();

	constructor(ports: WritePorts) {
		this.#ports = ports;
	}

	/**
	 * Submits a call once, however often it is requested under the same key.
	 *
	 * @throws CallRefused, ChainUnavailable, KeyIsVoid, LimitExceeded, Superseded, TooManyOpenWrites, WalletClosed if nothing was signed
	 * @throws KeyReused, InProgress, Undecided
	 */
	async submit(request: WriteRequest): Promise<Submitted> {
		const deadline = new Deadline(this.#ports.options.answerMs);
		const place = JSON.stringify([request.caller.user.id, request.key]);
		for (let other = this.#underWay.get(place); other; other = this.#underWay.get(place)) {
			await deadline.wait(other.catch(() => undefined));
			if (deadline.isOver) throw new InProgress('Another request with this key is being answered');
		}
		const work = this.#submit(request, deadline);
		this.#underWay.set(place, work);
		const { observe } = this.#ports;
		void work.then(
			(submitted) => observe({ kind: 'submitted', request, submitted }),
			(error: unknown) => observe({ kind: 'not-submitted', request, error }),
		);
		try {
			return await work;
		} finally {
			this.#underWay.delete(place);
		}
	}

	/** The write under a user's key, if there is one. @throws KeyIsVoid */
	async find({ user }: Caller, key: string): Promise<Submitted | undefined> {
		const stored = await writeByKey(this.#ports.db, user.id, key);
		return stored && replayed(stored);
	}

	/**
	 * Takes a key out of use.
	 *
	 * @returns the write that has it; undefined if none has and none ever will
	 * @throws TooManyFences
	 */
	async fence({ user, tokenId }: Caller, key: string): Promise<Submitted | undefined> {
		const place = { userId: user.id, tokenId: tokenId ?? null, walletId: user.wallet_id, key };
		const stored = await fenceKey(this.#ports.db, place);
		return stored.write.state === 'void' ? undefined : replayed(stored);
	}

	async #submit(request: WriteRequest, deadline: Deadline): Promise<Submitted> {
		const { db, chainId, preparation, delivery, spending } = this.#ports;
		const { caller, key, call } = request;
		const { wallet_id: id, address } = caller.user;
		const fingerprint = fingerprintOf(chainId, address, call);
		const own = new Set<string>();
		let isConfirmed = false;
		for (;;) {
			const stored = await writeByKey(db, caller.user.id, key);
			if (stored) {
				const known = replayed(stored);
				if (stored.write.fingerprint !== fingerprint) throw new KeyReused(stored);
				const delivered = await delivery.deliver(known, deadline);
				return { ...delivered, isReplayed: !own.has(known.write.id) };
			}
			// Only now: a write that is stored is never refused, even if its commit was answered only when the answer is due.
			if (deadline.isOver) break;
			const counted = spending.count(caller, { ...call, called: request.called });
			const refusal = await this.#refusal(request, counted);
			// Looked up again: another process may have submitted it, and counted it, in the meantime.
			if (refusal !== undefined) {
				if (await writeByKey(db, caller.user.id, key)) continue;
				throw refusal;
			}
			const prepared = await preparation.prepare({ id, address }, call, deadline);
			const commit = await this.#queue.run(id, async () => {
				const signed = { ...request, fingerprint, counted };
				return await this.#signAndCommit(signed, prepared, deadline, own);
			});
			if (typeof commit === 'object') {
				return { ...(await delivery.deliver(commit, deadline)), isReplayed: false };
			}
			if (commit === 'too-many-open' && !isConfirmed) {
				// Some may be in a block since the loops have looked.
				await preparation.confirm(id);
				isConfirmed = true;
				continue;
			}
			this.#assertOpen(commit);
		}
		if (own.size > 0) throw new TooManyOpenWrites('Too many writes of the wallet at the same time');
		throw new ChainUnavailable('The chain did not answer in time; nothing was signed');
	}

	/** Why the write would be refused now. The commit decides; this saves the work before it. */
	async #refusal({ labels }: WriteRequest, counted?: CountedCall): Promise<unknown> {
		const { db, spending } = this.#ports;
		const newest = labels && (await newestAttempt(db, labels));
		if (newest !== labels?.attempt) return new Superseded();
		const isLeft = counted && spending.assertLeft(db, counted);
		return await isLeft?.catch((error: unknown) => error);
	}

	#assertOpen(commit: Refused): void {
		if (commit === 'superseded') throw new Superseded();
		if (commit === 'too-many-open') {
			throw new TooManyOpenWrites('The wallet has too many writes that are not in a block yet');
		}
		if (commit === 'closed') throw new WalletClosed('The wallet is closed');
	}

	/** Signs with the next nonce and commits; on a taken nonce again with the next one. @param own collects the IDs of writes */
	async #signAndCommit(
		{ caller, key, call, labels, fingerprint, gasLimit, counted }: CountedRequest,
		prepared: Prepared,
		deadline: Deadline,
		own: Set<string>,
	): Promise<Committed | Refused> {
		const { db, chainId, options, atStep } = this.#ports;
		const limit = gasLimit?.(prepared) ?? prepared.gasLimit;
		const { fees, balance, dataFee, isDelegated } = prepared;
		const limits = { maxOpen: isDelegated ? 1 : options.maxOpen, balance };
		let commit: Committed | Refused = 'nonce-taken';
		while (commit === 'nonce-taken' && !deadline.isOver) {
			const wallet = await walletById(db, caller.user.wallet_id);
			if (!wallet) throw new Error(`User ${caller.user.id} has no wallet`);
			if (wallet.state === 'closed') throw new WalletClosed(wallet.closed_reason ?? '');
			const unsigned = { ...call, chainId, nonce: wallet.next_nonce, gasLimit: limit, fees };
			const { raw, hash } = await this.#sign(wallet, unsigned);
			atStep?.('signed');
			const id = randomUUID();
			own.add(id);
			const write: NewWrite = {
				id,
				key,
				fingerprint,
				hash,
				raw,
				nonce: wallet.next_nonce,
				wallet_id: wallet.id,
				user_id: caller.user.id,
				token_id: caller.tokenId ?? null,
				to_address: call.to,
				data: call.data,
				value: String(call.value),
				cost: String(call.value + limit * worstPrice(fees) + dataFee),
				labels,
			};
			commit = await this.#commit(write, limits, counted, deadline);
		}
		if (typeof commit === 'object') atStep?.('committed');
		return commit;
	}

	async #sign(wallet: WalletRow, unsigned: Unsigned): Promise<Signed> {
		try {
			return await signChecked(this.#ports.signer, wallet, unsigned);
		} catch (cause) {
			throw new ChainUnavailable('The signer did not sign; nothing was sent', { cause });
		}
	}

	/** Repeats a commit whose answer was lost, with the same bytes: only that decides whether it took place. */
	async #commit(
		write: NewWrite,
		limits: { maxOpen: number; balance: bigint },
		counted: CountedCall | undefined,
		deadline: Deadline,
	): Promise<Committed | Refused> {
		const { db, atStep, spending, observe } = this.#ports;
		const hooks = {
			reserve: async (transaction: Queries) => {
				if (counted) await spending.reserve(transaction, counted, write);
			},
			beforeCommit: () => atStep?.('before-commit'),
		};
		const begun = performance.now();
		let problem: unknown;
		while (!deadline.isOver) {
			try {
				const commit = await deadline.wait(commitWrite(db, write, { ...limits, ...hooks }));
				if (typeof commit === 'object') observe({ kind: 'stored', ms: performance.now() - begun });
				if (commit !== undefined) return commit;
			} catch (error) {
				if (error instanceof LimitExceeded) throw error;
				problem = error;
				await setTimeout(COMMIT_EVERY_MS);
			}
		}
		throw new Undecided(write.hash, { cause: problem });
	}
}
