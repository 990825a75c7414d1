import { dataLength } from 'ethers';
import type { ReadAnswer } from '../schemas/contract-call.mts';
import type { LinkedService } from '../service.mts';
import { decodeAnswer } from '../abi/decode.mts';
import type { ContractCall } from '../input/contract-call.mts';
import { AnswerTooLong, ContractRefusal } from '../rpc/failures.mts';

/** Maximum size of an answer, in bytes. */
const MAX_ANSWER = 131_072;

const failed = (error: string): ReadAnswer => ({ status: 'FAILED', error });
const tooLong = failed(`The contract's answer has more than ${MAX_ANSWER} bytes`);

async function decode({ signature }: ContractCall, data: string): Promise<unknown> {
	const values = await decodeAnswer(signature.outputs, data);
	return values.length === 1 ? values[0] : values;
}

/**
 * Calls a function without a transaction and decodes its result with the return types of the signature.
 *
 * @param from the wallet that the contract sees as its caller
 */
export async function query(
	{ chain, explorer, readRevert }: LinkedService,
	from: string,
	call: ContractCall,
): Promise<ReadAnswer> {
	const { to, data } = call;
	let returned: string;
	try {
		returned = await chain.call({ from, to, data });
	} catch (error) {
		if (error instanceof AnswerTooLong) return tooLong;
		if (!(error instanceof ContractRefusal)) throw error;
		return failed(readRevert(error.data));
	}
	if (returned === '0x' && !(await chain.hasContract(to))) {
		return failed(`There is no contract at ${to}`);
	}
	if (dataLength(returned) > MAX_ANSWER) return tooLong;
	try {
		return {
			status: 'SUCCESS',
			explorerUrl: explorer.address(to),
			response: await decode(call, returned),
		};
	} catch {
		return failed("The contract's answer does not fit the return types of the signature");
	}
}
