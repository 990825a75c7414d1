/** Lists of writes by their labels. */
import { DAY, secondsAgo } from './clock.mts';
import { lockExecution, type Group } from './labels.mts';
import type { Database, LabelRow, Queries } from './tables.mts';
import { lockWallet } from './wallets.mts';
import { withAttempts, type StoredWrite } from './writes.mts';

/** A write with its labels. */
export type LabelledWrite = StoredWrite & { labels: LabelRow };

/** Which equal calls of a node are listed. */
export interface EqualCalls {
	node: string;
	/** Label of the call. */
	call: string;
	/** How long ago at most, in seconds. */
	within: number;
}

/** Most writes of a list, and most characters of their signed transactions: a list is never cut. */
const MOST = { writes: 10_000, characters: 20_000_000 };

/** There are more writes than a list may have. */
export class ListTooLong extends Error {}

/** Executions that a token may begin again in a day, each of which is kept for ever. */
const MAX_EXECUTIONS = 10_000;

/** The token has begun attempts of too many executions. Nothing was changed. */
export class TooManyExecutions extends Error {
	constructor() {
		super(`This access token has begun attempts of ${MAX_EXECUTIONS} executions in 24 hours`);
	}
}

/** The writes of an execution are another user's, at least in part. */
export class OtherUser extends Error {
	constructor() {
		super('Another user has sent writes of this execution');
	}
}

/** The labels of a user's writes of a node: those of an execution, or those of a call since a moment. */
function labelled(
	db: Queries,
	userId: string,
	{ node, ...of }: Group | { node: string; call: string; since: string },
) {
	const ofNode = db
		.selectFrom('labels')
		.where('labels.user_id', '=', userId)
		.where('labels.node', '=', node);
	return 'execution' in of
		? ofNode.where('labels.execution', '=', of.execution)
		: ofNode.where('labels.call', '=', of.call).where('labels.at', '>=', of.since);
}

/** All writes with such labels, the oldest first. @throws ListTooLong */
async function allWith(...of: Parameters<typeof labelled>): Promise<LabelledWrite[]> {
	const found = labelled(...of);
	const attempts = found.innerJoin('attempts', 'attempts.write_id', 'labels.write_id');
	const size = await attempts
		.select(({ fn }) => [
			fn.count('labels.write_id').distinct().as('writes'),
			fn.sum(fn<number>('length', ['attempts.raw'])).as('characters'),
		])
		.executeTakeFirstOrThrow();
	if (Number(size.writes) > MOST.writes || Number(size.characters) > MOST.characters) {
		throw new ListTooLong('There are more writes than can be listed at once');
	}
	const labels = new Map<string, LabelRow>();
	for (const row of await found.selectAll('labels').execute()) labels.set(row.write_id, row);
	const ofWrites = Map.groupBy(
		await attempts.selectAll('attempts').orderBy('no', 'desc').execute(),
		({ write_id: id }) => id,
	);
	const writes = await found
		.innerJoin('writes', 'writes.id', 'labels.write_id')
		.selectAll('writes')
		.orderBy('nonce')
		.execute();
	return writes.flatMap((write) => {
		const own = labels.get(write.id);
		const stored = withAttempts({ write, attempts: ofWrites.get(write.id) ?? [] });
		return own ? [{ ...stored, labels: own }] : [];
	});
}

/** Notes that a token has begun the first attempt of an execution. @throws TooManyExecutions */
async function countExecution(
	transaction: Queries,
	tokenId: string,
	{ node, execution }: Group,
): Promise<void> {
	await transaction
		.updateTable('executions')
		.set({ token_id: tokenId, begun_at: await secondsAgo(transaction, 0) })
		.where('node', '=', node)
		.where('execution', '=', execution)
		.execute();
	const { count } = await transaction
		.selectFrom('executions')
		.select(({ fn }) => fn.countAll().as('count'))
		.where('token_id', '=', tokenId)
		.where('begun_at', '>', await secondsAgo(transaction, DAY))
		.executeTakeFirstOrThrow();
	if (Number(count) > MAX_EXECUTIONS) throw new TooManyExecutions();
}

/** Whether another user has sent a write of an execution. */
async function hasOther(db: Queries, userId: string, { node, execution }: Group): Promise<boolean> {
	const row = await db
		.selectFrom('labels')
		.select('write_id')
		.where('node', '=', node)
		.where('execution', '=', execution)
		.where('user_id', '!=', userId)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}

/**
 * Begins an attempt of an execution, in one transaction that commits of its writes wait for, whoever sends them: no write of an
 * earlier attempt is stored any more, and what was stored before is listed.
 *
 * @param beforeCommit awaited when all is written and read
 * @returns the number of the attempt, and all writes of the execution, the oldest first
 * @throws ListTooLong, TooManyExecutions, or OtherUser, whose wallet would pay a second time, and changes nothing
 */
export async function beginAttempt(
	db: Database,
	{
		userId,
		tokenId,
		walletId,
		...group
	}: Group & { userId: string; tokenId: string | null; walletId: number },
	beforeCommit: () => Promise<void> | void = () => undefined,
): Promise<{ attempt: number; writes: LabelledWrite[] }> {
	return await db.transaction().execute(async (transaction) => {
		await lockWallet(transaction, walletId);
		const attempt = await lockExecution(transaction, group, true);
		if (attempt === 1 && tokenId !== null) await countExecution(transaction, tokenId, group);
		if (await hasOther(transaction, userId, group)) throw new OtherUser();
		const writes = await allWith(transaction, userId, group);
		await beforeCommit();
		return { attempt, writes };
	});
}

/** Writes of a user's node with an equal call, the newest first; times by the clock of the database. @throws ListTooLong */
export async function equalCalls(
	db: Database,
	userId: string,
	{ node, call, within }: EqualCalls,
): Promise<LabelledWrite[]> {
	const since = await secondsAgo(db, within);
	return (await allWith(db, userId, { node, call, since })).reverse();
}
