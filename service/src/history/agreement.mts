/** What the endpoints agree about in final blocks. One alone may leave out logs, or invent them. */
import type { Block } from '../rpc/blocks.mts';
import type { RpcClient } from '../rpc/client.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { ChainUnavailable, EndpointFailure } from '../rpc/failures.mts';
import type { TransferRow } from '../store/tables.mts';
import type { PlacedLog } from '../rpc/logs.mts';
import { readBlock, type Range } from './logs.mts';
import {
	Contradiction,
	LogsRefused,
	type Listing,
	type TransferReader,
	type Wanted,
} from './reader.mts';
import { isOf, rowsInBlock } from './rows.mts';
import { timeOf } from './times.mts';

/** Blocks in which endpoints list different logs that are read from their receipts in one reading. */
const MOST_COMPARED = 20;

/** Too few endpoints list the logs of a range. */
export class TooFewList extends ChainUnavailable {
	/** Whether enough endpoints answer, but refuse the logs. */
	readonly areRefused: boolean;

	constructor(areRefused: boolean, cause: unknown) {
		super('Too few endpoints list the transfers of a range of blocks', { cause });
		this.areRefused = areRefused;
	}
}

/** A block with its logs. */
export interface ListedBlock {
	block: Block;
	logs: readonly PlacedLog[];
}

export interface Agreement extends Range {
	/** The blocks with logs about which the endpoints agree, by number. */
	blocks: ReadonlyMap<number, ListedBlock>;
	/** Numbers of the blocks about which they do not, in order. */
	disputed: readonly number[];
	/** The anchor, if there is one. */
	anchor: Block | undefined;
	/** Those that agree about the last block. */
	clients: readonly RpcClient[];
}

/** What an endpoint lists: blocks with logs of the wallets. */
interface Said {
	listing: Listing;
	blocks: Map<number, ListedBlock>;
}

/** A form in which equal blocks are equal. Clients number logs differently: their order in a transaction counts. */
function formOf(listed: ListedBlock | undefined): string {
	if (!listed || listed.logs.length === 0) return '';
	const { block, logs } = listed;
	const ordered = logs.toSorted((a, b) => a.index - b.index);
	const byTransaction = [...Map.groupBy(ordered, (log) => log.transactionHash)].sort(([a], [b]) =>
		a < b ? -1 : 1,
	);
	const contents = byTransaction.map(([hash, own]) => [
		hash,
		own.map(({ address, topics, data }) => [address, topics, data]),
	]);
	return JSON.stringify([block.hash, block.time, contents]);
}

/** The largest group of equal ones, if it is large enough. */
function majority<T>(all: readonly T[], form: (one: T) => unknown, least: number): T[] | undefined {
	const groups = [...Map.groupBy(all, form).values()].sort((a, b) => b.length - a.length);
	return groups.find(({ length }) => length >= least);
}

function saidBy(listing: Listing, wallets: ReadonlySet<string>): Said {
	const own = listing.logs.filter((log) => isOf(log, wallets));
	const blocks = new Map<number, ListedBlock>();
	for (const [number, logs] of Map.groupBy(own, ({ blockNumber }) => blockNumber)) {
		const block = listing.blocks.get(number);
		if (block) blocks.set(number, { block, logs });
	}
	return { listing, blocks };
}

/** The numbers of blocks with logs for which too few endpoints say the same. */
function disputedIn(said: readonly Said[], quorum: number): number[] {
	const numbers = new Set(said.flatMap(({ blocks }) => [...blocks.keys()]));
	const isDisputed = (number: number) =>
		!majority(said, ({ blocks }) => formOf(blocks.get(number)), quorum);
	return [...numbers].filter(isDisputed).sort((a, b) => a - b);
}

/**
 * Reads a range from as many endpoints as must agree; where they do not, from the others, and in the end from the receipts: an
 * endpoint's index of logs may lack some.
 *
 * @param wanted.isDownwards whether the newest blocks count first
 * @throws TooFewList
 */
export async function agree(
	endpoints: Endpoints,
	reader: TransferReader,
	wanted: Wanted & { isDownwards?: boolean },
): Promise<Agreement> {
	const { quorum } = endpoints;
	const clients = endpoints.clients();
	const wallets = new Set(wanted.wallets);
	const listings: Said[] = [];
	const failures: unknown[] = [];
	const hear = async (some: readonly RpcClient[]): Promise<void> => {
		const asked = some.map((client) => reader.list(client, wanted));
		for (const one of await Promise.allSettled(asked)) {
			if (one.status === 'fulfilled') listings.push(saidBy(one.value, wallets));
			else if (one.reason instanceof EndpointFailure) failures.push(one.reason);
			else throw one.reason;
		}
	};
	const agreeing = () => majority(listings, ({ listing }) => listing.end.hash, quorum);
	await hear(clients.slice(0, quorum));
	for (const client of clients.slice(quorum)) {
		const said = agreeing();
		if (said && disputedIn(said, quorum).length === 0) break;
		await hear([client]);
	}
	const said = agreeing();
	if (!said) {
		const refusals = failures.filter((one) => one instanceof LogsRefused).length;
		const isContradicted = failures.some((one) => one instanceof Contradiction);
		if (listings.length < quorum && !isContradicted) {
			throw new TooFewList(listings.length + refusals >= quorum, failures[0]);
		}
		// They have different blocks with one number.
		const { from, to } = wanted.range;
		return { from, to, blocks: new Map(), disputed: [from, to], anchor: undefined, clients };
	}
	const unclear = disputedIn(said, quorum);
	const some = wanted.isDownwards ? unclear.slice(-MOST_COMPARED) : unclear.slice(0, MOST_COMPARED);
	for (const number of some) await compareReceipts(reader, said, number, wallets);
	return conclude(said, quorum, wanted.range);
}

/** Replaces what endpoints list of a block by what its receipts contain. */
async function compareReceipts(
	reader: TransferReader,
	said: readonly Said[],
	number: number,
	wallets: ReadonlySet<string>,
): Promise<void> {
	await Promise.all(
		said.map(async ({ listing, blocks }) => {
			try {
				const { block, logs } = await reader.listBlock(listing.client, number);
				blocks.set(number, { block, logs: logs.filter((log) => isOf(log, wallets)) });
			} catch (error) {
				// What it listed counts.
				if (!(error instanceof EndpointFailure)) throw error;
			}
		}),
	);
}

function conclude(said: readonly Said[], quorum: number, range: Range): Agreement {
	const disputed = disputedIn(said, quorum);
	const blocks = new Map<number, ListedBlock>();
	for (const number of new Set(said.flatMap((one) => [...one.blocks.keys()]))) {
		const [first] = majority(said, (one) => formOf(one.blocks.get(number)), quorum) ?? [];
		const listed = first?.blocks.get(number);
		if (listed && listed.logs.length > 0) blocks.set(number, listed);
	}
	const clients = said.map(({ listing }) => listing.client);
	return { ...range, blocks, disputed, anchor: said[0]?.listing.anchor, clients };
}

/** A block about which the endpoints agree; undefined if they do not. */
export async function agreedBlock(
	clients: readonly RpcClient[],
	number: number,
	quorum: number,
): Promise<Block | undefined> {
	const asked = await Promise.allSettled(clients.map((client) => readBlock(client, number)));
	const blocks = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
	return majority(blocks, ({ hash }) => hash, quorum)?.[0];
}

/** The rows in the blocks about which the endpoints agree. @param isWithin whether a block counts */
export async function agreedRows(
	endpoints: Endpoints,
	{ blocks, anchor }: Agreement,
	wallets: ReadonlyMap<string, number>,
	isWithin: (block: number) => boolean,
): Promise<TransferRow[]> {
	const own = [...blocks.values()].filter(({ block }) => isWithin(block.number));
	const rows = own.map(async ({ block, logs }) => {
		const time = await timeOf(endpoints, block, anchor?.time);
		return await rowsInBlock(endpoints, { block, logs, time }, wallets);
	});
	return (await Promise.all(rows)).flat();
}
