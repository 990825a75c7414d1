import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { CheckedCall } from '../../contract/call';
import type { ServiceClient } from '../../request/http/service-client';
import { ExpiringMap } from '../../values/caches';
import { wallClockMs } from '../../values/clock';
import { accountName, accountOf } from '../account';
import type { CheckedList } from './checked-list';
import type { Origin } from '../place';
import type { Labels } from '../ledger/labels';
import type { ListedWrite } from '../ledger/ledger';
import { equalCalls } from '../ledger/service-ledger';
import { records } from '../ledger/process-memory';
import type { WriteRecord } from '../ledger/process-records';
import { ScopedMap } from '../ledger/process-records';
import type { PinnedCredential } from '../pinned-credential';

const MINUTE_MS = 60_000;
/** How long an equal call of a tool's node in another execution is answered by the first one. */
const OF_TOOLS_MS = 10 * MINUTE_MS;

/** By what equal calls of tools are found. */
export interface ToolCall {
	/** Identifies the call with its account and, where the service keeps no orders, its Order ID. */
	readonly ofExecution: string;
	/** The same with the workflow and the name of the node. */
	readonly ofNode: string;
}

/** Submissions by execution, or invocation, and call. */
const ofExecutions = new ScopedMap<WriteRecord>(24 * 60 * MINUTE_MS);

/** Submissions of other executions that stand for writes of an execution, by node and key. */
const standing = new ScopedMap<true>(24 * 60 * MINUTE_MS);

/** The newest submissions by node and call. */
const ofNodes = new ExpiringMap<WriteRecord>({ maxEntries: 100_000, holdsForMs: OF_TOOLS_MS });

/**
 * Notes a submission that answers a tool's call in an execution, which may be that of another one.
 *
 * @example noteForExecution({ budget: 'execution 1' }, call, { state: 'answered', … });
 */
export function noteForExecution(
	{ budget }: Pick<Origin, 'budget'>,
	{ ofExecution }: ToolCall,
	record: WriteRecord,
): void {
	ofExecutions.active(budget).set(ofExecution, record);
}

/** A record of the last ten minutes: what was found or replayed now may have been sent long ago. */
function recent(record: WriteRecord | undefined): WriteRecord | undefined {
	if (record?.state !== 'answered') return record;
	const { sentAtMs = Date.parse(record.submittedAt) } = record;
	return wallClockMs() - sentAtMs > OF_TOOLS_MS ? undefined : record;
}

/**
 * Notes a submission of a tool, from now on for other executions as well, for ten minutes after it was sent.
 *
 * @example noteOfTool({ budget: 'execution 1' }, call, { state: 'answered', … });
 */
export function noteOfTool(
	origin: Pick<Origin, 'budget'>,
	toolCall: ToolCall,
	record: WriteRecord,
): void {
	noteForExecution(origin, toolCall, record);
	ofNodes.set(toolCall.ofNode, record);
}

/** The record of a write that the service has listed. */
async function inList(
	context: IExecuteSingleFunctions,
	planned: PromiseSettledResult<CheckedCall>,
	listed: ListedWrite | undefined,
): Promise<WriteRecord | undefined> {
	if (listed === undefined) return undefined;
	const result = await listed.result(context, planned);
	const { replayOf: call } = result;
	return call && { ...result, execution: listed.execution, state: 'answered', call };
}

/** A write whose equals are looked for. */
interface Asking extends Origin {
	readonly pinned: PinnedCredential;
	/** Present if the service lists writes. */
	readonly labels: Labels | undefined;
}

/** How they are found. */
interface Equals {
	/** Digest of the call. */
	readonly digest: string;
	/** Its name in this process. */
	readonly nodeKey: string;
	/** The list that is being checked; without one, the submission stands for the write from here on. */
	readonly list: Pick<CheckedList, 'standing'> | undefined;
}

/**
 * Finds an equal submission of the same node in another execution, where steps are repeated by hand. Equal items are as many
 * writes, so one that already stands for a write of this execution is left out.
 *
 * @returns the newest
 * @throws ServiceError if the service cannot be asked
 * @example await findOfSteps(context, client, known, planned, { digest, nodeKey, list: undefined }) // undefined, if there is none
 */
export async function findOfSteps(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	{ budget, place, execution = '', repeatWindowMs: withinMs, pinned, labels }: Asking,
	planned: PromiseSettledResult<CheckedCall>,
	{ digest, nodeKey, list }: Equals,
): Promise<WriteRecord | undefined> {
	const ofExecution = standing.active(budget);
	const account = accountName(accountOf(pinned));
	const nameOf = (key: string) => JSON.stringify([place.node, account, key]);
	const taken = list?.standing ?? ofExecution;
	const select = <Write extends { readonly key: string }>(equal: readonly Write[]) => {
		const isFree = (name: string) => !ofExecution.has(name) && !taken.has(name);
		const found = equal.find(({ key }) => isFree(nameOf(key)));
		if (found) taken.set(nameOf(found.key), true);
		return found;
	};
	if (labels === undefined) return select(records.equalCalls(nodeKey, execution, withinMs))?.read();
	return await inList(
		context,
		planned,
		select(await equalCalls(client, labels, { digest, withinMs, isOfOthers: true }, pinned)),
	);
}

/**
 * Finds the submission that answers an equal call of a tool: a model never sends one twice in an execution, whatever n8n does
 * with its turns and results. For ten minutes, this also holds across the executions of a node, in whichever process: a caller
 * without an answer asks again.
 *
 * @param digest of the call
 * @throws ServiceError if the service cannot be asked
 * @example await findOfTool(context, client, known, planned, { toolCall, digest }) // undefined, if there is none
 */
export async function findOfTool(
	context: IExecuteSingleFunctions,
	client: ServiceClient,
	{ budget, pinned, labels }: Pick<Asking, 'budget' | 'pinned' | 'labels'>,
	planned: PromiseSettledResult<CheckedCall>,
	{ toolCall, digest }: { readonly toolCall: ToolCall; readonly digest: string },
): Promise<WriteRecord | undefined> {
	const { ofExecution, ofNode } = toolCall;
	const known = ofExecutions.find(budget)?.get(ofExecution) ?? recent(ofNodes.get(ofNode));
	if (known !== undefined || labels === undefined) return known;
	const equal = await equalCalls(
		client,
		labels,
		{ digest, withinMs: OF_TOOLS_MS, isOfOthers: false },
		pinned,
	);
	// An order answers only for itself.
	return await inList(
		context,
		planned,
		equal.find(({ order }) => order === undefined),
	);
}
