import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { ServiceError } from '../request/failure/service-error';
import type { CanonicalCall } from './identity';

const MAX_LOGGED = 1000;

/** Everything is in the message itself: n8n prints nothing else by default. */
function whereabouts(context: IExecuteSingleFunctions, { shown }: CanonicalCall): string {
	const { id } = context.getWorkflow();
	return [
		`item ${context.getItemIndex()}`,
		`node ${JSON.stringify(context.getNode().name)}`,
		`execution ${context.getExecutionId() ?? '(none)'}`,
		`workflow ${id ?? '(none)'}`,
		`contract ${String(shown.contractAddress)}`,
		`function ${String(shown.function)}`,
	].join(', ');
}

/**
 * Writes one line to n8n's log for a submitted write: its hash, and those in the answers to earlier, refused tries. When an
 * execution is stopped or times out, n8n discards the output of its nodes.
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
 * Writes one line to n8n's log for a write that may have been submitted, or was refused with a hash in the answer.
 *
 * @example logNotDone(context, call, failure) // logs 'Contract write of unknown outcome: 0x…, item 0, …'
 */
export function logNotDone(
	context: IExecuteSingleFunctions,
	call: CanonicalCall,
	failure: ServiceError,
): void {
	const { details } = failure;
	const hashes = details.hashes?.join(', ') ?? 'no hash known';
	context.logger.warn(
		`Contract write ${details.outcome === 'refused' ? 'refused' : 'of unknown outcome'}: ${hashes}, ${whereabouts(context, call)}: ${failure.inOneSentence().slice(0, MAX_LOGGED)}`,
	);
}
