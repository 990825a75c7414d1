import { readFileSync } from 'node:fs';

/** Environment variable with the file that holds the plan of a run, for the processes that StrykerJS starts. */
export const PLAN = 'WALLET_SERVICE_MUTATION_PLAN';

/** What the test runner needs beside StrykerJS's own options. */
export interface Plan {
	/** The source file of each mutant, by the mutant's ID. */
	readonly sources: Readonly<Record<string, string>>;
	/** IDs of the mutants to run. */
	readonly chosen: readonly string[];
	/** Pattern of the test files to run. */
	readonly tests: string;
}

/** The plan of this run. */
export function readPlan(): Plan {
	const plan: Plan = JSON.parse(readFileSync(process.env[PLAN] ?? '', 'utf8'));
	return plan;
}
