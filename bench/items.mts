/** What one input item of the benchmark carries: everything that the calls need. */
export interface BenchmarkItem {
	userId: string;
	contract: string;
	wallet: string;
}

/** A contract of nobody, for a service that does not look at it. */
const ANY_CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** So many input items, each for another user with another wallet. */
export function listItems(count: number, contract = ANY_CONTRACT): BenchmarkItem[] {
	return Array.from({ length: count }, (_, index) => ({
		userId: `DISCORD-8035111022467${String(index).padStart(6, '0')}`,
		contract,
		wallet: `0x${(index + 1).toString(16).padStart(40, '0')}`,
	}));
}
