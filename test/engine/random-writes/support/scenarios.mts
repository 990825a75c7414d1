import { getAddress } from 'ethers';
import fc from 'fast-check';

import type { AnswerPlan } from './answers.mts';
import { ANSWERS, isForeign } from './answers.mts';
import type { Field, Job, Made } from './jobs.mts';
import { field, mostly, ONE, oneOf, SELECTOR, tool, workflow } from './jobs.mts';

const OTHER = `0x${'b2'.repeat(20)}`;
const NO_LIMIT = 2n ** 256n;

// An unreadable field of the policy forbids everything.
const allowWrites = mostly(
	30,
	field(true, true),
	...[false, 'true', 'false', 1, 0, '', 'yes'].map((given) => field(given, false)),
);
const contracts = mostly<Field<string[] | undefined>>(
	16,
	field('', []),
	field([], []),
	field(ONE, [ONE]),
	field([getAddress(ONE)], [ONE]),
	field(`${OTHER},\n${getAddress(ONE)}`, [ONE, OTHER]),
	field(OTHER, [OTHER]),
	field('my token', undefined),
	field(5, undefined),
	field([ONE, 5], undefined),
);
const functions = mostly<Field<string[] | undefined>>(
	20,
	field('', []),
	field('act(uint256,uint256)', [SELECTOR]),
	field(['0xa9059cbb', SELECTOR], [SELECTOR, '0xa9059cbb']),
	field('0xa9059cbb', ['0xa9059cbb']),
	field('send money', undefined),
	field(true, undefined),
);
const limit = (...amounts: readonly bigint[]): fc.Arbitrary<Field<bigint | undefined>> =>
	fc.oneof(
		{ weight: 8, arbitrary: fc.constant(field('', NO_LIMIT)) },
		{ weight: 6, arbitrary: oneOf(...amounts.map((wei) => field(`${wei} wei`, wei))) },
		{
			weight: 1,
			arbitrary: oneOf<Field<bigint | undefined>>(
				field('0', 0n),
				...['a little', '10', 60, true].map((given) => field(given, undefined)),
			),
		},
	);

const credential = fc
	.record({
		allowWrites,
		allowedContracts: contracts,
		allowedFunctions: functions,
		maxValuePerCall: limit(5n, 60n),
		maxValuePerExecution: limit(5n, 10n, 15n, 100n, 160n),
	})
	.map((fields) => ({
		policy: Object.fromEntries(Object.entries(fields).map(([name, { given }]) => [name, given])),
		policyMeans: {
			isOpen: Object.values(fields).every(({ means }) => means !== undefined && means !== false),
			contracts: fields.allowedContracts.means ?? [],
			functions: fields.allowedFunctions.means ?? [],
			maxPerCall: fields.maxValuePerCall.means ?? 0n,
			maxPerExecution: fields.maxValuePerExecution.means ?? 0n,
		},
	}));

const answer = fc.record({
	plan: fc.oneof(
		{ weight: 48, arbitrary: oneOf(...ANSWERS.done) },
		{ weight: 24, arbitrary: oneOf(...ANSWERS.unknown) },
		{ weight: 22, arbitrary: oneOf(...ANSWERS.refused) },
		{ weight: 8, arbitrary: oneOf(...ANSWERS.faults) },
		{ weight: 1, arbitrary: oneOf(...ANSWERS.never) },
	),
	ms: mostly(6, 0, 1, 3, 10, 25),
});

/** Repeats the calls of the first job, like a caller that received no answer. */
const repeating = <T extends Job>(job: T, { node: first }: Job): T => {
	const { function: asked, nonce, hasValue } = first;
	return { ...job, node: { ...job.node, function: asked, nonce, hasValue } };
};

/** The job without pauses between attempts, which would take most of the time. */
const triedOnce = <T extends Job>(job: T): T => ({ ...job, node: { ...job.node, maxTries: 1 } });

/** Random runs of writes: the requests, and the answers of the service. */
export const scenario = fc
	.record({
		credential,
		/** Whether the credential has an ID. */
		hasId: mostly(9, true, false),
		isUnreachable: mostly(40, false, true),
		/** Whether the service knows the user in each of the first look-ups; it does in all later ones. */
		users: fc.array(mostly(2, true, false), { maxLength: 3 }),
		/** The service's answers in the order of requests; later requests succeed. */
		answers: fc.array(answer, { minLength: 1, maxLength: 14 }),
		jobs: fc.array(fc.oneof({ weight: 3, arbitrary: workflow }, { weight: 2, arbitrary: tool }), {
			minLength: 1,
			maxLength: 3,
		}),
		isTogether: fc.boolean(),
		isRepeated: fc.boolean(),
		/** Number of the request, counted from 1, whose arrival stops the first job. */
		stopAt: mostly<number | undefined>(5, undefined, 1, 2, 3, 4),
	})
	.map(({ credential: fields, jobs: given, isRepeated, ...rest }) => {
		const [first] = given;
		const jobs = isRepeated && first ? given.map((job) => repeating(job, first)) : given;
		return { ...fields, ...rest, jobs: rest.isUnreachable ? jobs.map(triedOnce) : jobs };
	});
export type Scenario = Made<typeof scenario>;

/** The same for a service that keeps writes: with Order IDs, and pages of proxies that come before or after the work. */
export const keptScenario = fc
	.record({
		one: scenario,
		orders: fc.array(mostly(2, undefined, 'each', 'one'), { minLength: 3, maxLength: 3 }),
		does: fc.boolean(),
	})
	.map(({ one, orders, does }): Scenario => {
		const withOrder = <T extends Job>(job: T, index: number): T => ({
			...job,
			node: { ...job.node, order: orders[index] },
		});
		const planned = (plan: AnswerPlan): AnswerPlan =>
			isForeign(plan) ? { ...plan, outcome: 'unknown', does } : plan;
		const answers = one.answers.map(({ plan, ms }) => ({ plan: planned(plan), ms }));
		return { ...one, answers, jobs: one.jobs.map(withOrder) };
	});
