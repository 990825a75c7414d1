import { id } from 'ethers';
import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { executionIdOf } from '../../request/run/tool-call';
import type { Origin, Place } from '../place';
import type { Sent } from '../retry/decide';
import { scopeText } from '../scope-text';

/** By what a service lists writes; it takes up to 128 visible ASCII characters each, without a comma. */
export interface Labels {
	readonly node: string;
	readonly execution: string;
	readonly place: string;
}

/** The position of a write in its execution. @example positionOf({ scope: '', node: '', run: 1, item: 2 }) // '1/2' */
export const positionOf = ({ run, item }: Place): string => `${run}/${item}`;

/** Maximum length of an ID of an execution in a label. */
const MAX_ID = 40;

/**
 * The labels of a write, of which the service learns nothing but which are equal; `undefined` without an execution, which
 * nobody can retry, unless a model has made the call, and may make it again.
 *
 * @param input digest of the items of its run; empty if other runs may have the same
 * @example labelsOf(context, originOf(context), '5f16', false)?.place // '0/2:231:5f16'
 */
export function labelsOf(
	context: IExecuteSingleFunctions,
	{ place, budget }: Pick<Origin, 'place' | 'budget'>,
	input: string,
	isOfTool: boolean,
): Labels | undefined {
	const { node } = place;
	const scope = isOfTool ? scopeText(budget) : place.scope;
	if (typeof scope !== 'string') return undefined;
	const digest = (...parts: string[]) =>
		id(JSON.stringify([context.getInstanceId(), ...parts])).slice(2);
	const execution = encodeURIComponent(executionIdOf(context) ?? '').slice(0, MAX_ID);
	return {
		node: digest(String(context.getWorkflow().id), node),
		execution: digest(scope),
		place: [positionOf(place), execution, input].join(':'),
	};
}

/**
 * Reads the label of a place.
 *
 * @example readPlace('0/2:231:5f16') // { place: '0/2', execution: '231', input: '5f16' }
 */
export function readPlace(label: string): Omit<Sent, 'call'> & { readonly execution: string } {
	const [place = '', execution = '', input = ''] = label.split(':');
	return { place, execution: decodeURIComponent(execution), input };
}

/** The label of a call. @param digest of the call @example callLabel('0xab') // 'ab' */
export const callLabel = (digest: string): string => digest.slice(2);

/**
 * The headers of a labelled write.
 *
 * @param digest of its call
 * @param attempt number of the Retry
 * @example headersOf({ node: 'ab', execution: 'cd', place: '0/0:231:' }, '0xef', '1')['Write-Attempt'] // '1'
 */
export function headersOf(
	{ node, execution, place }: Labels,
	digest: string,
	attempt?: string,
): Readonly<Record<string, string>> {
	const own = {
		'Write-Node': node,
		'Write-Execution': execution,
		'Write-Place': place,
		'Write-Call': callLabel(digest),
	};
	return attempt === undefined ? own : { ...own, 'Write-Attempt': attempt };
}
