import type { Ahead, Run } from '../../request/run/run';
import { refuse } from '../../values/invalid-input';
import { quote } from '../../values/quote';
import type { Origin } from '../place';
import { ORDER_ID } from '../key';
import { sentWrites } from '../ledger/process-memory';
import type { Amounts } from '../ledger/sent-writes';

/** What will have been sent when the turn of an item of a checked list comes. */
export interface CheckedList {
	readonly ahead: Ahead;
	/** Sums of the amounts, with those that the execution has sent before. */
	readonly sums: Map<string, bigint>;
	/** Amounts by the name of their write. */
	readonly amounts: Map<string, Amounts>;
	/** Digests of calls, by the name of the order. */
	readonly orders: Map<string, string>;
	/** Writes of other executions that stand for items of the list. */
	readonly standing: Map<string, true>;
}

const lists = new WeakMap<Ahead, CheckedList>();

/**
 * The list that a run checks; `undefined` if it sends its items.
 *
 * @example checkedList(run, originOf(context)) // undefined, while items are sent
 */
export function checkedList(
	{ ahead }: Pick<Run, 'ahead'>,
	{ budget }: Pick<Origin, 'budget'>,
): CheckedList | undefined {
	if (ahead === undefined) return undefined;
	const list = lists.get(ahead) ?? {
		ahead,
		sums: new Map(sentWrites.sums(budget)),
		amounts: new Map(),
		orders: new Map(),
		standing: new Map(),
	};
	lists.set(ahead, list);
	return list;
}

/**
 * Whether an order stands in a checked list before, so that it will be paid once.
 *
 * @param name of its write: each account has its own orders
 * @throws InvalidInputError if it has other values there
 * @example isRepeatedInList({ orders: new Map() }, { orderId: '1234', name: 'one', digest: '0xab' }) // false
 */
export function isRepeatedInList(
	{ orders }: Pick<CheckedList, 'orders'>,
	{ orderId, name, digest }: { readonly [key in 'orderId' | 'name' | 'digest']: string },
): boolean {
	const before = orders.get(name);
	orders.set(name, before ?? digest);
	if (before === undefined || before === digest) return before !== undefined;
	const message = `The list has order ${quote(orderId)} twice, with different values`;
	return refuse(ORDER_ID, message, 'Give each payment its own Order ID');
}
