/** What is said between the command and the process that runs its tests. */

/** Suites whose tests are run: the quick ones that need nothing but this machine's Node.js. */
export const SUITES = ['unit', 'engine'] as const;

/** A suite whose tests are run. */
export type Suite = (typeof SUITES)[number];

/** One test file to run. */
export interface RunOrder {
	readonly do: 'run';
	readonly suite: Suite;
	/** Path from the root of the copy. */
	readonly path: string;
	/** Longest time that one test may take, in milliseconds. */
	readonly testTimeout: number;
	/** How many regions there are, when it is to be noted which of them are reached. */
	readonly regionCount: number;
}

/** What a process is told to do. */
export type Order = RunOrder | { readonly do: 'bundle' };

/** How a test file went. */
export interface TestRun {
	readonly passed: number;
	/** The first test that failed, and why in short; `undefined` when none did. */
	readonly failure: string | undefined;
	readonly milliseconds: number;
	/** Numbers of the regions that were reached. */
	readonly reached: readonly number[];
	/** Whether nothing goes on behind the tests: no timer runs, no connection is open. */
	readonly isQuiet: boolean;
	/** Memory that stays in use, in bytes. */
	readonly heapUsed: number;
}

/** What a process answers. */
export interface Answer {
	readonly run?: TestRun;
	/** Why it could not be done. */
	readonly problem?: string;
}

/** What the tests and the process around them share. */
export interface Shared {
	/** Set for each region that was reached. */
	reached: Uint8Array;
	testTimeout: number;
}

/** Name under which the process keeps what it shares, out of the reach of tests. */
export const SHARED = Symbol.for('wallet-service-mutate');
