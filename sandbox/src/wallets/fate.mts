import { getBytes } from 'ethers';

/** What becomes of a transaction once its hash was given out. */
export type Fate = 'mined' | 'reverted' | 'dropped' | 'replaced';

/** The parts of a transaction that its fate changes or depends on. */
interface Sendable {
	/** 0x-prefixed call data. */
	data: string;
	gasLimit: bigint;
}

/** The transaction whose hash is given out, and the one that the chain gets, if any. */
export interface Destined<T> {
	told: T;
	sent: T | undefined;
}

const BASE_GAS = 21_000n;
const GAS_OF_ZERO = 10n;
const GAS_OF_OTHER_BYTE = 40n;

/** The least gas with which a chain takes a call at all (EIP-7623); what it leaves to run with is next to nothing. */
function leastGas(data: string): bigint {
	const costs = [...getBytes(data)].map((byte) => (byte === 0 ? GAS_OF_ZERO : GAS_OF_OTHER_BYTE));
	return costs.reduce((sum, cost) => sum + cost, BASE_GAS);
}

/**
 * Arranges what becomes of a transaction.
 *
 * @param estimate the least gas with which the call succeeds
 * @param serial counts the lost transactions of a wallet from 1
 * @throws Error when the call needs so little gas that it cannot be made to revert
 */
export function destine<T extends Sendable>(
	fate: Fate,
	transaction: T,
	{ estimate, serial }: { estimate: bigint; serial: bigint },
): Destined<T> {
	// Of an unusual gas limit, so that the same call at the same nonce is never the lost one after all.
	const lost = { ...transaction, gasLimit: transaction.gasLimit + serial };
	switch (fate) {
		case 'mined':
			return { told: transaction, sent: transaction };
		case 'reverted': {
			const gasLimit = leastGas(transaction.data);
			if (gasLimit >= estimate)
				throw new Error('The call needs too little gas to be made to revert');
			const starved = { ...transaction, gasLimit };
			return { told: starved, sent: starved };
		}
		case 'dropped':
			return { told: lost, sent: undefined };
		case 'replaced':
			return { told: lost, sent: transaction };
	}
}
