/** Every part of n8n that can pay, as an execution that is cut off in the middle of its payments. */
import axios from 'axios';
import type { JsonObject } from '../../../tools/files/json.mts';
import type { ToolCall } from '../../../tools/model/chat-model.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import type { Resources } from '../resources.mts';
import { until } from '../until.mts';
import { connectClient } from './mcp-client.mts';
import type { Host } from './lost-results.mts';
import { innerAgent, nestedAgents } from './nested-agents.mts';
import { approve, reviewedCall, reviewedWorkflow, type Mailbox } from './reviewed-tools.mts';
import {
	agentWorkflow,
	createBuiltInAgent,
	mcpWorkflow,
	order,
	type AgentSetup,
} from './tools-of-models.mts';
import {
	chainedWorkflow,
	formOf,
	itemsPosted,
	loopOver,
	walletNode,
	webhook,
} from './workflow.mts';

/** A running n8n, with a stand-in for the model and a mailbox. */
export interface CutOffHost extends Host {
	readonly resources: Resources;
}

/** One execution, or one client of tools. */
export interface CutOff {
	readonly host: CutOffHost;
	/** ID of its workflow, if it has one, and path of its webhook. */
	readonly id: string;
	/** ID of a credential of its own, because a write without an answer holds up the others of its credential. */
	readonly credential: string;
	/** Wallet to which nobody else sends anything. */
	readonly to: string;
	readonly token: string;
	readonly mailbox: Mailbox;
	readonly smtp: { id: string; name: string };
	/** Number of payments on the chain. */
	readonly paid: () => Promise<number>;
}

/** How it is set up, brought to the point at which n8n dies, and continued after n8n has been started again. */
export interface Case {
	readonly create: (cut: CutOff) => Promise<JsonObject | undefined> | JsonObject;
	readonly begin: (cut: CutOff) => Promise<unknown>;
	/** By default n8n's *Retry*. */
	readonly again?: (cut: CutOff) => Promise<unknown>;
	/** Number of payments when n8n dies; the last of them has no answer, unless the execution waits then. */
	readonly before: number;
	readonly waits?: boolean;
	/** Number of payments if the credential allows 0.05 dollars per execution; absent if another case shows the same. */
	readonly limited?: number;
	/** Number of payments in the end: where the service keeps writes, and where it does not. */
	readonly after: readonly [kept: number, plain: number];
}

/** Whole dollars; each payment of an execution has another amount. */
const AMOUNTS = ['0.01', '0.02', '0.03'];
/** What an execution may pay: all amounts, and that of the last payment behind a wait. */
const LAST = '0.04';
export const LIMIT = '0.1';

/** Longer than a test, so that no attempt gives up before n8n dies. */
const options = { timeout: 3_600, retryFor: 3_600 };
const send = ({ token }: CutOff, recipient: string, amount: string) => {
	return { resource: 'token', operation: 'send', token, recipient, amount, options };
};
const eachItem = (cut: CutOff) => send(cut, '={{ $json.to }}', '={{ $json.amount }}');
const payEach = (cut: CutOff, name = 'Pay') => walletNode(name, cut.credential, eachItem(cut));
const fromModel = "={{ $fromAI('amount', 'Amount', 'string') }}";

const setupOf = (cut: CutOff, changes: Partial<AgentSetup> = {}): AgentSetup => ({
	tools: { Pay: send(cut, cut.to, fromModel) },
	credential: cut.credential,
	model: modelCredential().id,
	// Otherwise an older agent stops at an error.
	toolSettings: { onError: 'continueRegularOutput' },
	...changes,
});

const pay = (amount = '', more: Partial<ToolCall> = {}): ToolCall[] => [
	{ name: 'Pay', arguments: { amount }, ...more },
];
const rounds = AMOUNTS.map((amount) => pay(amount));

/** Posts to the webhook of the workflow; n8n may die before it answers. */
const post = (turns: ToolCall[][] = [], amounts = AMOUNTS) =>
	async function begin({ host, id, to }: CutOff): Promise<void> {
		const items = amounts.map((amount) => ({ to, amount }));
		const body = { items, prompts: [order(...turns)] };
		void axios.post(`${host.url}/webhook/${id}`, body).catch(() => undefined);
		await Promise.resolve();
	};

const waits = async ({ executions }: Host, id: string) => {
	const [execution = ''] = await executions.underWay(id);
	return execution !== '' && (await executions.read(execution)).status === 'waiting'
		? execution
		: undefined;
};

/** Begins, and returns when the execution waits. */
const untilWaiting = (begin: Case['begin']) => async (cut: CutOff) => {
	await begin(cut);
	await until(async () => (await waits(cut.host, cut.id)) !== undefined);
};

/** Answers the form of an execution that waits. */
async function answer({ host: { executions }, id }: CutOff): Promise<void> {
	const [execution = ''] = await executions.underWay(id);
	await executions.answer(execution, 'Yes');
}

const behindForm: Pick<Case, 'create'> = {
	create(cut) {
		const { id, credential, to } = cut;
		const nodes = [
			...[webhook(id, 'atOnce'), itemsPosted, payEach(cut, 'First'), formOf(`${id}Form`)],
			walletNode('Second', credential, send(cut, to, AMOUNTS[2] ?? '')),
			walletNode('Third', credential, send(cut, to, LAST)),
		];
		return chainedWorkflow(id, nodes);
	},
};

const reviewedTurns = [[reviewedCall({ amount: AMOUNTS[0] })], ...rounds.slice(1)];
const reviewed: Pick<Case, 'create'> = {
	create(cut) {
		const tool = send(cut, cut.to, fromModel);
		return reviewedWorkflow(
			cut.id,
			setupOf(cut, { tools: { Pay: tool, Reviewed: tool } }),
			cut.smtp,
		);
	},
};
/** Agrees to what the message of its workflow asks for. */
const agree = async ({ host, mailbox, id }: CutOff) =>
	await approve(host.url, mailbox.mails.find((mail) => mail.includes(id)) ?? '');

/** Payments before n8n dies, and after its Retry, at a service with keys and without. */
const TWO_OF_THREE = { before: 2, after: [3, 2] } satisfies Partial<Case>;
const CALLED_AGAIN = { before: 2, after: [3, 5], limited: 3 } satisfies Partial<Case>;

const nested = (version: number): Case => ({
	create: (cut) => nestedAgents(cut.id, setupOf(cut), version),
	begin: post([innerAgent(...rounds)]),
	...TWO_OF_THREE,
});

/** A client of the MCP server, which does not know what became of its calls, repeats them. */
async function callAll({ host, id }: CutOff): Promise<void> {
	const client = await connectClient(host.resources, host.url, id);
	for (const [call] of rounds) await client.callTool({ ...call, name: 'Pay' });
}

const builtIn = new Map<string, string>();
const chat = async ({ host, id }: CutOff) =>
	await host.client.chatWithAgent(builtIn.get(id) ?? '', order(...rounds));

/** Begins something that n8n's death ends. */
const inBackground = (begin: Case['begin']) => async (cut: CutOff) => {
	void begin(cut).catch(() => undefined);
	await Promise.resolve();
};

const agent = (changes: Partial<AgentSetup>, turns = rounds, settings = {}): Case => ({
	create: (cut) => ({ ...agentWorkflow(cut.id, setupOf(cut, changes)), ...settings }),
	begin: post(turns),
	...TWO_OF_THREE,
});

export const CASES: Record<string, Case> = {
	'a list': {
		create: (cut) => chainedWorkflow(cut.id, [webhook(cut.id), itemsPosted, payEach(cut)]),
		begin: post(),
		...TWO_OF_THREE,
		limited: 0,
	},
	'a loop': {
		create: (cut) => loopOver(cut.id, payEach(cut)),
		begin: post(),
		...TWO_OF_THREE,
		limited: 2,
	},
	'a wait': {
		...behindForm,
		begin: untilWaiting(post([], AMOUNTS.slice(0, 2))),
		again: answer,
		waits: true,
		limited: 2,
		before: 2,
		after: [4, 4],
	},
	'the payment behind a wait': {
		...behindForm,
		async begin(cut) {
			await untilWaiting(post([], AMOUNTS.slice(0, 2)))(cut);
			await inBackground(answer)(cut);
		},
		before: 3,
		after: [4, 3],
	},
	'AI Agent 3.1': { ...agent({}), limited: 2 },
	'AI Agent 2.2': { ...agent({ agentVersion: 2.2 }), limited: 2 },
	'AI Agent 3.1 in the old order': agent({}, rounds, { settings: {} }),
	// n8n drops the results of such calls, so that this agent never comes to its last payment.
	'AI Agent 3.1 with repeated IDs': {
		...agent(
			{},
			AMOUNTS.map((amount) => pay(amount, { id: 'call_0' })),
		),
		after: [2, 2],
	},
	'AI Agent Tool 3': { ...nested(3), limited: 2 },
	'AI Agent Tool 2.2': nested(2.2),
	'the payment behind a review': {
		...reviewed,
		async begin(cut) {
			await untilWaiting(post(reviewedTurns))(cut);
			await agree(cut);
		},
		...TWO_OF_THREE,
		limited: 2,
	},
	'MCP Server Trigger': {
		create: (cut) => mcpWorkflow(cut.id, setupOf(cut)),
		begin: inBackground(callAll),
		again: callAll,
		...CALLED_AGAIN,
	},
	'a built-in agent': {
		async create(cut) {
			builtIn.set(cut.id, await createBuiltInAgent(cut.host.client, cut.id, setupOf(cut)));
			return undefined;
		},
		begin: inBackground(chat),
		again: chat,
		...CALLED_AGAIN,
	},
};
