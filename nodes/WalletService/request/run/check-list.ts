import type { IExecuteFunctions } from 'n8n-workflow';

import { foreignWords } from '../../values/quote';
import { settle } from '../../values/settle';
import type { FailureCode } from '../failure/failure-code';
import type { Unsendable } from '../failure/node-error';
import { toListError } from '../failure/node-error';
import { ServiceError } from '../failure/service-error';
import type { Item } from './item';
import type { Planned } from './plan';
import type { Run } from './run';
import { placeOf, prepareItem } from './run-item';

function nameOf({ context }: Item): string {
	const columns = Object.entries(context.getInputData().json);
	return foreignWords(columns.find(([column]) => /^(full[ _]?)?name$/i.test(column))?.[1]);
}

/** What became of an earlier write in place of an item. */
const OF_EARLIER: readonly FailureCode[] = [
	...(['not-sent-again', 'order-conflict', 'order-failed', 'retry-conflict'] as const),
];

/** Whether a request failed, and the item is not only refused because of an earlier one. */
const isOfRequest = ({ failure }: Unsendable): boolean =>
	failure instanceof ServiceError &&
	(!OF_EARLIER.includes(failure.details.code) || isUnasked({ failure }));

/** Whether the service could not be asked what became of an earlier write. */
function isUnasked({ failure }: Unsendable): boolean {
	const { code, httpStatus, connectionCode } =
		failure instanceof ServiceError ? failure.details : {};
	return code === 'not-sent-again' && (httpStatus ?? connectionCode) !== undefined;
}

const isUnknown = ({ failure }: Unsendable): boolean =>
	failure instanceof ServiceError && failure.details.state === 'unknown';

const isOther = ({ failure }: Unsendable): boolean =>
	failure instanceof ServiceError && failure.details.code === 'retry-conflict';

/**
 * Checks a list before its first write, if the first failure would stop the run: otherwise part of it would be sent. Each
 * item is prepared as for sending, and again when its turn comes. In a Retry that continues after failures, only what was
 * sent before counts: in place of an item or, if the list has changed, perhaps at another place.
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
	const continues = context.continueOnFail();
	const isList = run.isSequential && run.total > 1 && (!continues || context.getMode() === 'retry');
	// Invalid options refuse the first item.
	if (run.invalidOptions !== undefined) return;
	if (foresee && context.getMode() === 'retry')
		// An item that cannot be read fails when its turn comes.
		for (let index = 0; index < run.total; index++) await settle(foresee(itemAt(index), run));
	if (!isList) return;
	run.ahead = new Map();
	const failures: Unsendable[] = [];
	let concernsAll = false;
	for (let index = 0; index < run.total && !concernsAll; index++) {
		const item = itemAt(index);
		const checked = await settle(prepareItem(operation, item, run).then(({ send }) => send()));
		if (checked.status === 'fulfilled') continue;
		const failure = explain?.(item, checked.reason) ?? checked.reason;
		const failed = { failure, itemIndex: index, name: nameOf(item) };
		failures.push(failed);
		concernsAll = continues ? isUnasked(failed) : isOfRequest(failed);
	}
	for (const { assertEnough } of concernsAll || continues ? [] : run.ahead.values()) {
		const checked = await settle(assertEnough());
		if (checked.status === 'rejected') failures.push({ failure: checked.reason });
	}
	run.ahead = undefined;
	// Each is recorded again when its turn comes.
	const before = run.submitted.splice(0);
	run.firstOther = failures.find(isOther)?.itemIndex;
	run.firstUnasked = failures.find(isUnasked)?.itemIndex;
	const main = failures.find(isUnknown) ?? failures[0];
	// Of a node that continues although it throws, n8n outputs the input, as if it were the result.
	if (main === undefined || continues) return;
	const item = itemAt(main.itemIndex ?? 0);
	const place = placeOf(operation, item, run, operation.route.url);
	const submitted = [...new Set([...before, ...(recall?.(item) ?? [])])];
	const { itemIndex } = main;
	throw toListError(failures, main, { ...place, itemIndex, submitted, total: run.total });
}
