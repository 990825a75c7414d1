import type { OAuthEndpoints } from './oauth/authorization-server.mts';

/** A user of the sandbox in the ready line. The access token is public test material. */
export interface ReadyUser {
	id: string;
	provider: string;
	username: string;
	address: string;
	accessToken: string;
}

/** Checksummed addresses of the deployed contracts. */
export interface SandboxContracts {
	/** ERC-20 with 6 decimals, symbol SUSD; anyone may `mint(address,uint256)`. */
	usd: string;
	/** ERC-20 with 18 decimals, symbol SGLD; anyone may `mint(address,uint256)`. */
	gold: string;
	/** ERC-721, symbol SART; anyone may `mint(address,uint256)`. */
	art: string;
	/** ERC-1155; anyone may `mint(address,uint256,uint256)`. */
	items: string;
	/** One function for every shape of argument and answer; any other signature echoes its arguments. */
	shapes: string;
	/** Several ERC-20 transfers per transaction: `payTwice(address,address,uint256)`, `payEach(address,address[],uint256)`. */
	payouts: string;
}

/** The line of JSON that the service prints on standard output once it answers requests. */
export interface SandboxReady {
	ready: true;
	/** Address of the service, without a trailing slash and without `/v1`. */
	baseUrl: string;
	/** The sign-in settings for an application; the client is public and has no secret. */
	oauth: OAuthEndpoints & { clientId: string };
	/** JSON-RPC endpoint of the chain behind the service. */
	rpcUrl: string;
	chainId: number;
	/** Network name, lower case. */
	network: string;
	nativeSymbol: string;
	explorerUrl: string;
	users: ReadyUser[];
	contracts: SandboxContracts;
	/** The public mnemonic phrase of all test wallets. */
	mnemonic: string;
	note: string;
}
