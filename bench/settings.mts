import { parseArgs } from 'node:util';
import type { Load } from './variants.mts';

/** What to run. */
export interface BenchmarkSettings {
	loads: Load[];
	rounds: number;
	/** Whether `RESULTS.md` gets the results. */
	write: boolean;
}

/** With latency every 10,000 items take at least 50 s: the rows with more items would say nothing new for minutes of waiting. */
const MOST_ITEMS_WITH_LATENCY = 10_000;

/** Size at which the contract read is compared beside the balance. */
const ITEMS_OF_READ = 10_000;

function readNumbers(list: string, option: string): number[] {
	const numbers = list.split(',').map(Number);
	if (numbers.every((number) => Number.isInteger(number) && number >= 0)) return numbers;
	throw new Error(`--${option} takes whole numbers with commas between them, not "${list}"`);
}

/**
 * The settings behind the command line; without arguments the full set.
 *
 * @throws Error for an option that is not known, or a value that is no number.
 */
export function readSettings(args: string[]): BenchmarkSettings {
	const { values } = parseArgs({
		args,
		options: {
			sizes: { type: 'string', default: '100,1000,10000,50000' },
			latency: { type: 'string', default: '0,50' },
			rounds: { type: 'string', default: '3' },
			write: { type: 'boolean', default: false },
		},
	});
	const sizes = readNumbers(values.sizes, 'sizes');
	const latencies = readNumbers(values.latency, 'latency');
	const [rounds = 1] = readNumbers(values.rounds, 'rounds');
	const balances = latencies.flatMap((latency) =>
		sizes
			.filter((items) => latency === 0 || items <= MOST_ITEMS_WITH_LATENCY)
			.map((items): Load => ({ call: 'balance', items, latency })),
	);
	const reads = [{ call: 'read' as const, items: ITEMS_OF_READ, latency: 0 }].filter(
		({ items, latency }) => sizes.includes(items) && latencies.includes(latency),
	);
	return { loads: [...balances, ...reads], rounds, write: values.write };
}
