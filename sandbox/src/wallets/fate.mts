import { getBytes } from 'ethers';

/** What happens to a transaction after its hash was returned. */
export type Fate = 'mined' | 'reverted' | 'dropped' | 'replaced';

/** The parts of a transaction that affect its fate. */
interface Sendable {
	/** 0x-prefixed call data. */
	data: string;
	gasLimit: bigint;
}

/** The transaction whose hash is returned, and the transaction that the chain receives, if any. */
export interface Destined<T> {
	told: T;
	sent: T | undefined;
}

const BASE_GAS = 21_000n;
const GAS_OF_ZERO = 10n;
const GAS_OF_OTHER_BYTE = 40n;

/** The lowest gas limit a chain accepts for a call (EIP-7623); it leaves almost no gas for execution. */
function leastGas(data: string): bigint {
	const costs = [...getBytes(data)].map((byte) => (byte === 0 ? GAS_OF_ZERO : GAS_OF_OTHER_BYTE));
	return costs.reduce((sum, cost) => sum + cost, BASE_GAS);
}

/**
 * Prepares the transaction to report and the one to send, according to the fate.
 *
 * @param estimate the lowest gas limit with which the call succeeds
 * @param serial number of the wallet's lost transaction, counted from 1
 * @throws Error if the call needs so little gas that no accepted gas limit makes it revert
 */
export function destine<T extends Sendable>(
	fate: Fate,
	transaction: T,
	{ estimate, serial }: { estimate: bigint; serial: bigint },
): Destined<T> {
	// An unusual gas limit, so that the same call at the same nonce is never identical to the lost transaction.
	const lost = { ...transaction, gasLimit: transaction.gasLimit + serial };
	switch (fate) {
		case 'mined':
			return { told: transaction, sent: transaction };
		case 'reverted': {
			const gasLimit = leastGas(transaction.data);
			if (gasLimit >= estimate) throw new Error('The call needs too little gas to make it revert');
			const starved = { ...transaction, gasLimit };
			return { told: starved, sent: starved };
		}
		case 'dropped':
			return { told: lost, sent: undefined };
		case 'replaced':
			return { told: lost, sent: transaction };
	}
}
