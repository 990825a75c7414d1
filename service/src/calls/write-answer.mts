import { Transaction } from 'ethers';
import { toBigNumber } from '../abi/json.mts';
import type { Explorer } from '../explorer.mts';
import type { SubmittedTransaction, WriteAnswer } from '../schemas/contract-call.mts';
import type { WriteState } from '../store/tables.mts';
import type { Committed } from '../store/writes.mts';
import type { Submitted } from '../writes/request.mts';

/** Why a write with this state will never take place. */
const ENDED: Partial<Record<WriteState, string>> = {
	cancelled: 'The transaction was cancelled and has no effect',
	foreign: 'Another transaction of the wallet took the place of this one, which has no effect',
};

function describe(raw: string, hash: string, from: string): SubmittedTransaction {
	const signed = Transaction.from(raw);
	const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = signed;
	return {
		hash,
		type: signed.type ?? 0,
		chainId: Number(signed.chainId),
		nonce: signed.nonce,
		from,
		to: signed.to ?? '',
		data: signed.data,
		value: toBigNumber(signed.value),
		gasLimit: toBigNumber(signed.gasLimit),
		...(gasPrice === null ? {} : { gasPrice: toBigNumber(gasPrice) }),
		...(maxFeePerGas === null ? {} : { maxFeePerGas: toBigNumber(maxFeePerGas) }),
		...(maxPriorityFeePerGas === null
			? {}
			: { maxPriorityFeePerGas: toBigNumber(maxPriorityFeePerGas) }),
	};
}

/** The answer to a write: whether an endpoint has its transaction, not whether a block has it. PENDING is open either way. */
export function answerOf(
	explorer: Explorer,
	from: string,
	{ write, attempt: { raw, hash }, isGivenUp }: Submitted,
): WriteAnswer {
	const error = ENDED[write.state];
	if (error !== undefined) return { status: 'FAILED', error };
	return {
		status: write.state === 'signed' || isGivenUp ? 'PENDING' : 'SUCCESS',
		hash,
		explorerUrl: explorer.transaction(hash),
		tx: describe(raw, hash, from),
	};
}

/** The answer to a repeated request for a write. */
export function replayOf(explorer: Explorer, from: string, submitted: Submitted): WriteAnswer {
	const answer = answerOf(explorer, from, submitted);
	return answer.status === 'FAILED'
		? answer
		: { ...answer, submittedAt: submitted.write.created_at };
}

/** What became of a write, as far as the service knows. */
export function stateOf({ write: { state, mined_hash: mined, status }, attempt }: Committed) {
	if (state === 'foreign') return 'FOREIGN';
	if (mined !== null && mined !== attempt.hash) return 'CANCELLED';
	if (mined === null || status === null) return 'PENDING';
	return status === 1 ? 'SUCCESS' : 'REVERTED';
}
