import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { ServiceError } from '../request/failure/service-error';
import { quote } from '../values/quote';
import type { CanonicalCall } from './canonical-call';

const MAX_LOGGED = 1000;

/** The place and call of a write, as part of the message: by default, n8n prints only the message. */
function whereabouts(context: IExecuteSingleFunctions, { shown, moves }: CanonicalCall): string {
	const { id } = context.getWorkflow();
	return [
		`item ${context.getItemIndex()}`,
		`node ${quote(context.getNode().name)}`,
		`execution ${context.getExecutionId() ?? '(none)'}`,
		`workflow ${id ?? '(none)'}`,
		`contract ${String(shown.contractAddress)}`,
		`function ${String(shown.function)}${moves === undefined ? '' : ` ${moves}`}`,
	].join(', ');
}

/**
 * Logs a submitted write in one line: its hash, and the hashes in answers to earlier, refused attempts. If an execution
 * is stopped or times out, n8n discards its output, but not its log.
 *
 * @example logSubmitted(context, call, [hash]) // logs 'Contract write submitted: 0x…, item 0, …'
 */
export function logSubmitted(
	context: IExecuteSingleFunctions,
	call: CanonicalCall,
	[hash, ...refused]: readonly [string, ...string[]],
): void {
	const before = refused.length === 0 ? '' : ` (refused before: ${refused.join(', ')})`;
	context.logger.info(`Contract write submitted: ${hash}${before}, ${whereabouts(context, call)}`);
}

/**
 * Logs a failed write in one line if it may have been submitted, or was refused with a hash in the answer.
 *
 * @example logNotDone(context, call, failure) // logs 'Contract write of unknown outcome: 0x…, item 0, …'
 */
export function logNotDone(
	context: IExecuteSingleFunctions,
	call: CanonicalCall,
	failure: unknown,
): void {
	if (!(failure instanceof ServiceError)) return;
	const { isRefused, hashes } = failure;
	if (isRefused && hashes.length === 0) return;
	const what = isRefused ? 'refused' : 'of unknown outcome';
	const named = hashes.join(', ') || 'no hash known';
	const words = failure.inOneSentence().slice(0, MAX_LOGGED);
	context.logger.warn(`Contract write ${what}: ${named}, ${whereabouts(context, call)}: ${words}`);
}
