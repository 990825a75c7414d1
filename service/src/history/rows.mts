/** The rows of the history that logs make. */
import { readLog, TRANSFER, ERC1155_TRANSFERS, type Transfer } from '../chain/transfers.mts';
import { MOST_TIME, receiptIn, transactionIn, type Block } from '../rpc/blocks.mts';
import type { Endpoints } from '../rpc/endpoints.mts';
import { RequestRefused } from '../rpc/failures.mts';
import { address, ifReadable } from '../rpc/values.mts';
import type { Queries, TransferRow } from '../store/tables.mts';
import { walletsAt } from '../store/transfers.mts';
import { logsIn, type PlacedLog } from '../rpc/logs.mts';
import { hex } from './logs.mts';

/** Numbers of the standards in the database. */
const NUMBERS = { ERC20: 20, ERC721: 721, ERC1155: 1155 } as const;

const EVENTS = new Set<string | null | undefined>([TRANSFER, ...ERC1155_TRANSFERS]);

const transfersIn = (log: PlacedLog): Transfer[] => (EVENTS.has(log.topics[0]) ? readLog(log) : []);

/** Whether a log has a transfer from or to one of the wallets. */
export const isOf = (log: PlacedLog, wallets: ReadonlySet<string>): boolean =>
	transfersIn(log).some(({ from, to }) => wallets.has(from) || wallets.has(to));

export interface RowSources {
	/** IDs of the wallets, by checksummed address. */
	wallets: ReadonlyMap<string, number>;
	/** Time of the logs' block, in seconds since 1970. */
	time: number;
	/** Position of a log's transaction in its block. */
	positionOf(log: PlacedLog): number;
	/** Whether a wallet sent a log's transaction. */
	isSender(log: PlacedLog, wallet: string): Promise<boolean>;
}

/**
 * The rows of the wallets' transfers in a block. Anybody can make a log of a transfer of nothing from or to a wallet, for
 * example so that an address that resembles a known one is in its history: one counts only in a transaction of the wallet itself.
 */
export async function rowsOf(
	logs: readonly PlacedLog[],
	{ wallets, time, positionOf, isSender }: RowSources,
): Promise<TransferRow[]> {
	const rowsIn = async (log: PlacedLog): Promise<TransferRow[]> => {
		const rows: TransferRow[] = [];
		for (const [part, transfer] of transfersIn(log).entries()) {
			const { from, to, token, value, standard, transactionHash: hash } = transfer;
			for (const party of new Set([from, to])) {
				const id = wallets.get(party);
				if (id === undefined || (value === 0n && !(await isSender(log, party)))) continue;
				rows.push({
					hash,
					wallet_id: id,
					log_index: log.index,
					part,
					time,
					block: log.blockNumber,
					tx_index: positionOf(log),
					standard: NUMBERS[standard],
					sent: Number(party !== to),
					party: party === to ? from : to,
					token,
					value: String(value),
				});
			}
		}
		return rows;
	};
	return (await Promise.all(logs.map(rowsIn))).flat();
}

/** Position of a log's transaction in its block: by the block's list, because some endpoints number otherwise. */
function positionIn({ transactions = [] }: Block, log: PlacedLog): number {
	const position = transactions.indexOf(log.transactionHash);
	return position === -1 ? (log.transactionIndex ?? 0) : position;
}

/**
 * The sender of a transaction, in lower case; empty if it is not certain: a stranger's log must not stop the reading where the
 * method is missing, the endpoints disagree, or the network made the transaction itself, nor one endpoint put it into a history.
 *
 * @throws ChainUnavailable if no endpoint answers
 */
async function senderOf(endpoints: Endpoints, block: Block, log: PlacedLog): Promise<string> {
	// By its place, because nodes forget hashes of old transactions.
	const place = [block.hash, hex(positionIn(block, log))];
	try {
		const readSender = (answer: unknown): string => {
			const found = transactionIn(answer);
			return found?.hash === log.transactionHash ? found.from : '';
		};
		const method = 'eth_getTransactionByBlockHashAndIndex';
		const outcomes = await endpoints.outcomes(readSender, method, place);
		const senders = outcomes.map((one) => (one.refusal ? '' : one.answer));
		const [sender = '', ...others] = new Set(senders);
		return others.length === 0 && senders.length >= endpoints.quorum ? sender : '';
	} catch (error) {
		if (error instanceof RequestRefused) return '';
		throw error;
	}
}

/** The rows that the logs of a block make, as endpoints list them. @param time of the block, in seconds since 1970 */
export async function rowsInBlock(
	endpoints: Endpoints,
	{ block, logs, time }: { block: Block; logs: readonly PlacedLog[]; time: number },
	wallets: ReadonlyMap<string, number>,
): Promise<TransferRow[]> {
	const senders = new Map<string, Promise<string>>();
	const isSender = async (log: PlacedLog, wallet: string): Promise<boolean> => {
		const sender = senders.get(log.transactionHash) ?? senderOf(endpoints, block, log);
		senders.set(log.transactionHash, sender);
		return (await sender) === wallet.toLowerCase();
	};
	const positionOf = (log: PlacedLog) => positionIn(block, log);
	return await rowsOf(logs, { wallets, time, positionOf, isSender });
}

/**
 * The rows that a transaction's receipt makes.
 *
 * @param time of its block, in seconds since 1970
 * @throws EndpointFailure if the receipt cannot be read
 */
export async function rowsInReceipt(
	db: Queries,
	answer: Record<string, unknown>,
	time: number,
): Promise<TransferRow[]> {
	const receipt = receiptIn(answer);
	if (!receipt) return [];
	const logs = logsIn(receipt);
	const parties = logs.flatMap(transfersIn).flatMap(({ from, to }) => [from, to]);
	const sender = ifReadable(address, answer.from);
	return await rowsOf(logs, {
		wallets: await walletsAt(db, [...new Set(parties)]),
		time: Math.min(time, MOST_TIME),
		positionOf: (log) => log.transactionIndex ?? 0,
		isSender: async (_log, wallet) => sender === wallet.toLowerCase(),
	});
}

/** The transfer in a row. @param wallet address of the row's wallet */
export function transferOf(row: TransferRow, wallet: string): Transfer {
	const { standard, sent, party, token, value, hash: transactionHash } = row;
	const [from, to] = sent === 1 ? [wallet, party] : [party, wallet];
	const name = standard === 20 ? 'ERC20' : standard === 721 ? 'ERC721' : 'ERC1155';
	return { standard: name, token, from, to, value: BigInt(value), transactionHash };
}

/** The time of a row's block. An older version stored what an endpoint said, which may be no time. */
export const dateOf = ({ time }: TransferRow): Date =>
	new Date(Math.min(Math.max(0, Number(time)), MOST_TIME) * 1_000);
