import { readAbi } from '../../../nodes/WalletService/contract/source/abi.ts';
import type { Steps } from '../../../nodes/WalletService/values/turns.ts';

/** Does work that stops after each step, without other work in between. */
export function atOnce<Result>(work: Steps<Result>): Result {
	for (;;) {
		const step = work.next();
		if (step.done === true) return step.value;
	}
}

/** `parseAbi`, at once. */
export const parseAbi = (source: unknown) => atOnce(readAbi(source, 'contractAbi'));
