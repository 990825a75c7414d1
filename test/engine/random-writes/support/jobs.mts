/** The parts of a random run: credential, nodes and calls. */
import type { OnError } from 'n8n-workflow';

import type { AnswerPlan } from './answers.mts';
import type { Policy } from './logs.mts';

/** The content of a field, and its meaning by the rules. */
export interface Field<T> {
	readonly given: unknown;
	readonly means: T;
}

/** A switch: `undefined` if untouched; an unreadable one means `undefined`. */
export type Switch = Field<boolean | undefined> | undefined;

/** A native amount; it means `undefined` if a required amount is missing. */
export type Amount = Field<bigint | undefined>;

/** Expressions of the second argument; all but the first change with each attempt. */
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

/** A function, in one of its spellings. */
export interface FunctionPlan {
	readonly abi: string;
	/** Selector of the expected call. */
	readonly selector: string;
	/** Arguments after the tag and the nonce, as in an expression. */
	readonly more: readonly string[];
	/** Whether Token: Send makes the call; the recipient then contains the tag, and the amount is the nonce. */
	readonly isSend: boolean;
}

/** Choices shared by all calls of a node. */
export interface NodePlan {
	readonly function: FunctionPlan;
	readonly nonce: keyof typeof NONCES;
	readonly resend: Switch;
	readonly simplify: Switch;
	readonly preview: Switch;
	/** Whether Native Coin is set. */
	readonly hasValue: boolean;
	/** n8n's Retry on Fail; 1 for off. */
	readonly tries: 1 | 2 | 3;
	/** The node's own Max Tries. */
	readonly maxTries: 1 | 2 | 3;
	readonly brokenOptions: keyof typeof BROKEN_OPTIONS | undefined;
}

/** One item, or one call of a tool. */
export interface CallPlan {
	/** Calls with the same tag are equal except for the spelling of the address. */
	readonly tag: string;
	readonly address: string;
	readonly value: Amount;
	/** The item's own value if Preview is an expression. */
	readonly preview: Field<boolean>;
	/** The item's own value if Resend When Unknown is an expression. */
	readonly resend: Field<boolean | undefined>;
	/** Whether the arguments are not integers. */
	readonly isBad: boolean;
}

export interface WorkflowJob {
	readonly kind: 'workflow';
	readonly node: NodePlan;
	readonly items: readonly CallPlan[];
	readonly onError: OnError;
	/** One node, one node in a loop over single items, or two nodes that receive the same items. */
	readonly layout: 'one' | 'loop' | 'two';
	/** The IDs of the two nodes. */
	readonly ids: 'different' | 'equal' | 'missing';
	/** Whether n8n's own routing runs the node, as in older versions. */
	readonly isRouted: boolean;
}

export interface ToolJob {
	/**
	 * `agent`: before version 3, in an execution. `agent 3`: through the engine. `mcp`: one request of an MCP client per call.
	 * `built-in`: n8n's own agents, with a new node ID for each call. The last two have no execution.
	 */
	readonly kind: 'agent' | 'agent 3' | 'mcp' | 'built-in';
	readonly node: NodePlan;
	readonly calls: readonly CallPlan[];
	readonly onError: OnError;
	/** Whether all calls are made at the same time. */
	readonly isAtOnce: boolean;
	/** Whether an agent creates a new tool for each call. */
	readonly isFresh: boolean;
}

export type Job = WorkflowJob | ToolJob;

/** Repeats the calls of the first job, like a caller that received no answer. */
export const repeating = <T extends Job>(job: T, { node: first }: Job): T => {
	const { function: asked, nonce, hasValue } = first;
	return { ...job, node: { ...job.node, function: asked, nonce, hasValue } };
};

/** The job without pauses between attempts, which would take most of the time. */
export const triedOnce = <T extends Job>(job: T): T => ({
	...job,
	node: { ...job.node, maxTries: 1 },
});

/** One random run. */
export interface Scenario {
	readonly policy: Readonly<
		Record<
			| 'allowWrites'
			| 'allowedContracts'
			| 'allowedFunctions'
			| 'maxValuePerCall'
			| 'maxValuePerExecution',
			unknown
		>
	>;
	readonly policyMeans: Policy;
	/** Whether the credential has an ID. */
	readonly hasId: boolean;
	readonly isUnreachable: boolean;
	/** Whether the service knows the user, for each look-up; it does for all later ones. */
	readonly users: readonly boolean[];
	/** The service's answers in the order of requests; later requests succeed. */
	readonly answers: readonly { readonly plan: AnswerPlan; readonly ms: number }[];
	readonly jobs: readonly Job[];
	readonly isTogether: boolean;
	/** Number of the request, counted from 1, at whose arrival the first job is stopped. */
	readonly stopAt: number | undefined;
}
