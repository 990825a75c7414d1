import { Interface, zeroPadValue, type Log, type Provider } from 'ethers';

/** One movement of tokens as a contract's log tells it. */
export interface Transfer {
	standard: 'ERC20' | 'ERC721' | 'ERC1155';
	/** Token contract, checksummed. */
	token: string;
	/** Sender, checksummed; the zero address when the tokens are new. */
	from: string;
	/** Receiver, checksummed. */
	to: string;
	/** Base units for ERC-20, pieces otherwise. */
	value: bigint;
	transactionHash: string;
	blockHash: string;
}

/** The blocks whose logs are read, and how. */
export interface LogRange {
	firstBlock: number;
	lastBlock: number;
	/** The most blocks that one request for logs may span; providers refuse more than some number. */
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

/** ERC-20 and ERC-721 share the event's hash and differ in what is indexed. */
const ERC721_TOPICS = 4;

/** Newest first: by block, then by place in the block. */
function compareLogs(a: Log, b: Log): number {
	return b.blockNumber - a.blockNumber || b.index - a.index;
}

/** The transfers that a log tells of, the last one first; none when it tells of something else. */
export function readLog(log: Log): Transfer[] {
	const isErc721 = log.topics[0] === TRANSFER && log.topics.length === ERC721_TOPICS;
	const abi = log.topics[0] !== TRANSFER ? erc1155 : isErc721 ? erc721 : erc20;
	const event = abi.parseLog(log);
	// Another contract may use the same event hash for data of another form.
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
	const values: bigint[] =
		event.name === 'TransferSingle' ? [event.args.at(-1)] : [...event.args.at(-1)];
	return values.map((value) => transfer('ERC1155', value)).reverse();
}

/** The logs of a wallet's transfers in some blocks, newest first. */
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
	// A transfer from a wallet to itself is found twice.
	const logs = new Map(found.flat().map((log) => [`${log.blockNumber}/${log.index}`, log]));
	return [...logs.values()].sort(compareLogs);
}

/**
 * The newest transfers of ERC-20, ERC-721 and ERC-1155 tokens from or to a wallet, newest first, read from the
 * chain's logs: from the last block backwards, and no further than it takes.
 *
 * @param limit the most transfers to return
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
