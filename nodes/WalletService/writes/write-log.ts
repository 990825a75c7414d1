import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { ServiceError } from '../request/failure/service-error';
import type { CanonicalCall } from './canonical-call';

const MAX_TEXT = 1000;

/** The service's words must not look like lines of ours. */
function inOneLine(text: string): string {
	return text.replace(/\s+/g, ' ').slice(0, MAX_TEXT);
}

/** Everything in the message itself: n8n prints no more by default. */
function placeOf(context: IExecuteSingleFunctions, { shown }: CanonicalCall): string {
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
 * Writes one line into n8n's log for a write that was submitted: its hash, and those in the answers of refused tries
 * before. When the execution is stopped or runs out of time, n8n throws away what its nodes had to report.
 */
export function logSubmitted(
	context: IExecuteSingleFunctions,
	call: CanonicalCall,
	[hash, ...refused]: readonly [string, ...string[]],
): void {
	const before = refused.length === 0 ? '' : ` (refused before: ${refused.join(', ')})`;
	context.logger.info(`Contract write submitted: ${hash}${before}, ${placeOf(context, call)}`);
}

/** Writes one line into n8n's log for a write that may have been submitted, or was refused with a hash in the answer. */
export function logNotDone(
	context: IExecuteSingleFunctions,
	call: CanonicalCall,
	{ details }: ServiceError,
): void {
	const hashes = details.hashes?.join(', ') ?? 'no hash known';
	context.logger.warn(
		`Contract write ${details.outcome === 'refused' ? 'refused' : 'of unknown outcome'}: ${hashes}, ${placeOf(context, call)}: ${inOneLine(details.message)}`,
	);
}
