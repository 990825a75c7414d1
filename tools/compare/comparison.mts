import { isDeepStrictEqual } from 'node:util';

/** One operation of the node, compared with the chain. */
export interface Comparison {
	/** Resource and operation, for example `balance native`. */
	operation: string;
	/** The values, in readable form. */
	shown: string;
	fromNode: unknown;
	/** The same values, read from the chain directly. */
	fromChain: unknown;
}

/** True if both sides agree on every value. */
export function agrees({ fromNode, fromChain }: Comparison): boolean {
	return isDeepStrictEqual(fromNode, fromChain);
}

/** Describes the comparison in one line; if the sides differ, two more lines show both. */
export function describeComparison(comparison: Comparison): string {
	const { operation, shown, fromNode, fromChain } = comparison;
	const line = `${operation.padEnd(15)} ${shown}`;
	if (agrees(comparison)) return line;
	return [
		`${line}  DIFFERS from the chain:`,
		`  node:  ${JSON.stringify(fromNode)}`,
		`  chain: ${JSON.stringify(fromChain)}`,
	].join('\n');
}
