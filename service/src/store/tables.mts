import type { Kysely, Transaction } from 'kysely';

/**
 * Life of a write. A transaction goes from `signed` to `final`, and back only from `mined` to `accepted` after a
 * reorganisation. `cancelled` and `foreign`: another transaction used its nonce for good. `void`: a key without a call.
 */
export type WriteState =
	| 'signed'
	| 'accepted'
	| 'mined'
	| 'final'
	| 'cancelled'
	| 'foreign'
	| 'void';

export interface UserRow {
	/** `<PROVIDER>-<user ID at the provider>`. */
	id: string;
	provider: string;
	username: string;
	email: string | null;
	wallet_id: number;
	created_at: string;
	disabled_at: string | null;
}

export interface WalletRow {
	/** Never reused; the wallet's index in the seed. */
	id: number;
	/** Checksummed. */
	address: string;
	/** Where the signer finds the key: `seed:<index>`. */
	source: string;
	/** The first nonce that no write has. It only rises. */
	next_nonce: number;
	/** A closed wallet signs nothing. */
	state: 'open' | 'closed';
	closed_reason: string | null;
	/** 1 once the wallet was compared with the chain: from then on, only the service may use its nonces. */
	is_compared: number;
}

export interface TokenRow {
	id: string;
	user_id: string;
	/** Hexadecimal hash of the token; the token itself is not kept. */
	sha256: string;
	/** First characters, by which a person recognises it. */
	prefix: string;
	/** `read`, `read write`, or `operator`. */
	scopes: string;
	created_at: string;
	expires_at: string | null;
	revoked_at: string | null;
	/** JSON; null for a token without limits. */
	limits: string | null;
}

export interface WriteRow {
	id: string;
	user_id: string;
	token_id: string | null;
	/** Unique for the user. */
	key: string;
	/** Hash of the call; null if void. */
	fingerprint: string | null;
	wallet_id: number;
	/** Unique for the wallet; null if void. */
	nonce: number | null;
	/** The call: checksummed address, data, wei. */
	to_address: string;
	data: string;
	value: string;
	/** What the transaction costs at worst, in wei, with its value. */
	cost: string;
	state: WriteState;
	/** Hash of the attempt in the block. */
	mined_hash: string | null;
	/** The block that it is in or, without a hash, was in: whether the chain still has that is in doubt. */
	block_number: number | null;
	block_hash: string | null;
	/** 1 if the transaction succeeded, 0 if it reverted. */
	status: number | null;
	/** Why the transaction reverted, in words; null if it did not, or the reason is not known. */
	revert_reason: string | null;
	/** Why the endpoints refused its transaction the last time, in cleaned words; null if one took it. */
	last_refusal: string | null;
	/** Why it is not given up yet, although it is time; null if it is not time. */
	waiting_reason: string | null;
	created_at: string;
	final_at: string | null;
}

/** What the caller said about a write, as opaque text: what sends it, for which of its executions, where in it, and which call. */
export interface LabelRow {
	write_id: string;
	user_id: string;
	node: string;
	execution: string;
	place: string | null;
	call: string | null;
	/** When the write was stored, by the clock of the database. */
	at: string;
}

/** How often an execution was begun again, by whichever user. */
export interface ExecutionRow {
	node: string;
	execution: string;
	/** Number of the newest attempt; 0 before the first. */
	attempt: number;
	/** The token that began the first attempt, and when, by the clock of the database; null before it. */
	token_id: string | null;
	begun_at: string | null;
}

/** A signed transaction for a write; a write has several after a replacement. */
export interface AttemptRow {
	hash: string;
	write_id: string;
	/** Number of the attempt, from 1. */
	no: number;
	/** Whether it carries the call, or nothing in order to cancel the write. */
	kind: 'call' | 'noop';
	/** Signed bytes. */
	raw: string;
	created_at: string;
	/** When it was last sent, in milliseconds since 1970. */
	sent_at: string;
}

/** What a write counts against a limit of its token. */
export interface SpendRow {
	write_id: string;
	token_id: string;
	/** `native`, or the token's address in lower case. */
	asset: string;
	/** Base units; for the native coin with gas. */
	amount: string;
	/** Reserved at worst until the write is final; released if it then turns out not to be spent. */
	state: 'reserved' | 'settled' | 'released';
	at: string;
}

/** Who did what. Rows are never changed. */
export interface AuditRow {
	id: string;
	at: string;
	actor: string;
	action: string;
	subject: string;
}

/** A block whose hash is compared with the chain until it is final. */
export interface BlockRow {
	number: number;
	hash: string;
}

/** How far the history is read: `head` and `final` upwards, `wallet:<ID>` from a wallet's first reading downwards. */
export interface CursorRow {
	name: string;
	/** The last block that is read. */
	block: number;
	/** Its hash; null for wallets. */
	hash: string | null;
	/** For wallets, the block at which the reading ends; otherwise null. */
	until: number | null;
}

/**
 * A token transfer from or to a wallet; one between two wallets has two rows. A log is its transaction and its index: some
 * networks number logs in each transaction, and a reorganisation moves a transaction to another block.
 */
export interface TransferRow {
	/** Hash of the transaction, in lower case. */
	hash: string;
	wallet_id: number;
	/** Number of the log in the block or, on some networks, in the transaction. */
	log_index: number;
	/** Position of the transfer in the log. */
	part: number;
	block: number;
	/** Position of the transaction in the block. */
	tx_index: number;
	/** 20, 721 or 1155. */
	standard: number;
	/** 1 if the wallet sent it, 0 if it received it; a transfer to itself counts as received. */
	sent: number;
	/** The other side, checksummed. */
	party: string;
	/** Token contract, checksummed. */
	token: string;
	/** Amount in base units for ERC-20, number of items otherwise. */
	value: string;
	/** Time of the block, in seconds since 1970. */
	time: number;
}

export interface Tables {
	meta: { name: string; value: string };
	users: UserRow;
	wallets: WalletRow;
	tokens: TokenRow;
	writes: WriteRow;
	labels: LabelRow;
	executions: ExecutionRow;
	attempts: AttemptRow;
	spends: SpendRow;
	audit: AuditRow;
	blocks: BlockRow;
	cursors: CursorRow;
	transfers: TransferRow;
}

export type Database = Kysely<Tables>;
/** The database, or a transaction in it. */
export type Queries = Database | Transaction<Tables>;
