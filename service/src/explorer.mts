/** Links to the block explorer's pages. */
export interface Explorer {
	home(): string;
	/** URL of a contract or wallet. */
	address(address: string): string;
	/** URL of a transaction. */
	transaction(hash: string): string;
}

/** @param home returns the URL of the explorer, known once the service listens */
export function explorerAt(home: () => string): Explorer {
	return {
		home,
		address: (address) => `${home()}/address/${address}`,
		transaction: (hash) => `${home()}/tx/${hash}`,
	};
}
