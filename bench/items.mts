/** An input item of the benchmark, with the values for all calls. */
export interface BenchmarkItem {
	userId: string;
	contract: string;
	wallet: string;
}

/** Any contract address; the stub server ignores it. */
const ANY_CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** Input items, each for a different user and wallet. */
export function listItems(count: number, contract = ANY_CONTRACT): BenchmarkItem[] {
	return Array.from({ length: count }, (_, index) => ({
		userId: `DISCORD-8035111022467${String(index).padStart(6, '0')}`,
		contract,
		wallet: `0x${(index + 1).toString(16).padStart(40, '0')}`,
	}));
}
