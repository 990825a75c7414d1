import { formatUnits, toBigNumber } from '../abi/json.mts';
import type { Transfer } from '../chain/transfers.mts';
import { dateOf, transferOf } from '../history/rows.mts';
import type { HistoryEntry, HistoryQuery } from '../schemas/history.mts';
import type { LinkedService } from '../service.mts';
import type { Position } from '../store/transfers.mts';
import { usersByAddress, type User } from '../store/users.mts';

/** Maximum number of token contracts that are read together. */
const CONTRACTS_AT_ONCE = 5;

/** A transfer and the time of its block. */
export interface TimedTransfer {
	transfer: Transfer;
	time: Date;
}

/** Transfers as the history lists them. */
export const toEntries = async (
	service: LinkedService,
	listed: readonly TimedTransfer[],
): Promise<HistoryEntry[]> => (await describeTransfers(service, listed)).entries;

/** Transfers as the history lists them, and whether enough endpoints report what is said about their tokens. */
export async function describeTransfers(
	{ chain, db, tokens, explorer }: LinkedService,
	listed: readonly TimedTransfer[],
): Promise<{ entries: HistoryEntry[]; areCertain: boolean }> {
	const network = chain.network.toUpperCase();
	// Few at a time: a stranger's contract returns as much as its gas allows.
	const contracts = [...new Set(listed.map(({ transfer }) => transfer.token))];
	for (let at = 0; at < contracts.length; at += CONTRACTS_AT_ONCE) {
		const some = contracts.slice(at, at + CONTRACTS_AT_ONCE);
		await Promise.all(some.map(async (token) => await tokens.metadata(token)));
	}
	const parties = listed.flatMap(({ transfer: { from, to } }) => [from, to]);
	const users = await usersByAddress(db, parties);
	const partyAt = (address: string): HistoryEntry['to'] => {
		const user = users.get(address);
		return { username: user?.username ?? address, platform: user?.provider ?? network, address };
	};
	let areCertain = true;
	const toEntry = async ({ transfer, time }: TimedTransfer): Promise<HistoryEntry> => {
		const { standard, token, from, to, value, transactionHash } = transfer;
		const metadata = await tokens.metadata(token);
		areCertain &&= metadata.isCertain;
		// NFTs are indivisible, even if a collection reports decimals.
		const decimals = standard === 'ERC20' ? metadata.decimals : 0;
		return {
			type: 'TRANSFER',
			from: partyAt(from),
			to: partyAt(to),
			amount: {
				valueBn: toBigNumber(value),
				formatted: Number(formatUnits(value, decimals)),
				decimals,
				symbol: metadata.symbol,
				name: metadata.name,
				tokenAddress: token.toLowerCase(),
				network,
				chainId: chain.chainId,
			},
			timestamp: time.toISOString(),
			hash: transactionHash,
			explorerUrl: explorer.transaction(transactionHash),
		};
	};
	const entries = await Promise.all(listed.map(toEntry));
	return { entries, areCertain };
}

/** The position in a link; one of an older version lacks the transaction's position. */
function positionIn(text: string): Position {
	const [block = 0, ...rest] = text.split('-').map(Number);
	const [part = 0, log = 0, index] = rest.toReversed();
	const position = { block, log_index: log, part };
	return index === undefined ? position : { ...position, tx_index: index };
}

/** A page of a user's transfers, newest first, and the query of the next page if there are older ones. */
export async function readHistory(
	service: LinkedService,
	{ wallet_id: walletId, address }: User,
	{ limit: asked, before }: HistoryQuery,
): Promise<{ entries: HistoryEntry[]; next: string | undefined }> {
	const { rows, hasMore } = await service.history.page(walletId, {
		...(asked === undefined ? {} : { limit: Number(asked) }),
		...(before === undefined ? {} : { before: positionIn(before) }),
	});
	const listed = rows.map((row) => {
		return { transfer: transferOf(row, address), time: dateOf(row) };
	});
	const last = rows.at(-1);
	const position = last && [last.block, last.tx_index, last.log_index, last.part].join('-');
	const next = `?${asked === undefined ? '' : `limit=${asked}&`}before=${position}`;
	return { entries: await toEntries(service, listed), next: hasMore ? next : undefined };
}
