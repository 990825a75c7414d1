import { formatUnits, toBigNumber } from '../abi/json.mts';
import { newestListed } from '../chain/block-times.mts';
import { readTransfers, type Transfer } from '../chain/transfers.mts';
import type { HistoryEntry } from '../schemas/history.mts';
import type { LinkedService } from '../service.mts';
import { userByAddress, type User } from '../store/users.mts';

/** A transfer as the history lists it. */
export async function toEntry(service: LinkedService, transfer: Transfer): Promise<HistoryEntry> {
	const { chain, db, tokens, blockTimes, explorer } = service;
	const [metadata, time, recipient] = await Promise.all([
		tokens.metadata(transfer.token),
		blockTimes.get(transfer.blockHash),
		userByAddress(db, transfer.to),
	]);
	// NFTs are indivisible, even if a collection reports decimals.
	const decimals = transfer.standard === 'ERC20' ? metadata.decimals : 0;
	const network = chain.network.toUpperCase();
	return {
		type: 'TRANSFER',
		to: {
			username: recipient?.username ?? transfer.to,
			platform: recipient?.provider ?? network,
			address: transfer.to,
		},
		amount: {
			valueBn: toBigNumber(transfer.value),
			formatted: Number(formatUnits(transfer.value, decimals)),
			decimals,
			symbol: metadata.symbol,
			name: metadata.name,
			tokenAddress: transfer.token.toLowerCase(),
			network,
			chainId: chain.chainId,
		},
		timestamp: time.toISOString(),
		hash: transfer.transactionHash,
		explorerUrl: explorer.transaction(transfer.transactionHash),
	};
}

/** The most recent transfers of a user, newest first. */
export async function readHistory(service: LinkedService, user: User): Promise<HistoryEntry[]> {
	const { provider } = service.chain;
	const settings = service.history();
	const { limit, startBlock: firstBlock, blocksPerRequest } = settings;
	const lastBlock = await newestListed(provider, settings);
	const range = { firstBlock, lastBlock, blocksPerRequest };
	const transfers = await readTransfers(provider, user.address, range, limit);
	return await Promise.all(transfers.map((transfer) => toEntry(service, transfer)));
}
