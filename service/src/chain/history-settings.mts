/** What a history contains, and how it is read from the chain. */
export interface HistorySettings {
	/** Maximum number of entries; the newest are listed. */
	limit: number;
	/** Number of newest blocks that are not listed yet. */
	lagBlocks: number;
	/** Minimum age of a listed block, in seconds. */
	lagSeconds: number;
	/** The first block that is read. */
	startBlock: number;
	/** Maximum number of blocks per log request. */
	blocksPerRequest: number;
}
