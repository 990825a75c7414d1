/** What one input item of the benchmark carries: everything that the calls need. */
export interface BenchmarkItem {
	userId: string;
	contract: string;
	wallet: string;
}

const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** So many input items, each for another user with another wallet. */
export function listItems(count: number): BenchmarkItem[] {
	return Array.from({ length: count }, (_, index) => ({
		userId: `DISCORD-8035111022467${String(index).padStart(6, '0')}`,
		contract: CONTRACT,
		wallet: `0x${(index + 1).toString(16).padStart(40, '0')}`,
	}));
}
