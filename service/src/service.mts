import type { Remembered } from './chain/remembered.mts';
import type { Chain } from './chain/chain.mts';
import type { History } from './history/history.mts';
import type { TokenReader } from './chain/token-metadata.mts';
import type { Spending } from './limits/spending.mts';
import type { RevertReader } from './abi/revert.mts';
import type { Explorer } from './explorer.mts';
import type { ServiceDescription } from './schemas/service.mts';
import type { Database } from './store/tables.mts';
import type { TokenVerifier } from './store/tokens.mts';
import type { User } from './store/users.mts';
import type { Transactions } from './writes/transactions.mts';
import type { Executions } from './writes/executions.mts';
import type { Writes } from './writes/writes.mts';

/** Dependencies of the routes. */
export interface Service {
	chain: Chain;
	db: Database;
	/** Tried in order; the first that recognises the token decides. */
	tokenVerifiers: TokenVerifier[];
	writes: Pick<Writes, 'submit' | 'find' | 'fence'>;
	executions: Pick<Executions, 'begin' | 'equalCalls'>;
	spending: Pick<Spending, 'withLeft' | 'dayAgo'>;
	transactions: Pick<Transactions, 'find'>;
	tokens: TokenReader;
	/** By hash of the block, and whether as many endpoints say it as must agree. */
	blockTimes: Remembered<{ time: Date; isCertain: boolean }>;
	readRevert: RevertReader;
	history: Pick<History, 'page'>;
	/** What the service reports about itself. */
	description: ServiceDescription;
}

/** The service with the links that depend on its address. */
export interface LinkedService extends Service {
	explorer: Explorer;
	/** URL of a user's avatar image. */
	avatarOf(user: User): string;
}
