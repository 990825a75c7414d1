/** Random nodes, calls and jobs, with their meaning according to the rules. */
import { FunctionFragment, getAddress } from 'ethers';
import fc from 'fast-check';
import type { OnError } from 'n8n-workflow';

import { WHOLE_TOKENS } from './clients.mts';

/** The content of a field, and its meaning according to the rules. */
export interface Field<T> {
	readonly given: unknown;
	readonly means: T;
}

/** A switch: `undefined` if untouched; an unreadable value means `undefined`. */
export type Switch = Field<boolean | undefined> | undefined;

/** Type of the values that an arbitrary generates. */
export type Made<Arbitrary> = Arbitrary extends fc.Arbitrary<infer Value> ? Value : never;

export const ONE = `0x${'a1'.repeat(20)}`;

export const field = <T,>(given: unknown, means: T): Field<T> => ({ given, means });
export const oneOf = <const T,>(...values: readonly T[]): fc.Arbitrary<T> =>
	fc.constantFrom(...values);
/** Generates the first value in most cases, and otherwise one of the others. */
export const mostly = <const T,>(
	weight: number,
	usual: T,
	...others: readonly T[]
): fc.Arbitrary<T> =>
	fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: oneOf(...others) });

/** Expressions for the second argument; all but the first change with each attempt. */
export const NONCES = {
	constant: '"7"',
	'Date.now()': 'String(Date.now() + 600000)',
	$now: 'String($now.plus({ minutes: 5 }).toMillis())',
	'Math.random()': 'String(Math.floor(Math.random() * 1e15))',
} as const;

/** Options that cannot be read. */
export const BROKEN_OPTIONS = {
	throws: { timeout: '={{ $("Nowhere").item.json.seconds }}' },
	'out of range': { maxTries: 99 },
} as const;

/** Functions, each in several spellings. */
const FUNCTIONS = [
	'act(uint256,uint256) payable',
	'function act(uint256 tag, uint256 nonce) external payable',
	'act(uint tag, uint nonce) public payable returns (bool)',
	'payTo(uint256 tag, uint256 nonce, address to) payable',
	'payIn(uint256 tag, uint256 nonce, uint256 tokens) payable',
	'transfer(address to, uint256 amount)',
].map((abi) => {
	const { name, selector, inputs } = FunctionFragment.from(abi);
	// Arguments after the tag and the nonce, as written in an expression. They require look-ups: of the address of a user, and
	// of the decimals and the symbol of the called contract, for an amount in whole tokens.
	const more = inputs
		.slice(2)
		.map(({ type }) => (type === 'address' ? '"DISCORD-1"' : `"${WHOLE_TOKENS}"`));
	// Token: Send makes the call; the recipient then contains the tag, and the amount is the nonce.
	const isSend = name === 'transfer';
	return { abi, selector, more, isSend };
});
export const SELECTOR = FUNCTIONS[0]?.selector ?? '';

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

/** Choices shared by all calls of a node. */
const anyNode = fc.record({
	function: oneOf(...FUNCTIONS),
	nonce: oneOf(...(Object.keys(NONCES) as (keyof typeof NONCES)[])),
	resend: switched(6),
	simplify: switched(12),
	preview: switched(12),
	/** Whether Native Coin is set. */
	hasValue: mostly(4, true, false),
	/** Maximum number of attempts under n8n's Retry on Fail; 1 if it is off. */
	tries: oneOf(1, 2, 3),
	/** The node's own Max Tries. */
	maxTries: oneOf(1, 2, 3),
	brokenOptions: mostly(
		25,
		undefined,
		...(Object.keys(BROKEN_OPTIONS) as (keyof typeof BROKEN_OPTIONS)[]),
	),
});
export type NodePlan = Made<typeof anyNode> & {
	/** Whether all items have one Order ID, or each tag its own; absent without orders. */
	readonly order?: 'each' | 'one';
};

/** A transfer of tokens does not include native coin. */
const node = anyNode.map((plan) => (plan.function.isSend ? { ...plan, hasValue: false } : plan));

/** An amount of native coin; its meaning is `undefined` if a required amount is missing. */
const amount = mostly<Field<bigint | undefined>>(
	10,
	field('5', 5n),
	...['0', '5', '60', '100'].map((wei) => field<bigint | undefined>(wei, BigInt(wei))),
	...['', null, undefined].map((given) => field(given, undefined)),
);

const SPELLINGS = [ONE, getAddress(ONE), `0x${ONE.slice(2).toUpperCase()}`];

/** One item, or one call of a tool. Calls with the same tag are equal except for the spelling of the address. */
const call = (tag: fc.Arbitrary<number>) =>
	fc.record({
		tag: tag.map(String),
		address: oneOf(...SPELLINGS),
		value: amount,
		/** The item's own value, used if Preview is an expression. */
		preview: mostly(9, OFF, ...readable),
		/**
		 * The same for Send Again. If an expression returned nothing for the first item, no option of the run could
		 * be read.
		 */
		resend: mostly<Field<boolean | undefined>>(12, OFF, ...readable, field('yes', undefined)),
		/** Whether the arguments are not integers. */
		isBad: mostly(25, false, true),
	});
export type CallPlan = Made<ReturnType<typeof call>>;

/** Under n8n's own routing, an expression that throws ends the run before the node is called. */
const routed = (plan: Made<typeof anyNode>): Made<typeof anyNode> => ({
	...plan,
	brokenOptions: plan.brokenOptions && 'out of range',
});

export const workflow = fc
	.record({
		kind: oneOf('workflow'),
		node,
		first: call(fc.constant(0)),
		others: fc.array(call(fc.constant(0)), { maxLength: 5 }),
		/** Whether all items are the same; otherwise all are different. */
		areEqual: mostly(2, false, true),
		onError: oneOf<OnError>('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		/** One node, one node in a loop over single items, or two nodes that receive the same items. */
		layout: mostly(2, 'one', 'loop', 'two'),
		ids: oneOf('different', 'equal', 'missing'),
		/** Whether n8n's own routing runs the node, as in older versions. */
		isRouted: mostly(3, false, true),
	})
	.map(({ first, others, areEqual, ...job }) => {
		const plan = job.isRouted ? routed(job.node) : job.node;
		const items = others.map((one, index) => (areEqual ? first : { ...one, tag: `${index + 1}` }));
		// It is not known which of several equal items was sent again.
		const node = areEqual ? { ...plan, resend: OFF } : plan;
		return { ...job, calls: [first, ...items], node };
	});
export type WorkflowJob = Made<typeof workflow> & { readonly node: NodePlan };

/** A call by a model, which fills in text, and no switches. */
const toolCall = call(fc.nat({ max: 1 })).map(
	(one): CallPlan => ({
		...one,
		preview: OFF,
		resend: OFF,
		value: field(one.value.given ?? '', one.value.means),
	}),
);

export const tool = fc
	.record({
		/**
		 * `agent`: before version 3, in an execution. `agent 3`: through the engine. `mcp`: one request of an MCP client per
		 * call. `built-in`: n8n's own agents, with a new node ID for each call. The last two have no execution.
		 */
		kind: oneOf('agent', 'agent 3', 'mcp', 'built-in'),
		node,
		first: toolCall,
		others: fc.array(toolCall, { maxLength: 3 }),
		onError: oneOf<OnError>('stopWorkflow', 'continueRegularOutput'),
		/** Whether all calls are made at the same time. */
		isAtOnce: fc.boolean(),
		/** Whether an agent creates a new tool for each call. */
		isFresh: fc.boolean(),
	})
	.map(({ first, others, ...job }) => ({
		...job,
		// n8n itself mixes up the model's values for tools created at the same moment.
		calls: [first, ...others.map((one) => (job.isAtOnce && job.isFresh ? first : one))],
		// A tool has Output in place of Simplify.
		node: { ...(job.kind === 'agent 3' ? job.node : routed(job.node)), simplify: undefined },
	}));
export type ToolJob = Made<typeof tool> & { readonly node: NodePlan };
export type Job = ToolJob | WorkflowJob;
