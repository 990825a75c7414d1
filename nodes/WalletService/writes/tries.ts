import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { filledInByModel, isTool } from '../request/run/tool-call';
import type { WriteKey } from './key';
import type { Place } from './place';
import { writeKey } from './key';
import { records } from './ledger/process-memory';
import type { WriteRecord } from './ledger/process-records';

/** What the tries of an item share: the key that the first one has settled, and what is known of its write. */
export interface Tries {
	key?: WriteKey;
	record?: WriteRecord;
	/** Whether a Retry has decided the item by all writes of the execution: that at its place may be another item's. */
	isDecided?: true;
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
 * What is known of the write of an item: by its earlier tries or, if n8n runs the same execution again, under its key.
 *
 * @example tryRecordOf(context, placeOf(context)) // undefined, before it is sent
 */
export function tryRecordOf(
	context: IExecuteSingleFunctions,
	place: Place,
): WriteRecord | undefined {
	const { key, record, isDecided } = triesOf(context);
	// Equal calls of tools are found by what they are; an order may be another node's, and the service knows it.
	const isFound = record !== undefined || isDecided || isTool(context);
	if (isFound || key?.orderId !== undefined) return record;
	return records.find(place.scope, (key ?? writeKey(context, place)).first);
}

/**
 * The same of all items of the run, in their order.
 *
 * @example recordsOfRun(context, placeOf(context)) // [], before the first is sent
 */
export function recordsOfRun(
	context: IExecuteSingleFunctions,
	place: Place,
): [item: number, record: WriteRecord][] {
	const ofRun = records.ofNode(place).filter((write) => write.place.run === place.run);
	const known = new Map(ofRun.map((write) => [write.place.item, write.record]));
	for (const [item, { record }] of itemsOf(context)) if (record) known.set(item, record);
	return [...known].sort(([one], [other]) => one - other);
}
