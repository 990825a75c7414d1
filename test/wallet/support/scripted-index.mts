/** The index of a history over a scripted chain, and what the chain itself says that it must list. */
import { toBeHex } from 'ethers';
import type { HistoryIndex } from '../../../service/src/history/history-index.mts';
import { Endpoints } from '../../../service/src/rpc/endpoints.mts';
import { ChainUnavailable } from '../../../service/src/rpc/failures.mts';
import { markUsedBefore, readCursors } from '../../../service/src/store/cursors.mts';
import { openDatabase } from '../../../service/src/store/open.mts';
import type { Database } from '../../../service/src/store/tables.mts';
import { newestTransfers } from '../../../service/src/store/transfers.mts';
import type { Resources } from '../../support/resources.mts';
import { addWallets, indexOf, walletAt } from './indexed.mts';
import { ScriptedChain } from './scripted-chain.mts';
import { ScriptedEndpoint } from './scripted-endpoint.mts';
import { addressIn, transferCall } from './scripted-transfer.mts';

/** The wallet that is read. */
export const ANNA = walletAt(0);
/** The token that is transferred. */
export const COIN = `0x${'c0'.repeat(20)}`;
/** Each amount has its own payer, so that several are in one block. */
const payerOf = (amount: bigint) => toBeHex(10_000n + amount, 32);

/** A transfer to or from the wallet: block, transaction, amount, and time of the block. */
export type Line = `${number} ${string} ${string} ${number}`;

export interface ScriptedIndex {
	chain: ScriptedChain;
	endpoints: ScriptedEndpoint[];
	db: Database;
	log: string[];
	/** The index as it is read. */
	index(): HistoryIndex;
	/** Starts again, as another process with the same database. */
	restart(): Promise<void>;
	/** Somebody pays the wallet. @returns the hash */
	pay(amount: bigint): string;
	/** Reads all that can be read now. */
	read(): Promise<void>;
	/** What is listed, the newest first. @param upTo newest block that counts */
	listed(upTo?: number): Promise<Line[]>;
	/** What the chain has, the newest first. @param upTo newest block that counts */
	truth(upTo?: number): Line[];
	/** The newest final block of the history, and the newest block that it has read. */
	cursors(): Promise<{ final: number; head: number }>;
}

/** What a chain has of a wallet's transfers. */
export function linesOf({ blocks }: ScriptedChain, upTo = Infinity): Line[] {
	const lines = blocks.flatMap(({ number, time, included }): Line[] => {
		if (number > upTo) return [];
		return included.flatMap(({ hash, logs }) =>
			logs.flatMap(({ topics: [, from = '', to = ''], data }): Line[] => {
				const isOwn = [from, to].some((one) => addressIn(one) === ANNA.toLowerCase());
				return isOwn ? [`${number} ${hash} ${BigInt(data)} ${time}`] : [];
			}),
		);
	});
	return lines.toReversed();
}

export async function scriptedIndex(
	own: Resources,
	options: { location?: string; endpoints?: number; chain?: ScriptedChain } = {},
): Promise<ScriptedIndex> {
	const { location = ':memory:', endpoints: count = 2, chain = new ScriptedChain() } = options;
	const starting = Array.from({ length: count }, () => ScriptedEndpoint.start(chain));
	const endpoints = await Promise.all(starting.map((one) => own.use(one)));
	const db = await openDatabase(location);
	await own.use({ [Symbol.asyncDispose]: async () => await db.destroy() });
	await markUsedBefore(db);
	await addWallets(db, 1);
	const log: string[] = [];
	const connect = async () => {
		const known = await Endpoints.connect(endpoints.map(({ url }) => url));
		const note = (problem: string, error: unknown) => void log.push(`${problem}: ${String(error)}`);
		return { known, index: indexOf(db, known, { log: note }) };
	};
	let running = await connect();
	return {
		chain,
		endpoints,
		db,
		log,
		index: () => running.index,
		async restart() {
			running = await connect();
		},
		pay: (amount) =>
			chain.signElsewhere(payerOf(amount), { to: COIN, data: transferCall(ANNA, amount) }),
		async read() {
			const { known, index } = running;
			try {
				do await known.poll();
				while (await index.round());
			} catch (error) {
				if (!(error instanceof ChainUnavailable)) throw error;
			}
		},
		async listed(upTo = Infinity) {
			const rows = await newestTransfers(db, 0, 1_000);
			return rows.flatMap(({ block, hash, value, time }): Line[] => {
				return block > upTo ? [] : [`${block} ${hash} ${value} ${Number(time)}`];
			});
		},
		truth: (upTo) => linesOf(chain, upTo),
		async cursors() {
			const { cursors } = await readCursors(db);
			return { final: cursors?.final.block ?? -1, head: cursors?.head.block ?? -1 };
		},
	};
}
