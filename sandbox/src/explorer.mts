/** Makes the links of the block explorer. */
export interface Explorer {
	home(): string;
	/** URL of a contract or wallet. */
	address(address: string): string;
	/** URL of a transaction. */
	transaction(hash: string): string;
}

/** @param origin gives the service's own origin, which is known once it listens */
export function explorerAt(origin: () => string): Explorer {
	const home = () => `${origin()}/explorer`;
	return {
		home,
		address: (address) => `${home()}/address/${address}`,
		transaction: (hash) => `${home()}/tx/${hash}`,
	};
}
