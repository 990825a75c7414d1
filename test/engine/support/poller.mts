import './environment.mts';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
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

const TYPE = 'n8n-nodes-wallet-service.walletServiceTrigger';

/**
 * How n8n polls. `in memory`, as it does by default: what a poll leaves is there at the next one, and the context is the
 * same from one activation to the next. Under its durable scheduler each poll has a context of its own and begins with
 * what was saved, be it `in static data` or `in a cursor`.
 */
export type Scheduling = 'in memory' | 'in static data' | 'in a cursor';

/** How a trigger is switched on. */
export interface Activation {
	readonly parameters: INodeParameters;
	readonly credential: ICredentialDataDecryptedObject;
	/** What n8n kept of an earlier activation. */
	readonly staticData?: IDataObject;
	/** Why it is switched on: by the user unless given. */
	readonly activation?: WorkflowActivateMode;
	/** `manual` for "Fetch test event". */
	readonly mode?: WorkflowExecuteMode;
	/** `in memory` unless given. */
	readonly scheduling?: Scheduling;
	/** Id of the workflow; a new one unless given. */
	readonly workflowId?: string;
	/** Name of the node; `Trigger` unless given. */
	readonly nodeName?: string;
	/** Milliseconds that n8n gives a poll; what n8n gives by default unless given. */
	readonly budgetMs?: number;
}

let workflows = 0;

const copyOf = (data: IDataObject): IDataObject => JSON.parse(JSON.stringify(data));

/** The trigger in n8n's own poll contexts, from one activation to the next: the first poll belongs to the activation. */
export class Poller {
	readonly #nodeTypes: LoadedNodeTypes;

	readonly #options: Activation;

	readonly #workflowId: string;

	/** What n8n has in its database. */
	#saved: IDataObject;

	/** What n8n has there for this node alone, when it keeps cursors. */
	#cursor: IDataObject = {};

	#workflow: Workflow;

	#context: PollContext;

	#polls = 0;

	constructor(nodeTypes: LoadedNodeTypes, options: Activation) {
		this.#nodeTypes = nodeTypes;
		this.#options = options;
		workflows += 1;
		this.#workflowId = options.workflowId ?? `workflow${workflows}`;
		this.#saved = options.staticData ?? {};
		this.#workflow = this.#createWorkflow();
		const { mode = 'trigger', activation = 'activate' } = options;
		this.#context = this.#createContext(this.#workflow, mode, activation);
	}

	/** What n8n gives the trigger, and all else in this process, to log with. */
	get logger(): Logger {
		return this.#context.logger;
	}

	/** One poll: the items it gives, `undefined` when it gives nothing to execute. */
	async poll(): Promise<IDataObject[] | undefined> {
		return await this.begin()();
	}

	/** Makes a poll from what n8n has saved by now, to be carried out later. */
	begin(): () => Promise<IDataObject[] | undefined> {
		const isActivation = this.#polls === 0;
		this.#polls += 1;
		switch (this.#options.scheduling ?? 'in memory') {
			case 'in memory':
				return async () => await this.#call(this.#context);
			case 'in static data': {
				const workflow = isActivation ? this.#workflow : this.#createWorkflow();
				const context = isActivation
					? this.#context
					: this.#createContext(workflow, 'trigger', 'update');
				return async () => {
					const items = await this.#call(context);
					if (items !== undefined || isActivation) this.#saved = copyOf(workflow.staticData);
					return items;
				};
			}
			case 'in a cursor': {
				const staged = copyOf(this.#cursor);
				const seed = JSON.stringify(staged);
				const activation = isActivation ? (this.#options.activation ?? 'activate') : 'update';
				const context = this.#createContext(this.#workflow, 'trigger', activation, staged);
				return async () => {
					const items = await this.#call(context);
					// At an activation n8n commits a cursor only together with an execution.
					const isCommitted = items !== undefined || !isActivation;
					if (isCommitted && JSON.stringify(staged) !== seed) this.#cursor = copyOf(staged);
					return items;
				};
			}
		}
	}

	/** What n8n would keep now, as JSON. */
	get staticData(): IDataObject {
		const { scheduling = 'in memory' } = this.#options;
		if (scheduling === 'in a cursor') return { [`node:${this.#nodeName}`]: copyOf(this.#cursor) };
		return scheduling === 'in memory' ? copyOf(this.#workflow.staticData) : copyOf(this.#saved);
	}

	get #nodeName(): string {
		return this.#options.nodeName ?? 'Trigger';
	}

	async #call(context: PollContext): Promise<IDataObject[] | undefined> {
		const { poll } = this.#nodeTypes.getByNameAndVersion(TYPE);
		const [items] = (await poll?.call(context)) ?? [];
		return items?.map(({ json }) => json);
	}

	#createWorkflow(): Workflow {
		const node: INode = {
			id: 'trigger',
			name: this.#nodeName,
			type: TYPE,
			typeVersion: 1,
			position: [0, 0],
			parameters: this.#options.parameters,
			credentials: {
				walletServiceApi: { id: '1', name: 'Test credential' },
				walletServiceOAuth2Api: { id: '2', name: 'Test account' },
			},
		};
		return new Workflow({
			id: this.#workflowId,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: this.#nodeTypes,
			// n8n reads it anew from its database.
			staticData: structuredClone(this.#saved),
			settings: { executionOrder: 'v1' },
		});
	}

	#createContext(
		workflow: Workflow,
		mode: WorkflowExecuteMode,
		activation: WorkflowActivateMode,
		cursor?: IDataObject,
	): PollContext {
		const node = workflow.getNode(this.#nodeName);
		if (node === null) throw new Error('The workflow has no trigger');
		const { credential, budgetMs } = this.#options;
		const credentials = new StoredCredentials(
			{ walletServiceApi: credential, walletServiceOAuth2Api: credential },
			(name) => this.#nodeTypes.credentialType(name),
		);
		return new PollContext(
			workflow,
			node,
			additionalDataFor(credentials),
			mode,
			activation,
			undefined,
			undefined,
			undefined,
			undefined,
			cursor && (() => cursor),
			budgetMs === undefined ? undefined : () => budgetMs,
		);
	}
}
