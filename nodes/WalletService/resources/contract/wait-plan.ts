import type { IDataObject } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import { comparisonBy } from '../../contract/comparison';
import { functionKey } from '../../contract/function';
import { ServiceError } from '../../request/failure/service-error';
import type { ServiceClient } from '../../request/http/service-client';
import type { Item } from '../../request/run/item';
import type { Look } from '../../request/run/look-again';
import { lookUntil } from '../../request/run/look-again';
import type { Run } from '../../request/run/run';
import { monotonicMs, wallClockMs } from '../../values/clock';
import { quote } from '../../values/quote';
import { LookUps } from '../look-ups/look-ups';
import { lookedFields } from '../wait-up-to';
import type { PlannedCall } from './contract-call';
import { completeCall } from './contract-call';
import { comparableResponse, readContract, responseOf } from './response';
import type { Wait } from './wait-until';

interface LookedAnswer {
	readonly answer: unknown;
	readonly isMet: boolean;
}

/** What a read with Wait Until needs. */
export interface Waiting {
	readonly item: Item;
	readonly run: Run;
	readonly planned: PlannedCall;
	readonly wait: Wait;
	/** The items of an answer. */
	readonly itemsOf: (answer: unknown, checked: CheckedCall) => IDataObject[];
}

/** Behind *is not*. */
const IN_WORDS = { atLeast: 'at least ', atMost: 'at most ', is: '', isNot: 'other than ' };

function notMet(
	{ planned: { contractFunction }, wait: { condition } }: Waiting,
	value: unknown,
	{ checkedFor }: IDataObject,
): ServiceError {
	const state =
		condition.name === 'changed'
			? 'as at the first look'
			: `which is not ${IN_WORDS[condition.name]}${quote(condition.operand)}`;
	return new ServiceError({
		message: `${functionKey(contractFunction)} gives ${quote(value)}, ${state} (looked for ${String(checkedFor)} s)`,
		hint: 'Look again later, or give a longer time under Wait Until',
		code: 'not-met',
	});
}

/**
 * Reads again and again until the condition is met or the time is over.
 *
 * @throws ServiceError when a read fails, when its answer cannot be compared, and, if the item says so, when the condition
 * is not met.
 */
export async function readUntil(waiting: Waiting, client: ServiceClient): Promise<IDataObject[]> {
	const { item, run, planned, wait, itemsOf } = waiting;
	const { condition, waitMs, mustBeMet } = wait;
	const { contractFunction, contractAddress } = planned;
	const lookUps = new LookUps({ item, run, client }, contractAddress);
	const checked = await completeCall(planned, 'read', lookUps);
	const isAsWanted =
		condition.name === 'changed'
			? undefined
			: await comparisonBy(contractFunction, condition, lookUps);
	let first: string | undefined;
	const look = async (): Promise<Look<LookedAnswer>> => {
		const answer = await readContract(client, checked);
		// Not before: the item may have waited for other requests of the run.
		const times = { at: monotonicMs(), checkedAt: wallClockMs() };
		const value = comparableResponse(contractFunction, responseOf(answer));
		first ??= JSON.stringify(value);
		const isMet = isAsWanted?.(value) ?? JSON.stringify(value) !== first;
		return { ...times, found: { answer, isMet } };
	};
	const last = await lookUntil({ item, run, waitMs }, look, ({ isMet }) => isMet);
	const { answer, isMet } = last.found;
	const looked = lookedFields(last);
	const items = itemsOf(answer, checked);
	if (!isMet && mustBeMet) throw notMet(waiting, items[0]?.value ?? responseOf(answer), looked);
	const met = { met: isMet };
	return items.map((json) => Object.assign({ ...met }, json, looked, met));
}
