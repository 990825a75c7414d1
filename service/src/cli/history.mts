import { agreedBlock } from '../history/agreement.mts';
import { HistoryIndex } from '../history/history-index.mts';
import { connectChain, networkFor } from '../identity.mts';
import { readCursors, type Cursors, type Gap } from '../store/cursors.mts';
import { rebuildAfter } from '../store/readings.mts';
import { transfersSince } from '../store/transfers.mts';
import type { Commands, Run } from './command-line.mts';
import { openHome } from './open-home.mts';
import { UsageError } from './usage-error.mts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/**
 * The first block to read again: the one that is asked for, or the oldest one that was read. So many blocks are read at least
 * as lie above a final one.
 */
function firstBlock(
	asked: string | undefined,
	{ final }: Cursors,
	gaps: readonly Gap[],
	depth: number,
): number {
	if (asked !== undefined && !/^\d{1,9}$/.test(asked)) {
		throw new UsageError(`"${asked}" is not the number of a block`);
	}
	const oldest = Math.min(final.block, ...gaps.map(({ block }) => block));
	const first = asked === undefined ? oldest : Number(asked);
	if (first > final.block) {
		throw new UsageError(
			`Block ${first} is not final in the history: the last one is ${final.block}`,
		);
	}
	// No transaction is in the first block of a chain.
	return Math.max(1, Math.min(first, final.block - depth));
}

/** Reads the history again from a block, from as many endpoints as must agree, whether the service runs or not. */
const rebuild: Run = async (_argument, { from }, environment) => {
	await using open = await openHome(environment);
	const { db, settings } = open;
	const { cursors, gaps } = await readCursors(db);
	if (!cursors) throw new UsageError('There is no history yet: it is read when the service runs');
	const endpoints = await connectChain(db, settings.rpc);
	const { depth } = networkFor(endpoints.identity.chainId, settings);
	const first = firstBlock(from, cursors, gaps, depth);
	const last = Math.min(cursors.final.block, Number(await endpoints.finalBlock(depth)));
	const below = await agreedBlock(endpoints.clients(), first - 1, endpoints.quorum);
	if (!below)
		throw new UsageError(`Too few endpoints have block ${first - 1}: nothing was changed`);
	const before = await transfersSince(db, first);
	if (!(await rebuildAfter(db, { block: below.number, hash: below.hash }))) {
		throw new UsageError('The history was changed meanwhile: try again');
	}
	print(`The history is read again from block ${first} to ${last}`);
	let problem = 'Too few endpoints answer';
	const index = new HistoryIndex({
		db,
		endpoints,
		depth,
		log: (text: string) => void (problem = text),
		firstBlock: (final) => final - settings.historyBlocks + 1,
	});
	const finalNow = async () => (await readCursors(db)).cursors?.final.block ?? 0;
	while ((await finalNow()) < last) {
		await endpoints.poll();
		if (await index.round()) continue;
		if ((await finalNow()) >= last) break;
		throw new UsageError(`${problem}. It is read up to block ${await finalNow()}`);
	}
	print(`Transfers from there on: ${before} before, ${await transfersSince(db, first)} now`);
};

export const commands: Commands = { 'history rebuild': rebuild };
