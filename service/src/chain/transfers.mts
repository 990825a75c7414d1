import { Interface, zeroPadValue, type Log, type Provider } from 'ethers';

/** A token transfer from a contract's log. */
export interface Transfer {
	standard: 'ERC20' | 'ERC721' | 'ERC1155';
	/** Token contract, checksummed. */
	token: string;
	/** Sender, checksummed; the zero address for newly minted tokens. */
	from: string;
	/** Receiver, checksummed. */
	to: string;
	/** Amount in base units for ERC-20, number of items otherwise. */
	value: bigint;
	transactionHash: string;
	blockHash: string;
}

/** The blocks from which logs are read, and the size of each request. */
export interface LogRange {
	firstBlock: number;
	lastBlock: number;
	/** Maximum number of blocks per log request; providers limit it. */
	blocksPerRequest: number;
}

const erc20 = new Interface([
	'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const erc721 = new Interface([
	'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
]);
const erc1155 = new Interface([
	'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
	'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
]);

const topicOf = (abi: Interface, event: string) => abi.getEvent(event)?.topicHash ?? null;
const TRANSFER = topicOf(erc20, 'Transfer');
const ERC1155_TRANSFERS = ['TransferSingle', 'TransferBatch'].flatMap((event) => {
	return topicOf(erc1155, event) ?? [];
});

/** Number of topics in an ERC-721 transfer: it shares the event hash of ERC-20, but has one more indexed argument. */
const ERC721_TOPICS = 4;

/** Orders logs newest first: by block, then by position in the block. */
function compareLogs(a: Log, b: Log): number {
	return b.blockNumber - a.blockNumber || b.index - a.index;
}

/** @throws Error unless the topics and data are those of the event */
function decodeLog(log: Log): Transfer[] {
	const isErc721 = log.topics[0] === TRANSFER && log.topics.length === ERC721_TOPICS;
	const abi = log.topics[0] !== TRANSFER ? erc1155 : isErc721 ? erc721 : erc20;
	const event = abi.parseLog(log);
	if (!event) return [];
	const transfer = (standard: Transfer['standard'], value: bigint): Transfer => ({
		standard,
		token: log.address,
		from: String(event.args.from),
		to: String(event.args.to),
		value,
		transactionHash: log.transactionHash,
		blockHash: log.blockHash,
	});
	if (isErc721) return [transfer('ERC721', 1n)];
	if (abi === erc20) return [transfer('ERC20', BigInt(event.args.value))];
	const [ids, values]: bigint[][] = [-2, -1].map((place) => [event.args.at(place)].flat());
	if (ids?.length !== values?.length) return [];
	return (values ?? []).map((value) => transfer('ERC1155', value)).reverse();
}

/** The transfers in a log entry, in reverse order; empty for any other event. */
export function readLog(log: Log): Transfer[] {
	try {
		return decodeLog(log);
	} catch {
		// Another contract may use the same event hash for other topics or data.
		return [];
	}
}

/** Reads the logs of a wallet's transfers in a range of blocks, newest first. */
async function readLogs(
	provider: Provider,
	wallet: string,
	blocks: { fromBlock: number; toBlock: number },
): Promise<Log[]> {
	const topic = zeroPadValue(wallet, 32);
	const filters = [
		[TRANSFER, topic],
		[TRANSFER, null, topic],
		[ERC1155_TRANSFERS, null, topic],
		[ERC1155_TRANSFERS, null, null, topic],
	];
	const found = await Promise.all(filters.map((topics) => provider.getLogs({ ...blocks, topics })));
	// A transfer from a wallet to itself matches twice.
	const logs = new Map(found.flat().map((log) => [`${log.blockNumber}/${log.index}`, log]));
	return [...logs.values()].sort(compareLogs);
}

/**
 * Reads the newest transfers of ERC-20, ERC-721 and ERC-1155 tokens from or to a wallet, newest first. It reads the
 * chain's logs backwards from the last block, only as far as necessary.
 *
 * @param limit maximum number of transfers
 */
export async function readTransfers(
	provider: Provider,
	wallet: string,
	{ firstBlock, lastBlock, blocksPerRequest }: LogRange,
	limit: number,
): Promise<Transfer[]> {
	const transfers: Transfer[] = [];
	let toBlock = lastBlock;
	while (toBlock >= firstBlock && transfers.length < limit) {
		const fromBlock = Math.max(firstBlock, toBlock - blocksPerRequest + 1);
		const logs = await readLogs(provider, wallet, { fromBlock, toBlock });
		transfers.push(...logs.flatMap(readLog));
		toBlock = fromBlock - 1;
	}
	return transfers.slice(0, limit);
}
