import fc from 'fast-check';

import type { Made } from '../jobs.mts';
import { mostly, oneOf } from '../jobs.mts';
import type { Limits, Row } from './logs.mts';

/**
 * What becomes of a request: nothing special, cut before or after the work, a failed answer after the work, a refusal, or the
 * page of a proxy before the work.
 */
export type Fate = 'ok' | 'cut before' | 'cut after' | 'error after' | 'refused' | 'page';

/** The death of n8n's process. */
const crash = fc.record({
	/** Number of the request, counted from 1, at which it dies. */
	at: fc.integer({ min: 1, max: 9 }),
	/** Whether the service has carried the request out, never gets it, or gets it when a later session has begun. */
	work: oneOf('done', 'none', 'late'),
	/** When a late request arrives: with the first request of the next session, with its first payment, or after its end. */
	arrives: oneOf('first', 'payment', 'end'),
	/** Whether n8n had saved its progress. */
	isSaved: fc.boolean(),
	/** The run that n8n invents for the node from its log of events. */
	invented: oneOf(undefined, 'begun', 'ended'),
	/** What becomes of the list before n8n reads it again. */
	change: mostly(2, undefined, 'paid rows left out', 'reversed', 'row added'),
});
export type Crash = Made<typeof crash>;

/** The first execution, or a Retry. */
const attempt = fc.record({
	crash: fc.option(crash, { nil: undefined, freq: 2 }),
	/** Whether another process continues: the next one, or after a wait, another worker. */
	isElsewhere: fc.boolean(),
	/** Whether the Retry is started a second time in another process, at the same time. */
	isRivalled: mostly(9, false, true),
});
export type Attempt = Made<typeof attempt>;

const limit = (...amounts: readonly number[]) =>
	mostly<number | undefined>(1, undefined, ...amounts);

/** Lists of payments, by several users, with limits, in workflows that fail, wait, crash and are retried. */
const anyList = fc.record({
	/** Whether tokens are paid, instead of native coin. */
	isToken: fc.boolean(),
	limits: fc.record({
		perCall: limit(3, 4),
		perExecution: limit(6, 9, 14),
		ofToken: limit(6, 9, 14),
	}),
	users: mostly(1, 1, 2, 3),
	hasOrders: mostly(2, false, true),
	/** Whether a second execution in another process pays the same orders at the same time. */
	hasTwin: mostly(3, false, true),
	isChanging: mostly(6, false, true),
	rows: fc.array(
		fc.record({
			user: fc.nat({ max: 2 }),
			to: fc.nat({ max: 2 }),
			amount: fc.integer({ min: 1, max: 4 }),
		}),
		{ minLength: 1, maxLength: 7 },
	),
	stops: fc.boolean(),
	/** Items of a pass of a loop; 0 for the whole list at once. */
	batch: oneOf(0, 0, 1, 2),
	/** Whether the loop waits after each pass, in n8n's database. */
	waits: fc.boolean(),
	/** Maximum number of attempts under n8n's Retry on Fail. */
	tries: mostly(2, 1, 2),
	fates: fc.array(
		mostly<Fate>(8, 'ok', 'cut before', 'cut after', 'error after', 'refused', 'page'),
		{ maxLength: 30 },
	),
	attempts: fc.array(attempt, { minLength: 4, maxLength: 4 }),
});

/** Lists for a service that keeps writes, or for one that knows no orders. */
export const lists = (isKept: boolean) =>
	anyList.map(({ rows: given, limits, ...plan }) => {
		const { users, isToken, isChanging } = plan;
		const hasOrders = plan.hasOrders && isKept;
		const orders = new Map<number, number>();
		const rows = given.map(({ user: any, to, amount }, id): Row => {
			const user = any % users;
			const order = (orders.get(user) ?? 0) + 1;
			orders.set(user, order);
			return { id, user, to, amount, ...(hasOrders && { order }) };
		});
		const { perCall, perExecution, ofToken } = limits;
		const counting: Limits = isToken ? { ofToken } : { perCall, perExecution };
		return {
			...plan,
			rows,
			limits: isChanging ? {} : counting,
			hasTwin: plan.hasTwin && hasOrders,
		};
	});
export type ListPlan = Made<ReturnType<typeof lists>>;
