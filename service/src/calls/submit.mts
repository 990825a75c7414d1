import type { SubmittedTransaction, WriteAnswer } from '../schemas/contract-call.mts';
import type { LinkedService } from '../service.mts';
import type { Fate } from '../wallets/fate.mts';
import { CallRefused, type Call, type Sender, type SentTransaction } from '../wallets/sender.mts';
import { toBigNumber } from '../abi/big-number.mts';

const failed = (error: string): WriteAnswer => ({ status: 'FAILED', error });

function describe({ hash, from, details }: SentTransaction): SubmittedTransaction {
	return {
		hash,
		type: details.type ?? 0,
		chainId: Number(details.chainId),
		nonce: details.nonce,
		from,
		to: details.to ?? '',
		data: details.data,
		value: toBigNumber(details.value),
		gasLimit: toBigNumber(details.gasLimit),
		maxFeePerGas: toBigNumber(details.maxFeePerGas ?? 0n),
		maxPriorityFeePerGas: toBigNumber(details.maxPriorityFeePerGas ?? 0n),
	};
}

/**
 * Submits a call as a transaction of `sender`'s wallet and returns as soon as the chain has accepted it.
 *
 * @param fate what happens to the transaction; the answer is the same as if it were mined
 */
export async function submit(
	{ chain, explorer }: LinkedService,
	sender: Sender,
	{ to, data, value }: Call,
	fate: Fate = 'mined',
): Promise<WriteAnswer> {
	if (!(await chain.hasContract(to))) return failed(`There is no contract at ${to}`);
	try {
		const sent = await sender.send({ to, data, value }, fate);
		const { hash, succeeded } = sent;
		if (fate === 'mined' && succeeded === false)
			return failed(`Transaction ${hash} was mined and reverted`);
		return { status: 'SUCCESS', hash, explorerUrl: explorer.transaction(hash), tx: describe(sent) };
	} catch (error) {
		if (error instanceof CallRefused) return failed(error.message);
		throw error;
	}
}
