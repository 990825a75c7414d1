import { parseEther, parseUnits } from 'ethers';

/** Properties of a chain that its endpoints do not report. */
export interface Network {
	/** Lower case, as in balances. */
	name: string;
	/** Whether it is a public network of the table, which always makes blocks. */
	isKnown?: boolean;
	/** Of the native coin; {@link UNKNOWN} if neither the table nor the settings have it. */
	symbol: string;
	coin: string;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	/** Lowest priority fee that the network's nodes accept, in wei. */
	minTip: bigint;
	/** Highest cost of the gas of one transaction unless the operator sets another one, in wei. */
	maxGasCost: bigint;
	/** Type of transactions where nodes take no other one; by default, it follows from the blocks. */
	transactionType?: 0;
	/** Block explorer without a trailing slash. */
	explorer?: string;
	/** The stack whose transactions pay for their place on the chain below, beyond their gas. */
	dataFee?: 'op' | 'scroll';
}

/** A network: the depth in blocks, the lowest priority fee in gwei, the stack with a data fee. */
type Row = readonly [
	...[id: number, name: string, symbol: string, depth: number, minTip: string, explorer: string],
	dataFee?: Network['dataFee'],
];

const NETWORKS: readonly Row[] = [
	// Two epochs (ethereum.org, proof of stake); the tip of geth's own blocks at least.
	[1, 'ethereum', 'ETH', 64, '0.01', 'https://etherscan.io'],
	[17000, 'holesky', 'ETH', 64, '0.01', 'https://holesky.etherscan.io'],
	[560048, 'hoodi', 'ETH', 64, '0.01', 'https://hoodi.etherscan.io'],
	[11155111, 'sepolia', 'ETH', 64, '0.01', 'https://sepolia.etherscan.io'],
	// docs.optimism.io, stack/transactions/fees: a fee for the data, and one of the operator.
	[10, 'optimism', 'ETH', 300, '0', 'https://optimistic.etherscan.io', 'op'],
	[130, 'unichain', 'ETH', 600, '0', 'https://uniscan.xyz', 'op'],
	[480, 'world-chain', 'ETH', 300, '0', 'https://worldscan.org', 'op'],
	[8453, 'base', 'ETH', 300, '0', 'https://basescan.org', 'op'],
	[84532, 'base-sepolia', 'ETH', 300, '0', 'https://sepolia.basescan.org', 'op'],
	[11155420, 'optimism-sepolia', 'ETH', 300, '0', 'https://sepolia-optimism.etherscan.io', 'op'],
	// docs.celo.org, specs/transaction-fees: no data fee; the base fee has a floor, which blocks report.
	[42220, 'celo', 'CELO', 600, '0', 'https://celoscan.io'],
	[11142220, 'celo-sepolia', 'CELO', 600, '0', 'https://sepolia.celoscan.io'],
	// docs.scroll.io, estimating gas and transaction fees: an oracle of its own.
	[534352, 'scroll', 'ETH', 300, '0', 'https://scrollscan.com', 'scroll'],
	[534351, 'scroll-sepolia', 'ETH', 300, '0', 'https://sepolia.scrollscan.com', 'scroll'],
	// docs.arbitrum.io, gas and fees: the data is part of the gas; tips are not collected.
	[42161, 'arbitrum', 'ETH', 1200, '0', 'https://arbiscan.io'],
	[421614, 'arbitrum-sepolia', 'ETH', 1200, '0', 'https://sepolia.arbiscan.io'],
	// docs.zksync.io, fee model: the data is part of the gas; tips are not collected.
	[324, 'zksync', 'ETH', 600, '0', 'https://explorer.zksync.io'],
	// PIP-35: validators take no tip below 25 gwei; undone were up to 178 blocks.
	[137, 'polygon', 'POL', 256, '30', 'https://polygonscan.com'],
	[80002, 'polygon-amoy', 'POL', 256, '30', 'https://amoy.polygonscan.com'],
	// docs.bnbchain.org: validators take no price below 0.05 gwei; the base fee is 0.
	[56, 'bnb', 'BNB', 30, '0.05', 'https://bscscan.com'],
	[97, 'bnb-testnet', 'BNB', 30, '0.1', 'https://testnet.bscscan.com'],
	// docs.gnosischain.com, about/gas: a tip of 1 gwei.
	[100, 'gnosis', 'XDAI', 20, '1', 'https://gnosisscan.io'],
	// docs.avax.network: the base fee is all; docs.linea.build: the base fee is 7 wei, the tip pays for the data.
	[43114, 'avalanche', 'AVAX', 12, '0', 'https://snowscan.xyz'],
	[59144, 'linea', 'ETH', 300, '0.05', 'https://lineascan.build'],
];

const DEFAULT_DEPTH = 12;

/** The highest cost of the gas of one transaction where the value of the coin is not known, in whole coins. */
const DEFAULT_COST = '0.02';

/** Coins by symbol: the name, and the highest cost of the gas of one transaction in whole coins, some ten dollars at most. */
const COINS: Partial<Record<string, readonly [name: string, maxGasCost: string]>> = {
	ETH: ['Ether', '0.02'],
	POL: ['POL', '5'],
	BNB: ['BNB', '0.05'],
	XDAI: ['xDAI', '5'],
	AVAX: ['AVAX', '1'],
	CELO: ['CELO', '10'],
};

/** What follows from the symbol of a network's coin. */
export function coinOf(symbol: string): Pick<Network, 'symbol' | 'coin' | 'maxGasCost'> {
	const [coin, cost] = COINS[symbol] ?? [symbol, DEFAULT_COST];
	return { symbol, coin, maxGasCost: parseEther(cost) };
}

/** Stands for the symbol of a coin that is not known: a wrong one would name another coin, and another worth. */
export const UNKNOWN = 'UNKNOWN';
export const UNKNOWN_COIN = `The symbol of the network's native coin is not known: set "symbol" in config.json`;

/** Development chains (geth, Ganache; Hardhat, Anvil), whose programs call the coin so. */
const DEVELOPMENT: readonly number[] = [1337, 31337];

/** The network of a chain ID; a neutral one if the table lacks it. */
export function networkOf(chainId: number): Network {
	const row = NETWORKS.find(([id]) => id === chainId);
	if (!row) {
		const coin = DEVELOPMENT.includes(chainId)
			? coinOf('ETH')
			: { ...coinOf(UNKNOWN), coin: 'Native coin of unknown name' };
		return { name: `chain-${chainId}`, ...coin, depth: DEFAULT_DEPTH, minTip: 0n };
	}
	const [, name, symbol, depth, minTip, explorer, dataFee] = row;
	const known = { name, isKnown: true, ...coinOf(symbol), depth, explorer };
	return { ...known, minTip: parseUnits(minTip, 'gwei'), ...(dataFee ? { dataFee } : {}) };
}
