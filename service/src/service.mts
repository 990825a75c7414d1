import type { BlockTimes } from './chain/block-times.mts';
import type { Chain } from './chain/chain.mts';
import type { TokenReader } from './chain/token-metadata.mts';
import type { RevertReader } from './abi/revert.mts';
import type { Explorer } from './explorer.mts';
import type { HistorySettings } from './settings.mts';
import type { TokenVerifier } from './wallets/access-tokens.mts';
import type { User, UserDirectory } from './wallets/directory.mts';
import type { Sender } from './wallets/sender.mts';

/** Dependencies of the routes. */
export interface Service {
	chain: Chain;
	users: UserDirectory;
	/** Tried in order; the first that recognises the token decides. */
	tokenVerifiers: TokenVerifier[];
	/** The sender of a user's wallet. */
	senderOf(user: User): Sender;
	tokens: TokenReader;
	blockTimes: BlockTimes;
	readRevert: RevertReader;
	history: HistorySettings;
}

/** The service with the links that depend on its address. */
export interface LinkedService extends Service {
	explorer: Explorer;
	/** URL of a user's avatar image. */
	avatarOf(user: User): string;
}
