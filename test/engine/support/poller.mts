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
}

/** The trigger in n8n's own poll context, from one activation to the next. */
export class Poller {
	readonly #workflow: Workflow;

	readonly #context: PollContext;

	readonly #nodeTypes: LoadedNodeTypes;

	constructor(nodeTypes: LoadedNodeTypes, options: Activation) {
		const { parameters, credential, staticData = {}, activation = 'activate' } = options;
		const node: INode = {
			id: 'trigger',
			name: 'Trigger',
			type: 'n8n-nodes-wallet-service.walletServiceTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: { walletServiceApi: { id: '1', name: 'Test credential' } },
		};
		this.#nodeTypes = nodeTypes;
		this.#workflow = new Workflow({
			id: 'workflow',
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes,
			// n8n reads it anew from its database.
			staticData: structuredClone(staticData),
			settings: { executionOrder: 'v1' },
		});
		const credentials = new StoredCredentials({ walletServiceApi: credential }, (name) =>
			nodeTypes.credentialType(name),
		);
		this.#context = new PollContext(
			this.#workflow,
			this.#workflow.nodes.Trigger ?? node,
			additionalDataFor(credentials),
			options.mode ?? 'trigger',
			activation,
		);
	}

	/** What n8n gives the trigger, and all else in this process, to log with. */
	get logger(): Logger {
		return this.#context.logger;
	}

	/** One poll: the items it gives, `undefined` when it gives nothing to execute. */
	async poll(): Promise<IDataObject[] | undefined> {
		const { poll } = this.#nodeTypes.getByNameAndVersion(
			'n8n-nodes-wallet-service.walletServiceTrigger',
		);
		const [items] = (await poll?.call(this.#context)) ?? [];
		return items?.map(({ json }) => json);
	}

	/** What n8n would keep now, as JSON. */
	get staticData(): IDataObject {
		return JSON.parse(JSON.stringify(this.#workflow.staticData));
	}
}
