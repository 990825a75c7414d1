/** Properties of a chain that its endpoints do not report. */
export interface Network {
	/** Lower case, as in balances. */
	name: string;
	symbol: string;
	coin: string;
	/** Number of blocks above a block after which it is final. */
	depth: number;
	/** Lowest priority fee that the network's nodes accept, in wei. */
	minTip: bigint;
	/** Block explorer without a trailing slash. */
	explorer?: string;
	/** Whether transactions pay for their place on the chain below, beyond their gas. */
	hasDataFee?: boolean;
}

const GWEI = 1_000_000_000n;
const DEFAULT_DEPTH = 12;

const ether = (name: string, depth: number, explorer: string, minTip = 0n): Network => ({
	name,
	symbol: 'ETH',
	coin: 'Ether',
	depth,
	minTip,
	explorer,
});

const opStack = (name: string, explorer: string): Network => ({
	...ether(name, 300, explorer),
	hasDataFee: true,
});

const POL = { symbol: 'POL', coin: 'POL' };

const NETWORKS: Partial<Record<number, Network>> = {
	1: ether('ethereum', 64, 'https://etherscan.io', GWEI / 100n),
	10: opStack('optimism', 'https://optimistic.etherscan.io'),
	8453: opStack('base', 'https://basescan.org'),
	42161: ether('arbitrum', 1200, 'https://arbiscan.io'),
	17000: ether('holesky', 64, 'https://holesky.etherscan.io', GWEI / 100n),
	560048: ether('hoodi', 64, 'https://hoodi.etherscan.io', GWEI / 100n),
	11155111: ether('sepolia', 64, 'https://sepolia.etherscan.io', GWEI / 100n),
	84532: opStack('base-sepolia', 'https://sepolia.basescan.org'),
	11155420: opStack('optimism-sepolia', 'https://sepolia-optimism.etherscan.io'),
	421614: ether('arbitrum-sepolia', 1200, 'https://sepolia.arbiscan.io'),
	137: { ...ether('polygon', 256, 'https://polygonscan.com', 30n * GWEI), ...POL },
	80002: { ...ether('polygon-amoy', 256, 'https://amoy.polygonscan.com', 30n * GWEI), ...POL },
	100: { ...ether('gnosis', 20, 'https://gnosisscan.io', GWEI), symbol: 'XDAI', coin: 'xDAI' },
};

/** The network of a chain ID; a neutral one if the table lacks it. */
export function networkOf(chainId: number): Network {
	const unknown = { symbol: 'ETH', coin: 'Ether', depth: DEFAULT_DEPTH, minTip: 0n };
	return NETWORKS[chainId] ?? { name: `chain-${chainId}`, ...unknown };
}
