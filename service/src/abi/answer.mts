import { toBigNumber } from './big-number.mts';

/** Converts a decoded answer to JSON: integers to BigNumber, arrays and tuples to arrays, other values unchanged. */
export function toJsonAnswer(value: unknown): unknown {
	if (typeof value === 'bigint') return toBigNumber(value);
	if (Array.isArray(value)) return [...value].map(toJsonAnswer);
	return value;
}
