/** Links to the block explorer's pages. */
export interface Explorer {
	home(): string;
	/** URL of a contract or wallet. */
	address(address: string): string;
	/** URL of a transaction. */
	transaction(hash: string): string;
}

/** @param origin returns the service's own origin, known once the service listens */
export function explorerAt(origin: () => string): Explorer {
	const home = () => `${origin()}/explorer`;
	return {
		home,
		address: (address) => `${home()}/address/${address}`,
		transaction: (hash) => `${home()}/tx/${hash}`,
	};
}
