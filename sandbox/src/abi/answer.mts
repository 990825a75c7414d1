import { toBigNumber } from './big-number.mts';

/**
 * The JSON form of a decoded answer: every integer a BigNumber, arrays and tuples arrays, the rest as it is.
 */
export function toJsonAnswer(value: unknown): unknown {
	if (typeof value === 'bigint') return toBigNumber(value);
	if (Array.isArray(value)) return [...value].map(toJsonAnswer);
	return value;
}
