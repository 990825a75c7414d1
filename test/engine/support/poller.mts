import './environment.mts';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeParameters,
	Logger,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { PollContext } from 'n8n-core';

import { additionalDataFor } from './engine.mts';
import type { LoadedNodeTypes } from './node-types.mts';
import { StoredCredentials } from './stored-credentials.mts';
import { ownNode } from './workflow-parts.mts';

const TYPE = 'walletServiceTrigger';

/**
 * How n8n schedules polls. `in memory`, the default: each poll continues with the state of the last one, and all polls of
 * an activation share a context. `in static data` or `in a cursor`: each poll has a new context and starts from the saved
 * state.
 */
export type Scheduling = 'in memory' | 'in static data' | 'in a cursor';

/** The activation of a trigger. */
export interface Activation {
	readonly parameters: INodeParameters;
	readonly credential: ICredentialDataDecryptedObject;
	/** The saved state of an earlier activation. */
	readonly staticData?: IDataObject;
	/** Cause of the activation, by default the user. */
	readonly activation?: WorkflowActivateMode;
	/** `manual` for "Fetch test event". */
	readonly mode?: WorkflowExecuteMode;
	/** `in memory` by default. */
	readonly scheduling?: Scheduling;
	/** A new ID by default. */
	readonly workflowId?: string;
	readonly nodeName?: string;
	/** 1 by default, that of workflows saved before there was another. */
	readonly typeVersion?: number;
	/** Time limit for a poll, in milliseconds; by default n8n's own. */
	readonly budgetMs?: number;
}

let workflows = 0;

const copyOf = (data: IDataObject): IDataObject => JSON.parse(JSON.stringify(data));

/** The trigger in n8n's own poll contexts, from one activation to the next: the first poll belongs to the activation. */
export class Poller {
	readonly #nodeTypes: LoadedNodeTypes;

	readonly #options: Required<Omit<Activation, 'budgetMs'>> & Pick<Activation, 'budgetMs'>;

	/** The state in n8n's database for all nodes of the workflow. */
	#saved: IDataObject;

	/** The state in n8n's database for this node alone, if n8n keeps cursors. */
	#cursor: IDataObject = {};

	readonly #workflow: Workflow;

	readonly #context: PollContext;

	#isActive = false;

	constructor(nodeTypes: LoadedNodeTypes, options: Activation) {
		this.#nodeTypes = nodeTypes;
		this.#options = {
			staticData: {},
			activation: 'activate',
			mode: 'trigger',
			scheduling: 'in memory',
			workflowId: `workflow${++workflows}`,
			nodeName: 'Trigger',
			typeVersion: 1,
			...options,
		};
		this.#saved = this.#options.staticData;
		this.#workflow = this.#createWorkflow();
		this.#context = this.#createContext(this.#workflow, this.#options.activation);
	}

	/** The logger of the trigger, and of everything else in this process. */
	get logger(): Logger {
		return this.#context.logger;
	}

	/** Polls once. @returns its items, `undefined` if n8n starts no execution */
	async poll(): Promise<IDataObject[] | undefined> {
		return await this.begin()();
	}

	/** Prepares a poll from the state that n8n has saved by now. */
	begin(): () => Promise<IDataObject[] | undefined> {
		const { scheduling, activation } = this.#options;
		const isActivation = !this.#isActive;
		this.#isActive = true;
		if (scheduling === 'in a cursor') {
			const staged = copyOf(this.#cursor);
			const seed = JSON.stringify(staged);
			const started = isActivation ? activation : 'update';
			const context = this.#createContext(this.#workflow, started, staged);
			return async () => {
				const items = await this.#call(context);
				// On an activation, n8n commits a cursor only together with an execution.
				const isCommitted = items !== undefined || !isActivation;
				if (isCommitted && JSON.stringify(staged) !== seed) this.#cursor = copyOf(staged);
				return items;
			};
		}
		const isKept = isActivation || scheduling === 'in memory';
		const workflow = isKept ? this.#workflow : this.#createWorkflow();
		const context = isKept ? this.#context : this.#createContext(workflow, 'update');
		return async () => {
			const items = await this.#call(context);
			if (items !== undefined || isActivation) this.#saved = copyOf(workflow.staticData);
			return items;
		};
	}

	/** A JSON copy of the state that n8n would save now. */
	get staticData(): IDataObject {
		const { scheduling, nodeName } = this.#options;
		if (scheduling === 'in a cursor') return { [`node:${nodeName}`]: copyOf(this.#cursor) };
		return copyOf(scheduling === 'in memory' ? this.#workflow.staticData : this.#saved);
	}

	async #call(context: PollContext): Promise<IDataObject[] | undefined> {
		const { poll } = this.#nodeTypes.getByNameAndVersion(`n8n-nodes-wallet-service.${TYPE}`);
		const [items] = (await poll?.call(context)) ?? [];
		return items?.map(({ json }) => json);
	}

	#createWorkflow(): Workflow {
		const { workflowId, nodeName, parameters, typeVersion } = this.#options;
		const node = { ...ownNode(nodeName, TYPE, parameters), typeVersion };
		return new Workflow({
			id: workflowId,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: this.#nodeTypes,
			// n8n reads static data from its database each time.
			staticData: structuredClone(this.#saved),
			settings: { executionOrder: 'v1' },
		});
	}

	#createContext(
		workflow: Workflow,
		activation: WorkflowActivateMode,
		cursor?: IDataObject,
	): PollContext {
		const { credential, budgetMs, mode, nodeName } = this.#options;
		const node = workflow.getNode(nodeName);
		if (node === null) throw new Error('The workflow has no trigger');
		const credentials = new StoredCredentials(credential, this.#nodeTypes);
		return new PollContext(
			...([workflow, node, additionalDataFor(credentials), mode, activation] as const),
			...([undefined, undefined, undefined, undefined] as const),
			cursor && (() => cursor),
			budgetMs === undefined ? undefined : () => budgetMs,
		);
	}
}
