import { toBigNumber } from './big-number.mts';

/** The JSON form of a decoded answer: integers as BigNumber, arrays and tuples as arrays, other values unchanged. */
export function toJsonAnswer(value: unknown): unknown {
	if (typeof value === 'bigint') return toBigNumber(value);
	if (Array.isArray(value)) return [...value].map(toJsonAnswer);
	return value;
}
