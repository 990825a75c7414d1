import type { IExecuteSingleFunctions, INode } from 'n8n-workflow';

import { awaitedCall, executionIdOf } from '../request/run/tool-call';
import { momentOf } from '../values/clock';
import { isItem } from '../values/objects';

/** A run of a node, as far as n8n's data have it. */
interface RunOfNode {
	readonly startTime?: number;
	readonly executionStatus?: string;
	readonly data?: unknown;
	/** What a model asks of a tool; n8n notes it for all calls of a turn, before the first one runs. */
	readonly inputOverride?: unknown;
	/** The runs before it; of a tool, that of its agent. */
	readonly source?: ReadonlyArray<unknown>;
}

/** The runs of the execution by node; those of the first execution with them in a Retry. */
function runsByNode(context: IExecuteSingleFunctions): Readonly<Record<string, RunOfNode[]>> {
	const { resultData } = Object(Reflect.get(context, 'runExecutionData'));
	return Object(Object(resultData).runData);
}

/**
 * Whether the node's first run is one that n8n has invented after a crash, because it had saved none: a Retry of the
 * execution then begins at the second, although it repeats the first.
 *
 * @example beginsInvented(context) // false, except in a Retry after a crash
 */
export function beginsInvented(context: IExecuteSingleFunctions): boolean {
	const { executionStatus, data } = Object(runsByNode(context)[context.getNode().name]?.[0]);
	const [item] = Object(data).main?.[0] ?? [];
	return (
		executionStatus === 'crashed' || Object(item).json?.isArtificialRecoveredEventItem === true
	);
}

/** The first item in the data of a tool. */
const toolItem = (data: unknown): unknown => Object(Object(data).ai_tool?.[0]?.[0]).json;

/** A run of a tool, or of an agent that led to it. */
interface Link {
	readonly name: string;
	readonly index: number;
	/** Absent as long as n8n keeps nothing of it. */
	readonly run: RunOfNode | undefined;
}

/** A run of a tool, the run of the agent that asked for it, that of the one whose tool this agent is, and so on. */
function chainOf(
	context: IExecuteSingleFunctions,
	name: string,
	index: number,
	run = runsByNode(context)[name]?.[index],
): Link[] {
	const { previousNode, previousNodeRun = 0 } = Object(run?.source?.[0]);
	const isAsked = run?.inputOverride !== undefined && typeof previousNode === 'string';
	const askers = isAsked ? chainOf(context, previousNode, previousNodeRun) : [];
	return [{ name, index, run }, ...askers];
}

const askedIn = (run: RunOfNode | undefined): unknown => toolItem(run?.inputOverride);

/** The words in the expressions of a node, among them the names of all fields that it reads. */
function wordsOf({ parameters }: INode): ReadonlySet<string> {
	const expressions = JSON.stringify(parameters).match(/"=(?:[^"\\]|\\.)*/g);
	return new Set(String(expressions).split(/\\.|\W/));
}

/**
 * The values of models on which a tool's call depends: its own, and those for its agents that it reads, because n8n shows
 * them to its expressions as parts of the item. `undefined` if no model has asked for it.
 */
function valuesIn(chain: readonly Link[], words: ReadonlySet<string>): string | undefined {
	const [own, ...ofAgents] = chain.map(({ run }) => askedIn(run));
	if (!isItem(own)) return undefined;
	const isRead = ([key]: [string, unknown]) => key.split('-').every((word) => words.has(word));
	const shown: object = Object.assign({}, ...ofAgents.reverse());
	const read = Object.fromEntries(Object.entries(shown).filter(isRead));
	return JSON.stringify(Object.entries({ ...read, ...own }).sort());
}

/** A run of a tool; n8n removes that of a call that has failed before its Retry, but the agent still waits for it. */
function toolRun(context: IExecuteSingleFunctions, run: number): RunOfNode | undefined {
	const { name } = context.getNode();
	const known = runsByNode(context)[name]?.[run];
	const awaited = known ? undefined : awaitedCall(context, name, run);
	if (awaited === undefined) return known;
	const { node, runIndex } = awaited.agent;
	return {
		inputOverride: { ai_tool: [[{ json: awaited.action.input }]] },
		source: [{ previousNode: node.name, previousNodeRun: runIndex }],
	};
}

const hasFailed = (run: RunOfNode | undefined): boolean =>
	run?.executionStatus === 'error' || Boolean(Object(toolItem(run?.data)).error);

/**
 * Whether the model that began both chains does not know the result of the earlier one, because an agent between them has
 * failed, and asks again. Two calls of one turn are two wishes.
 */
function isUntold(
	context: IExecuteSingleFunctions,
	earlier: readonly Link[],
	own: readonly Link[],
): boolean {
	const isSame = (one: Link | undefined, other: Link) =>
		one?.name === other.name && one.index === other.index;
	const asker = earlier.findIndex((one) => own.some((other) => isSame(one, other)));
	const asked =
		asker < 1 ? undefined : own[own.findIndex((one) => isSame(earlier[asker], one)) - 1];
	if (asked === undefined || !earlier.slice(1, asker).some(({ run }) => hasFailed(run)))
		return false;
	const turn = awaitedCall(context, asked.name, asked.index)?.calls ?? [];
	return !turn.some(({ nodeName: name, runIndex: index }) =>
		isSame(earlier[asker - 1], { name, index, run: undefined }),
	);
}

/**
 * The run that one of a tool repeats: itself or one whose result the model never got. The agent, a tool itself, has failed
 * since, and the agent that calls it reads no more than that. Or, in a Retry after a crash, it was cut off, or its agent
 * was: n8n also saves progress while a tool runs; it then continues without this run, and the model, which reads an empty
 * result, calls the tool again, and once more after a failure.
 *
 * @example repeatedRun(context, 3) // 3, except in such cases
 */
export function repeatedRun(context: IExecuteSingleFunctions, run: number): number {
	const node = context.getNode();
	const { name } = node;
	const runs = runsByNode(context)[name] ?? [];
	const own = chainOf(context, name, run, toolRun(context, run));
	if (own[0]?.run?.inputOverride === undefined) return run;
	const words = wordsOf(node);
	const asked = valuesIn(own, words);
	if (asked === undefined) return run;
	const lost: number[] = [];
	for (const [index, earlier] of runs.slice(0, run).entries()) {
		const chain = chainOf(context, name, index);
		if (valuesIn(chain, words) !== asked) continue;
		const [, asker] = chain;
		const lasting = asker?.run === undefined || asker.run === own[1]?.run ? earlier : asker.run;
		const isCutOff = [earlier, lasting].some((one) => one.executionStatus === undefined);
		const isDone = !hasFailed(earlier);
		if (context.getMode() === 'retry' && isCutOff) lost.push(index);
		else if (isDone && isUntold(context, chain, own)) lost.push(index);
		else if (isDone) lost.shift();
	}
	return lost[0] ?? run;
}

interface Sent {
	readonly submittedAt: string;
	readonly sentAtMs?: number;
	readonly execution?: string;
}

/** The service tells times in whole seconds, and answers late; n8n takes longer to start again. */
const TOLERANCE_MS = 2_000;

/**
 * Whether a write was sent for items that may be others than those of this run: a Retry that has run other steps before
 * the node, or an execution of which a Retry has run ahead. n8n counts the runs of each Retry from 0, that of the node
 * included.
 */
function isOfOtherItems(context: IExecuteSingleFunctions, sender: string | undefined): boolean {
	if (context.getMode() !== 'retry') return sender !== undefined;
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	// Calls of an agent for several items can have the same values of the model.
	const isRepeat = repeatedRun(context, $runIndex) !== $runIndex;
	return isRepeat || Object(Reflect.get(context, 'additionalData')).currentNodeExecutionIndex > 1;
}

/**
 * Whether a node of the execution has begun a run after a write at this node's place was sent. Then a Retry has not
 * begun at this node but before, as after a crash without saved progress, and its items may be others. The time proves
 * nothing if another Retry of the same execution has sent the write meanwhile.
 *
 * @param write when it was sent, and by which execution, if known
 * @example hasRunSince(context, { submittedAt: '2026-11-21T13:28:22.000Z' }) // true, in such a Retry
 */
export function hasRunSince(
	context: IExecuteSingleFunctions,
	{ submittedAt, sentAtMs = NaN, execution }: Sent,
): boolean {
	// n8n's further attempts have the same item, whatever has begun beside them.
	if (execution === executionIdOf(context)) return false;
	if (isOfOtherItems(context, execution)) return true;
	const latest = (sentAtMs || momentOf(submittedAt)) + TOLERANCE_MS;
	const runs = Object.values(runsByNode(context)).flat();
	return runs.some(({ startTime = 0 }) => startTime > latest);
}
