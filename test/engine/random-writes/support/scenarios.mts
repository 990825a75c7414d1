import { FunctionFragment, getAddress } from 'ethers';
import fc from 'fast-check';
import type { OnError } from 'n8n-workflow';

import { ANSWERS } from './answers.mts';
import type {
	Amount,
	CallPlan,
	Field,
	FunctionPlan,
	Job,
	NodePlan,
	Scenario,
	Switch,
	ToolJob,
	WorkflowJob,
} from './jobs.mts';
import { BROKEN_OPTIONS, NONCES, repeating, triedOnce } from './jobs.mts';
import { WHOLE_TOKENS } from './scripted-service.mts';

const ONE = `0x${'a1'.repeat(20)}`;
const OTHER = `0x${'b2'.repeat(20)}`;
/** An amount in whole tokens, as an expression. */
const TOKENS = `"${WHOLE_TOKENS}"`;
const FUNCTIONS: FunctionPlan[] = [
	'act(uint256,uint256) payable',
	'function act(uint256 tag, uint256 nonce) external payable',
	'act(uint tag, uint nonce) public payable returns (bool)',
	'payTo(uint256 tag, uint256 nonce, address to) payable',
	'payIn(uint256 tag, uint256 nonce, uint256 tokens) payable',
	'transfer(address to, uint256 amount)',
].map((abi) => {
	const { name, selector, inputs } = FunctionFragment.from(abi);
	// Arguments that need look-ups: the address of a user, and an amount in whole tokens, for which the decimals and the symbol of
	// the called contract are needed.
	const more = inputs.slice(2).map(({ type }) => (type === 'address' ? '"DISCORD-1"' : TOKENS));
	return { abi, selector, more, isSend: name === 'transfer' };
});
const SELECTOR = FUNCTIONS[0]?.selector ?? '';
const NO_LIMIT = 2n ** 256n;

const field = <T,>(given: unknown, means: T): Field<T> => ({ given, means });
const oneOf = <T,>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
/** The first value in most cases. */
const mostly = <T,>(weight: number, usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
	fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: oneOf(...others) });

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
		policy: Object.fromEntries(
			Object.entries(fields).map(([name, { given }]) => [name, given]),
		) as Scenario['policy'],
		policyMeans: {
			isOpen: Object.values(fields).every(({ means }) => means !== undefined && means !== false),
			contracts: fields.allowedContracts.means ?? [],
			functions: fields.allowedFunctions.means ?? [],
			maxPerCall: fields.maxValuePerCall.means ?? 0n,
			maxPerExecution: fields.maxValuePerExecution.means ?? 0n,
		},
	}));

const OFF = field(false, false);
const readable = [true, 'true', false, 'false'].map((given) =>
	field(given, given === true || given === 'true'),
);
const unreadable = ['yes', '', 1, 0, null, undefined, 'TRUE '].map((given) =>
	field(given, undefined),
);
/** A switch that most people leave unchanged. */
const switched = (weight: number): fc.Arbitrary<Switch> =>
	mostly<Switch>(weight, undefined, ...readable, ...readable, ...unreadable);

const anyNode: fc.Arbitrary<NodePlan> = fc.record({
	function: oneOf(...FUNCTIONS),
	nonce: oneOf(...(Object.keys(NONCES) as (keyof typeof NONCES)[])),
	resend: switched(6),
	simplify: switched(12),
	preview: switched(12),
	hasValue: mostly(4, true, false),
	tries: oneOf<1 | 2 | 3>(1, 2, 3),
	maxTries: oneOf<1 | 2 | 3>(1, 2, 3),
	brokenOptions: mostly(
		25,
		undefined,
		...(Object.keys(BROKEN_OPTIONS) as (keyof typeof BROKEN_OPTIONS)[]),
	),
});

/** A transfer of tokens does not include native coin. */
const node = anyNode.map((plan) => (plan.function.isSend ? { ...plan, hasValue: false } : plan));

const amount = mostly<Amount>(
	10,
	field('5', 5n),
	...['0', '5', '60', '100'].map((wei) => field<bigint | undefined>(wei, BigInt(wei))),
	...['', null, undefined].map((given) => field(given, undefined)),
);

const SPELLINGS = [ONE, getAddress(ONE), `0x${ONE.slice(2).toUpperCase()}`];

const call = (tag: fc.Arbitrary<number>): fc.Arbitrary<CallPlan> =>
	fc.record({
		tag: tag.map(String),
		address: oneOf(...SPELLINGS),
		value: amount,
		preview: mostly(9, OFF, ...readable),
		// If an expression returned nothing at the first item, no option of the run can be read.
		resend: mostly<CallPlan['resend']>(12, OFF, ...readable, field('yes', undefined)),
		isBad: mostly(25, false, true),
	});

/** Items that are all different, or all the same. */
const items = fc
	.record({
		first: call(fc.constant(0)),
		others: fc.array(call(fc.constant(0)), { maxLength: 5 }),
		areEqual: mostly(2, false, true),
	})
	.map(({ first, others, areEqual }) => ({
		areEqual,
		items: [
			first,
			...others.map((item, index) => (areEqual ? first : { ...item, tag: `${index + 1}` })),
		],
	}));

const onError = oneOf<OnError>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput');

/** n8n's own routing ends with an expression that throws before the node is called. */
const routed = (plan: NodePlan): NodePlan => ({
	...plan,
	brokenOptions: plan.brokenOptions && 'out of range',
});

const workflow: fc.Arbitrary<Job> = fc
	.record({
		kind: fc.constant('workflow' as const),
		node,
		given: items,
		onError,
		layout: mostly<WorkflowJob['layout']>(2, 'one', 'loop', 'two'),
		ids: oneOf<WorkflowJob['ids']>('different', 'equal', 'missing'),
		isRouted: mostly(3, false, true),
	})
	.map(({ given: { items: list, areEqual }, ...job }) => {
		const plan = job.isRouted ? routed(job.node) : job.node;
		// It is not known which of several equal items was sent again.
		return { ...job, items: list, node: areEqual ? { ...plan, resend: OFF } : plan };
	});

/** A tool has Output in place of Simplify. */
const asTool = (plan: NodePlan): NodePlan => ({ ...plan, simplify: undefined });

const tool: fc.Arbitrary<Job> = fc
	.record({
		kind: oneOf<ToolJob['kind']>('agent', 'agent 3', 'mcp', 'built-in'),
		node,
		first: call(fc.nat({ max: 1 })),
		others: fc.array(call(fc.nat({ max: 1 })), { maxLength: 3 }),
		onError: oneOf<OnError>('stopWorkflow', 'continueRegularOutput'),
		isAtOnce: fc.boolean(),
		isFresh: fc.boolean(),
	})
	.map(({ first, others, ...job }) => ({
		...job,
		// n8n itself mixes up the model's values for tools created at the same moment.
		calls: [first, ...others.map((one) => (job.isAtOnce && job.isFresh ? first : one))],
		node: asTool(job.kind === 'agent 3' ? job.node : routed(job.node)),
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

/** Random runs of writes: the requests, and the answers of the service. */
export const scenario: fc.Arbitrary<Scenario> = fc
	.record({
		credential,
		hasId: mostly(9, true, false),
		isUnreachable: mostly(40, false, true),
		users: fc.array(mostly(2, true, false), { maxLength: 3 }),
		answers: fc.array(answer, { minLength: 1, maxLength: 14 }),
		jobs: fc.array(fc.oneof({ weight: 3, arbitrary: workflow }, { weight: 2, arbitrary: tool }), {
			minLength: 1,
			maxLength: 3,
		}),
		isTogether: fc.boolean(),
		isRepeated: fc.boolean(),
		stopAt: mostly<number | undefined>(5, undefined, 1, 2, 3, 4),
	})
	.map(({ credential: fields, jobs: given, isRepeated, ...rest }) => {
		const [first] = given;
		const jobs = isRepeated && first ? given.map((job) => repeating(job, first)) : given;
		return { ...fields, ...rest, jobs: rest.isUnreachable ? jobs.map(triedOnce) : jobs };
	});
