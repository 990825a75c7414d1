import { randomUUID } from 'node:crypto';
import type { TransactionLike } from 'ethers';
import { Transaction } from 'ethers';
import type { Signer } from '../../../service/src/keys/signer.mts';
import type { Service } from '../../../service/src/service.mts';
import type { Database } from '../../../service/src/store/tables.mts';
import { walletById } from '../../../service/src/store/users.mts';
import { Deadline } from '../../../service/src/writes/deadline.mts';
import type { Preparation } from '../../../service/src/writes/prepare.mts';
import type { Submitted, WriteRequest } from '../../../service/src/writes/request.mts';
import { conditions } from '../conditions.mts';
import { starvedGas } from './fate.mts';

type Writes = Service['writes'];

/** Time limit for the reads before a transaction that is dropped, in milliseconds. */
const PREPARE_MS = 25_000;

/** The writes of the service, whose transactions revert, vanish or are replaced if a test says so. */
export class FatefulWrites implements Writes {
	readonly #writes: Writes;
	readonly #parts: { db: Database; signer: Signer; preparation: Preparation; chainId: number };
	/** Number of transactions whose hash was returned but which the chain never received. */
	#lost = 0n;

	constructor(
		writes: Writes,
		parts: { db: Database; signer: Signer; preparation: Preparation; chainId: number },
	) {
		this.#writes = writes;
		this.#parts = parts;
	}

	async submit(request: WriteRequest): Promise<Submitted> {
		switch (conditions().fate) {
			case 'mined':
				return await this.#writes.submit(request);
			case 'reverted': {
				const gasLimit: WriteRequest['gasLimit'] = ({ estimate }) => {
					return starvedGas(request.call.data, estimate);
				};
				return await this.#writes.submit({ ...request, gasLimit });
			}
			case 'replaced': {
				const submitted = await this.#writes.submit(request);
				const { raw } = submitted.attempt;
				return await this.#withOtherHash(submitted, request, Transaction.from(raw));
			}
			case 'dropped':
				return await this.#drop(request);
		}
	}

	find: Writes['find'] = async (caller, key) => await this.#writes.find(caller, key);

	fence: Writes['fence'] = async (caller, key) => await this.#writes.fence(caller, key);

	/** Answers with a transaction that is neither stored nor sent. */
	async #drop(request: WriteRequest): Promise<Submitted> {
		const { db, preparation, chainId } = this.#parts;
		const { caller, call } = request;
		const { wallet_id: id, address } = caller.user;
		const deadline = new Deadline(PREPARE_MS);
		const { gasLimit, fees } = await preparation.prepare({ id, address }, call, deadline);
		const nonce = (await walletById(db, id))?.next_nonce ?? 0;
		const created_at = new Date().toISOString();
		const write = { id: randomUUID(), state: 'accepted', created_at } as const;
		const submitted = {
			write,
			attempt: { hash: '', raw: '' },
			isGivenUp: false,
			isReplayed: false,
		};
		const transaction = { ...call, ...fees, chainId, nonce, gasLimit };
		return await this.#withOtherHash(submitted, request, transaction);
	}

	/** The same transaction with an unusual gas limit, so that its hash is never that of another one. */
	async #withOtherHash(
		submitted: Submitted,
		{ caller }: WriteRequest,
		{ type, chainId, nonce, to, data, value, gasLimit, ...fees }: TransactionLike,
	): Promise<Submitted> {
		this.#lost += 1n;
		const { maxFeePerGas, maxPriorityFeePerGas } = fees;
		const other = BigInt(gasLimit ?? 0) + this.#lost;
		const fields = { type, chainId, nonce, to, data, value, maxFeePerGas, maxPriorityFeePerGas };
		const raw = await this.#parts.signer.sign(caller.user.source, { ...fields, gasLimit: other });
		const { hash } = Transaction.from(raw);
		return { ...submitted, attempt: { raw, hash: hash ?? '' } };
	}
}
