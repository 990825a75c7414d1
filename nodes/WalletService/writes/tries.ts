import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { filledInByModel, isTool } from '../request/run/tool-call';
import type { Place, WriteKey } from './identity';
import { records } from './memory/process-memory';
import type { WriteRecord } from './memory/write-records';

/** What the tries of an item share: the key that the first one has settled, and what is known of its write. */
export interface Tries {
	key?: WriteKey;
	record?: WriteRecord;
}

/** By the object that n8n passes to each try of a run, and by item. */
const ofRuns = new WeakMap<object, Map<number, Tries>>();

function itemsOf(context: IExecuteSingleFunctions): Map<number, Tries> {
	const shared = filledInByModel(context) ?? context.getExecuteData();
	const items = ofRuns.get(shared) ?? new Map<number, Tries>();
	ofRuns.set(shared, items);
	return items;
}

/**
 * What the tries of an item share. n8n gives one object to all tries of a run, its execute data, and to nothing else; tools
 * outside its engine share the object with the model's values.
 *
 * @example triesOf(context).record // undefined, at the first try
 */
export function triesOf(context: IExecuteSingleFunctions): Tries {
	const items = itemsOf(context);
	const item = context.getItemIndex();
	const tries = items.get(item) ?? {};
	items.set(item, tries);
	return tries;
}

/**
 * What is known of the write of an item: by its earlier tries or, in a Retry, by those of the first execution.
 *
 * @example tryRecordOf(context, placeOf(context)) // undefined, before it is sent
 */
export const tryRecordOf = (
	context: IExecuteSingleFunctions,
	place: Place,
): WriteRecord | undefined => triesOf(context).record ?? records.find(place);

/**
 * The same of all items of the run, in their order.
 *
 * @example recordsOfRun(context, placeOf(context)) // [], before the first is sent
 */
export function recordsOfRun(
	context: IExecuteSingleFunctions,
	place: Place,
): [item: number, record: WriteRecord][] {
	const known = new Map(records.ofRun(place));
	for (const [item, { record }] of itemsOf(context)) if (record) known.set(item, record);
	return [...known].sort(([one], [other]) => one - other);
}

/**
 * Keeps what is known of the write of an item, for its later tries and for a Retry.
 *
 * @param equal by which other executions find a submission
 * @example keepRecord(context, place, { state: 'unknown', reason: 'no answer', hashes: [] });
 */
export function keepRecord(
	context: IExecuteSingleFunctions,
	place: Place,
	record: WriteRecord,
	equal?: string,
): void {
	triesOf(context).record = record;
	// Equal calls of tools are found by what they are.
	if (!isTool(context)) records.keep(place, record, equal);
}

/**
 * Forgets a write that was refused, so that it may be sent again.
 *
 * @example dropRecord(context, place);
 */
export function dropRecord(context: IExecuteSingleFunctions, place: Place): void {
	triesOf(context).record = undefined;
	records.remove(place);
}
