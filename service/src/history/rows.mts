/** The rows of the history that logs make. */
import { readLog, TRANSFER, ERC1155_TRANSFERS, type Transfer } from '../chain/transfers.mts';
import type { Queries, TransferRow } from '../store/tables.mts';
import { walletsAt } from '../store/transfers.mts';
import { placedLog, type PlacedLog } from './logs.mts';

/** Numbers of the standards in the database. */
const NUMBERS = { ERC20: 20, ERC721: 721, ERC1155: 1155 } as const;

const EVENTS = new Set<string | null | undefined>([TRANSFER, ...ERC1155_TRANSFERS]);

export interface RowSources {
	/** IDs of the wallets, by checksummed address. */
	wallets: ReadonlyMap<string, number>;
	/** Time of a log's block, in seconds since 1970. */
	timeOf(log: PlacedLog): number;
	/** Whether a wallet sent a log's transaction. */
	isSender(log: PlacedLog, wallet: string): Promise<boolean>;
}

/**
 * The rows of the wallets' transfers. Anybody can make a log of a transfer of nothing from or to a wallet, for example so that
 * an address that resembles a known one is in its history: one counts only in a transaction of the wallet itself.
 */
export async function rowsOf(
	logs: readonly PlacedLog[],
	{ wallets, timeOf, isSender }: RowSources,
): Promise<TransferRow[]> {
	const rowsIn = async (log: PlacedLog): Promise<TransferRow[]> => {
		const rows: TransferRow[] = [];
		for (const [part, transfer] of readLog(log).entries()) {
			const { from, to, token, value, standard } = transfer;
			for (const address of new Set([from, to])) {
				const id = wallets.get(address);
				if (id === undefined || (value === 0n && !(await isSender(log, address)))) continue;
				rows.push({
					...{ wallet_id: id, block: log.blockNumber, log_index: log.index, part },
					...{ standard: NUMBERS[standard], sent: Number(address !== to) },
					...{ party: address === to ? from : to, token },
					...{ value: String(value), hash: transfer.transactionHash, time: timeOf(log) },
				});
			}
		}
		return rows;
	};
	const events = logs.filter(({ topics }) => EVENTS.has(topics[0]));
	return (await Promise.all(events.map(rowsIn))).flat();
}

/** The rows that a transaction's receipt makes. @param time of its block, in seconds since 1970 */
export async function rowsInReceipt(
	db: Queries,
	receipt: Record<string, unknown>,
	time: number,
): Promise<TransferRow[]> {
	const logs = [receipt.logs].flat().map(placedLog);
	const parties = logs.flatMap(readLog).flatMap(({ from, to }) => [from, to]);
	const isSender = async (_log: PlacedLog, wallet: string) =>
		String(receipt.from).toLowerCase() === wallet.toLowerCase();
	const wallets = await walletsAt(db, [...new Set(parties)]);
	return await rowsOf(logs, { wallets, timeOf: () => time, isSender });
}

/** The transfer in a row. @param wallet address of the row's wallet */
export function transferOf(row: TransferRow, wallet: string): Transfer {
	const { standard, sent, party, token, value, hash: transactionHash } = row;
	const [from, to] = sent === 1 ? [wallet, party] : [party, wallet];
	const name = standard === 20 ? 'ERC20' : standard === 721 ? 'ERC721' : 'ERC1155';
	return { standard: name, token, from, to, value: BigInt(value), transactionHash };
}
