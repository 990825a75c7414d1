import type { ReadParameter } from '../../../request/run/read-parameter';
import { InvalidInputError } from '../../../values/invalid-input';
import { quote } from '../../../values/quote';
import { waitUpTo } from './parameters';

/** Longest wait, in seconds: an execution that waits keeps a place of n8n's concurrency. */
const MAX_SECONDS = 300;

/** How long an item waits at most, in milliseconds. @throws InvalidInputError unless it is a number from 0 to 300. */
export function readWait(read: ReadParameter): number {
	const value = read(waitUpTo.name, waitUpTo.default);
	const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	if (typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_SECONDS) return seconds * 1000;
	throw new InvalidInputError({
		parameter: waitUpTo.name,
		value,
		message: `${quote(value)} is no number of seconds from 0 to ${MAX_SECONDS}`,
		hint: 'Give 0 to look once, or up to 300; to wait longer, use a Wait node and look again behind it',
	});
}
