import { getAddress, Interface, type Log } from 'ethers';

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
}

/** The part of a log that its transfers are read from. */
export type TransferLog = Pick<Log, 'address' | 'topics' | 'data' | 'transactionHash'>;

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
/** Event hash of ERC-20 and ERC-721. */
export const TRANSFER = topicOf(erc20, 'Transfer');
/** Event hashes of ERC-1155. */
export const ERC1155_TRANSFERS = ['TransferSingle', 'TransferBatch'].flatMap((event) => {
	return topicOf(erc1155, event) ?? [];
});

/**
 * Where networks log their native coin as if it were a token, also what is paid for gas: the base token of the ZKsync stack
 * (safe-global/safe-transaction-service#2497), and the address of EIP-7708. No other contract can be there on any network.
 */
const COINS: readonly string[] = [
	'0x000000000000000000000000000000000000800a',
	'0xfffffffffffffffffffffffffffffffffffffffe',
];

/** Number of topics in an ERC-721 transfer: it shares the event hash of ERC-20, but has one more indexed argument. */
const ERC721_TOPICS = 4;

/** @throws Error unless the topics and data are those of the event */
function decodeLog(log: TransferLog): Transfer[] {
	const isErc721 = log.topics[0] === TRANSFER && log.topics.length === ERC721_TOPICS;
	const abi = log.topics[0] !== TRANSFER ? erc1155 : isErc721 ? erc721 : erc20;
	const event = abi.parseLog(log);
	if (!event) return [];
	const transfer = (standard: Transfer['standard'], value: bigint): Transfer => ({
		standard,
		token: getAddress(log.address),
		from: String(event.args.from),
		to: String(event.args.to),
		value,
		transactionHash: log.transactionHash,
	});
	if (isErc721) return [transfer('ERC721', 1n)];
	if (abi === erc20) return [transfer('ERC20', BigInt(event.args.value))];
	const [ids, values]: bigint[][] = [-2, -1].map((place) => [event.args.at(place)].flat());
	if (ids?.length !== values?.length) return [];
	return (values ?? []).map((value) => transfer('ERC1155', value));
}

/** The transfers of tokens in a log entry, in order; empty for any other event. */
export function readLog(log: TransferLog): Transfer[] {
	try {
		return COINS.includes(log.address.toLowerCase()) ? [] : decodeLog(log);
	} catch {
		// Another contract may use the same event hash for other topics or data.
		return [];
	}
}
