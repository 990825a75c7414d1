import type { Asked, Decision } from '../../../../../nodes/WalletService/writes/retry/decide.ts';

/** A write that the service has carried out. */
export interface Write {
	readonly key: string;
	readonly place: string;
	readonly input: string;
	readonly call: string;
	readonly hash: number;
}

/** The rule under test. */
export type Rule = (
	open: readonly Write[],
	asked: readonly Asked[],
) => Map<number, Decision<Write>>;

/** What happened in all workflows. */
export interface Totals {
	retries: number;
	paid: number;
	/** Payments of a call beyond those that were wanted. */
	doubled: number;
	/** Items reported with the hash of another call, although no values change. */
	falseReports: number;
	conflicts: number;
}
