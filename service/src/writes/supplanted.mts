/** Writes whose nonce the chain has used, though no receipt of theirs is found. */
import type { Endpoints } from '../rpc/endpoints.mts';
import { transactionIn } from '../rpc/blocks.mts';
import type { UnminedWrite } from '../store/open-writes.mts';
import type { Database } from '../store/tables.mts';
import { allForeign, closeForForeign, reviveForeign } from '../store/wallets.mts';
import type { Observer } from './events.mts';
import { findInclusion, proveIn, witness, type ProvenInclusion } from './inclusion.mts';
import { findNonceUse, type NonceUse } from './nonce-use.mts';
import type { OpenQuestions } from './open-questions.mts';

export interface SupplantedPorts {
	db: Database;
	endpoints: Endpoints;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	observe: Observer;
}

/** Pause before the chain is searched again for the transaction that has used a nonce, in milliseconds. */
const SEARCH_EVERY_MS = 3_000;

/** How far a search has come. */
interface Search {
	at: number;
	before: number | undefined;
}

/**
 * Finds out what has used the nonce of a write. That no endpoint has a receipt proves nothing: endpoints had them late by hours
 * (ethereum/go-ethereum#29956). The write is open until the transaction with its nonce is in hand; if that is not the
 * service's own, and in a final block, another program signed with the key.
 */
export class Supplanted {
	readonly #ports: SupplantedPorts;
	readonly #questions: OpenQuestions;
	/** By ID of the write. */
	readonly #searches = new Map<string, Search>();

	constructor(ports: SupplantedPorts, questions: OpenQuestions) {
		this.#ports = ports;
		this.#questions = questions;
	}

	/** @returns the block with one of the write's own transactions */
	async look(
		{ write, attempts }: UnminedWrite,
		address: string,
	): Promise<ProvenInclusion | undefined> {
		const { endpoints } = this.#ports;
		const search = this.#searches.get(write.id);
		if (search && performance.now() - search.at < SEARCH_EVERY_MS) return undefined;
		const wanted = { address, nonce: write.nonce };
		const { use, before } = await findNonceUse(endpoints, wanted, search?.before);
		this.#searches.set(write.id, { at: performance.now(), before });
		if (!use) {
			const text = `Nonce ${write.nonce} of the wallet is used, but the transaction that has used it was not found yet`;
			this.#questions.ask(write.id, text);
			return undefined;
		}
		const isOwn = attempts.some(({ hash }) => hash === use.hash);
		const found = isOwn ? await proveIn(endpoints, use.hash, use) : undefined;
		const isForeign = !isOwn && (await this.#isForeign(wanted, use));
		if (found || isForeign) this.#searches.delete(write.id);
		if (isForeign) await this.#end(write, address);
		if (found || isForeign) return found;
		const whose = isOwn ? 'The transaction' : `Another transaction, ${use.hash},`;
		const text = `${whose} is in block ${use.blockNumber} by one endpoint; it is not certain yet`;
		this.#questions.ask(write.id, text);
		return undefined;
	}

	/** Whether enough endpoints show the other transaction, with the wallet and the nonce, in a final block. */
	async #isForeign(wanted: { address: string; nonce: number }, use: NonceUse): Promise<boolean> {
		const { endpoints, depth } = this.#ports;
		if (BigInt(use.blockNumber) > (await endpoints.finalBlock(depth))) return false;
		const seen = await witness(endpoints, use.hash, use);
		if (!seen || seen.witnesses.length < endpoints.quorum) return false;
		const outcomes = await endpoints.outcomes(transactionIn, 'eth_getTransactionByHash', [
			use.hash,
		]);
		const equal = outcomes.filter((outcome) => {
			const transaction = outcome.refusal ? undefined : outcome.answer;
			const isSender = transaction?.from === wanted.address.toLowerCase();
			return isSender && transaction?.nonce === wanted.nonce;
		});
		return equal.length >= endpoints.quorum;
	}

	async #end(write: UnminedWrite['write'], wallet: string): Promise<void> {
		const { db, observe } = this.#ports;
		const reason = await closeForForeign(db, write);
		this.#questions.answered(write.id);
		observe({ kind: 'ended', id: write.id, outcome: 'foreign' });
		if (reason !== undefined) observe({ kind: 'closed', wallet, reason });
	}
}

/** Takes back what an older version has ended wrongly: the write's own transaction is in a block that enough endpoints show. */
export async function reviveAll({
	db,
	endpoints,
}: Pick<SupplantedPorts, 'db' | 'endpoints'>): Promise<void> {
	for (const { write, attempts } of await allForeign(db)) {
		for (const { hash } of attempts) {
			const found = await findInclusion(endpoints, hash);
			const seen = found && (await witness(endpoints, hash, found));
			const { length = 0 } = seen?.witnesses ?? [];
			if (found && length >= endpoints.quorum) await reviveForeign(db, write, found);
		}
	}
}
