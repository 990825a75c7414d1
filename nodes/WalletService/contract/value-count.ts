import type { Field } from '../values/invalid-input';
import { refuse } from '../values/invalid-input';
import { Stretches } from '../values/turns';

/**
 * Maximum number of values in a write: each takes at least a word of 32 bytes, and nodes accept no transaction of more than
 * 128 KiB.
 */
export const MAX_WRITTEN_VALUES = 4096;

/** Values that are checked at once; between them, n8n does other work. */
const AT_ONCE = 500;

/**
 * Counts the values of a call while they are checked.
 *
 * @example await new ValueCount(1).add('ids[0] (uint256)') // undefined
 */
export class ValueCount {
	readonly #most: number;

	readonly #stretches = new Stretches(AT_ONCE);

	#count = 0;

	/** @param most maximum number of values */
	constructor(most = Infinity) {
		this.#most = most;
	}

	/** @throws InvalidInputError if there are too many */
	async add(path: Field): Promise<void> {
		this.#count += 1;
		if (this.#count > this.#most) {
			const problem = `The arguments have more than ${this.#most} values, more than a transaction can hold`;
			refuse(path, problem, 'Split the list, and send a transaction for each part');
		}
		await this.#stretches.after();
	}
}
