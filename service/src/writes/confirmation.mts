import { allCounts, countsOf, noteStale } from '../chain/transaction-counts.mts';
import { ChainUnavailable } from '../rpc/failures.mts';
import { markMined, type UnminedWrite } from '../store/open-writes.mts';
import type { WalletRow } from '../store/tables.mts';
import { walletById } from '../store/users.mts';
import { compareNonce } from '../store/wallets.mts';
import { effectsOf, type EffectPorts } from './effects.mts';
import type { Observer } from './events.mts';
import { findInclusion, type ProvenInclusion } from './inclusion.mts';
import { doubtAbout, type OpenQuestions } from './open-questions.mts';
import { reviveAll, Supplanted } from './supplanted.mts';

export interface ConfirmationPorts extends EffectPorts {
	/** Number of blocks above a block after which it is final. */
	depth: number;
	questions: OpenQuestions;
	observe: Observer;
}

/** Compares the wallets, and their writes that are in no block, with the chain. */
export class Confirmation {
	readonly #ports: ConfirmationPorts;
	readonly #supplanted: Supplanted;

	constructor(ports: ConfirmationPorts) {
		this.#ports = ports;
		this.#supplanted = new Supplanted(ports, ports.questions);
	}

	/** Compares wallets with the chain: after the database was set back, those that the chain is ahead of are closed. */
	async compare(wallets: readonly WalletRow[]): Promise<void> {
		await Promise.all(wallets.map((wallet) => this.compareOne(wallet)));
	}

	/**
	 * Compares a wallet with the chain, and closes it if the chain is ahead. A new one takes its first nonce from it.
	 *
	 * @throws ChainUnavailable if the endpoints disagree about that
	 */
	async compareOne(wallet: Pick<WalletRow, 'id' | 'address'>): Promise<void> {
		const { db, endpoints } = this.#ports;
		const { next_nonce: next = 0, is_compared: isCompared = 0 } =
			(await walletById(db, wallet.id)) ?? {};
		const known = isCompared === 1 ? { known: next } : {};
		const { least, most } = await countsOf(endpoints, wallet.address, known);
		if (isCompared === 1 ? least <= next && next < most : least < most) {
			throw new ChainUnavailable(
				`The endpoints disagree about the transactions of ${wallet.address}`,
			);
		}
		await this.#compareWith(wallet, least);
	}

	async #compareWith(
		{ id, address: wallet }: Pick<WalletRow, 'id' | 'address'>,
		count: number,
	): Promise<void> {
		const reason = await compareNonce(this.#ports.db, id, count);
		if (reason !== undefined) this.#ports.observe({ kind: 'closed', wallet, reason });
	}

	/** Takes back that writes were replaced whose own transactions are in blocks, as an older version recorded. */
	async reviveSupplanted(): Promise<void> {
		await reviveAll(this.#ports);
	}

	/**
	 * Confirms the writes of one wallet that are in a block.
	 *
	 * @returns the first nonce that the chain has not used by every endpoint, and the one by any of them
	 */
	async confirm(unmined: UnminedWrite[]): Promise<{ least: number; most: number }> {
		const [first] = unmined;
		const wallet = first && (await walletById(this.#ports.db, first.write.wallet_id));
		if (!wallet) return { least: 0, most: 0 };
		const { endpoints, questions } = this.#ports;
		for (const { write } of unmined) {
			const doubt = doubtAbout(write);
			if (doubt !== undefined) questions.ask(write.id, doubt);
		}
		const { address, next_nonce: next } = wallet;
		const all = await allCounts(endpoints, address);
		const numbers = all.map(({ count }) => count);
		const counts = { least: Math.min(...numbers), most: Math.max(...numbers) };
		const used = unmined.filter(({ write }) => write.nonce < counts.most);
		await Promise.all(
			used.map(async (one) => {
				const inclusion =
					(await this.#inclusionOf(one)) ?? (await this.#supplanted.look(one, address));
				if (!inclusion) return;
				const effects = await effectsOf(this.#ports, inclusion);
				await markMined(this.#ports.db, one.write.id, inclusion, effects);
				questions.answered(one.write.id);
				await noteStale(endpoints, { address, nonce: one.write.nonce }, all, inclusion);
			}),
		);
		// Last: it fails while too few endpoints report the number.
		if (counts.most > next) {
			await this.#compareWith(wallet, (await countsOf(endpoints, address, { known: next })).least);
		}
		return counts;
	}

	async #inclusionOf({ attempts }: UnminedWrite): Promise<ProvenInclusion | undefined> {
		for (const { hash } of attempts) {
			const inclusion = await findInclusion(this.#ports.endpoints, hash);
			if (inclusion) return inclusion;
		}
		return undefined;
	}
}
