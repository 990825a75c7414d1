import type { Endpoints } from '../rpc/endpoints.mts';
import type { Database } from '../store/tables.mts';

export interface IndexPorts {
	db: Database;
	endpoints: Endpoints;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	/** The first block that is read of wallets that may be older than the database. @param final the newest final block */
	firstBlock(final: number): number;
	log(problem: string, error: unknown): void;
}
