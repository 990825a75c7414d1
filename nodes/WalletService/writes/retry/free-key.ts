import type { WriteKey } from '../key';
import type { Retry } from '../ledger/ledger';

/**
 * The key of a place after those of earlier writes, each of which belongs to its own item, also if it was never carried out.
 *
 * @example freeKey({ first: '0', at: String }, { keys: new Map([['0', false]]), used: new Set() }).first // '1'
 */
export function freeKey(key: WriteKey, { keys, used }: Pick<Retry, 'keys' | 'used'>): WriteKey {
	if (key.orderId !== undefined) return key;
	const free: string[] = [];
	let next = 0;
	const at = (ordinal: number): string => {
		while (free.length <= ordinal) {
			const name = key.at(next++);
			if (!keys.has(name) && !used.has(name)) free.push(name);
		}
		return free[ordinal] ?? '';
	};
	return { first: at(0), at };
}
