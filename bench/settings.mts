import { parseArgs } from 'node:util';
import { CALLS } from './calls.mts';
import { PROFILE_NAMES, type ProfileName } from './service-profiles.mts';
import type { Load } from './variants.mts';

export interface BenchmarkSettings {
	loads: Load[];
	/** Kinds of services on which adaptive and fixed concurrency are compared. */
	services: ProfileName[];
	/** Whether writes are measured. */
	writes: boolean;
	rounds: number;
	/** Whether a load runs in a round, counted from 1. */
	isDue(load: Load, round: number): boolean;
	/** Whether to write the results into `RESULTS.md`. */
	write: boolean;
	/** Folder for a CPU profile of each run of n8n. */
	profiles?: string;
}

/** In the full set, larger sizes with latency run in the first round only: 50,000 items take 12 minutes at 50 ms. */
const ITEMS_OF_EVERY_ROUND = 10_000;

/** Size at which the contract read is compared too, without latency. */
const ITEMS_OF_READ = 10_000;

/** Whether to run a load: the contract read runs at one size only, unless the command line selects the calls. */
function isWorthwhile({ call, items, latency }: Load, asked: readonly string[]): boolean {
	return (
		call === 'balance' || asked.includes('--calls') || (items === ITEMS_OF_READ && latency === 0)
	);
}

const PARTS = ['loads', 'services', 'writes'] as const;

function readNames<Name extends string>(list: string, known: readonly Name[]): Name[] {
	const asked = list.split(',');
	const unknown = asked.find((name) => !known.some((one) => one === name));
	if (unknown === undefined) return known.filter((name) => asked.includes(name));
	throw new Error(`"${unknown}" is not one of ${known.join(', ')}`);
}

function readNumbers(list: string, option: string): number[] {
	const numbers = list.split(',').map(Number);
	if (numbers.every((number) => Number.isInteger(number) && number >= 0)) return numbers;
	throw new Error(`--${option} takes whole numbers with commas between them, not "${list}"`);
}

/**
 * Reads the command line; without arguments the full set runs.
 *
 * @throws Error for an unknown option or name, or a value that is not a number.
 */
export function readSettings(args: string[]): BenchmarkSettings {
	const { values } = parseArgs({
		args,
		options: {
			sizes: { type: 'string', default: '100,1000,10000,50000' },
			latency: { type: 'string', default: '0,50,200' },
			calls: { type: 'string', default: 'balance,read' },
			services: { type: 'string', default: PROFILE_NAMES.join(',') },
			parts: { type: 'string', default: PARTS.join(',') },
			rounds: { type: 'string', default: '3' },
			write: { type: 'boolean', default: false },
			profiles: { type: 'string' },
		},
	});
	const sizes = readNumbers(values.sizes, 'sizes');
	const latencies = readNumbers(values.latency, 'latency');
	const [rounds = 1] = readNumbers(values.rounds, 'rounds');
	const calls = readNames(values.calls, CALLS);
	const parts = readNames(values.parts, PARTS);
	const services = readNames(values.services, PROFILE_NAMES);
	const loads = calls.flatMap((call) =>
		latencies.flatMap((latency) => sizes.map((items): Load => ({ call, items, latency }))),
	);
	const { write, profiles } = values;
	return {
		loads: parts.includes('loads') ? loads.filter((load) => isWorthwhile(load, args)) : [],
		services: parts.includes('services') ? services : [],
		writes: parts.includes('writes'),
		rounds,
		isDue: ({ items, latency }, round) =>
			round === 1 || latency === 0 || items <= ITEMS_OF_EVERY_ROUND || args.includes('--sizes'),
		write,
		profiles,
	};
}
