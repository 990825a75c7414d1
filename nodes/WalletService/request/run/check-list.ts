import type { IExecuteFunctions } from 'n8n-workflow';

import { settle } from '../../values/settle';
import type { FailureCode } from '../failure/failure-code';
import type { Unsendable } from '../failure/node-error';
import { toListError } from '../failure/node-error';
import { ServiceError } from '../failure/service-error';
import type { Item } from './item';
import type { Planned } from './plan';
import type { Run } from './run';
import { errorPlace, prepareItem } from './run-item';

/** What became of an earlier write in place of an item. */
const OF_EARLIER: readonly FailureCode[] = [
	...(['not-sent-again', 'order-conflict', 'order-failed', 'retry-conflict'] as const),
];

/** Whether a request failed, and the item is not only refused because of an earlier one. */
function isOfRequest({ failure }: Unsendable): boolean {
	if (!(failure instanceof ServiceError)) return false;
	const { code, httpStatus, connectionCode } = failure.details;
	return !OF_EARLIER.includes(code) || (httpStatus ?? connectionCode) !== undefined;
}

const isUnknown = ({ failure }: Unsendable): boolean =>
	failure instanceof ServiceError && failure.details.state === 'unknown';

/**
 * Checks a list before its first write, if the first failure would stop the run: otherwise part of it would be sent. Each
 * item is prepared as for sending. What it asks for is kept until its turn: what was checked is what is sent.
 *
 * @throws NodeApiError or NodeOperationError that lists the items that cannot be sent
 */
export async function assertList(
	operation: Planned,
	itemAt: (index: number) => Item,
	run: Run,
	context: IExecuteFunctions,
): Promise<void> {
	const { explain, foresee, recall } = operation;
	const isList = run.isSequential && run.total > 1 && !context.continueOnFail();
	// Invalid options refuse the first item.
	if (run.invalidOptions !== undefined) return;
	if (foresee && context.getMode() === 'retry')
		for (let index = 0; index < run.total; index++) {
			await run.pacer.yield();
			// An item that cannot be read fails when its turn comes.
			await settle(foresee(itemAt(index), run));
		}
	if (!isList) return;
	run.ahead = new Map();
	const failures: Unsendable[] = [];
	let concernsAll = false;
	for (let index = 0; index < run.total && !concernsAll; index++) {
		const item = itemAt(index);
		const checked = await settle(prepareItem(operation, item, run).then(({ send }) => send()));
		if (checked.status === 'fulfilled') continue;
		const failure = explain?.(item, checked.reason) ?? checked.reason;
		const failed = { failure, itemIndex: index, row: run.nameOf(index) };
		failures.push(failed);
		concernsAll = isOfRequest(failed);
	}
	for (const { assertEnough } of concernsAll ? [] : run.ahead.values()) {
		const checked = await settle(assertEnough());
		if (checked.status === 'rejected') failures.push({ failure: checked.reason });
	}
	run.ahead = undefined;
	// Each is recorded again when its turn comes.
	const before = run.submitted.splice(0);
	const main = failures.find(isUnknown) ?? failures[0];
	if (main === undefined) return;
	const item = itemAt(main.itemIndex ?? 0);
	const place = errorPlace(operation, item, run, operation.route.url);
	const submitted = [...new Set([...before, ...(recall?.(item, run) ?? [])])];
	const { itemIndex } = main;
	throw toListError(failures, main, { ...place, itemIndex, submitted, total: run.total });
}
