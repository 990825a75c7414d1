import './environment.mts';

import { createHash } from 'node:crypto';
import type {
	ExecutionError,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	IRun,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { ExecutionLifecycleHooks, ExternalSecretsProxy } from 'n8n-core';

import { startExecution } from './execution.mts';
import { LoadedNodeTypes } from './node-types.mts';
import { assertAsInSchema } from './output-schemas.mts';
import { StoredCredentials } from './stored-credentials.mts';
import { ownNode, to } from './workflow-parts.mts';

/** Name of the node under test in its workflow. */
export const NODE = 'Wallet Service';

/** The nodes that *Retry* would run first, by an execution as n8n saved it. */
export const retriedNodes = ({ data }: IRun): string[] =>
	(data.executionData?.nodeExecutionStack ?? []).map(({ node }) => node.name);

/** A run of one node of the package over the given items. */
export interface EngineRun {
	readonly parameters: INodeParameters;
	readonly credential: ICredentialDataDecryptedObject;
	/** Input items; one empty item unless given. */
	readonly items?: readonly IDataObject[];
	/** Settings of the node besides its parameters: `onError`, `retryOnFail`, ... */
	readonly node?: Partial<INode>;
	/** Cancels the execution, as the stop button does, once this is fulfilled. */
	readonly cancelWhen?: Promise<unknown>;
	/** Gets the execution after a cancellation as n8n saves it: whatever it is after one query of n8n's database. */
	readonly onSaved?: (run: IRun) => void;
	/** n8n's variables (`$vars`), which may change while the execution runs. */
	readonly variables?: IDataObject;
	/** By default, the mode of executions that a trigger starts. */
	readonly mode?: WorkflowExecuteMode;
	/** The failed execution that this one retries, with its items. */
	readonly retryOf?: IRun;
	/** By default, no other execution has it. */
	readonly executionId?: string;
}

/** The output of the node. */
export interface EngineResult {
	readonly items: INodeExecutionData[];
	/** Items of the error output, if the node has one. */
	readonly errorItems: INodeExecutionData[];
	readonly error: ExecutionError | undefined;
	readonly run: IRun;
}

export function additionalDataFor(
	credentialsHelper: StoredCredentials,
	executionId = String(++executions),
): IWorkflowExecuteAdditionalData {
	const url = 'http://127.0.0.1:0';
	const workflow = { id: 'workflow', name: 'Workflow', nodes: [], connections: {} };
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper,
		executionId,
		variables: {},
		currentNodeExecutionIndex: 0,
		instanceBaseUrl: url,
		webhookWaitingBaseUrl: url,
		formWaitingBaseUrl: url,
		externalSecretsProxy: new ExternalSecretsProxy(),
		logAiEvent: () => undefined,
		hooks: new ExecutionLifecycleHooks('manual', executionId, workflow as never),
	};
	// Only servers, sub-workflows and task runners use the other members.
	return data as IWorkflowExecuteAdditionalData;
}

/** ID of a separate credential for each test: a call that one test leaves unknown must not be blocked in another. */
export const credentialOfTest = () =>
	createHash('sha256')
		.update(expect.getState().currentTestName ?? '')
		.digest('hex')
		.slice(0, 16);

let executions = 0;

/** n8n's own execution engine with the built package. */
export class Engine {
	readonly nodeTypes: LoadedNodeTypes;

	private constructor(nodeTypes: LoadedNodeTypes) {
		this.nodeTypes = nodeTypes;
	}

	/** @param routedByN8n see `LoadedNodeTypes.load` */
	static async create(routedByN8n = false): Promise<Engine> {
		return new Engine(await LoadedNodeTypes.load(routedByN8n));
	}

	/** Runs a workflow of one node over items. */
	async runNode(
		node: INode,
		{
			credential,
			items = [{}],
			cancelWhen,
			onSaved,
			variables = {},
			mode,
			retryOf,
			executionId,
		}: Omit<EngineRun, 'parameters'>,
	): Promise<IRun> {
		const { nodeTypes } = this;
		const credentials = new StoredCredentials(credential, nodeTypes);
		const additionalData = { ...additionalDataFor(credentials, executionId), variables };
		const connections = { Start: { main: [to(node.name)] } };
		const given = { id: 'workflow', nodes: [node], connections, nodeTypes };
		const { workflow, running } = startExecution(given, additionalData, items, mode, retryOf);
		additionalData.hooks?.addHandler('workflowExecuteAfter', async (run) => {
			await new Promise((resolve) => setImmediate(resolve));
			onSaved?.(run);
		});
		void cancelWhen?.then(() => running.cancel());
		const run = await running;
		assertAsInSchema(workflow, run);
		return run;
	}

	/** Runs the Wallet Service node over items. */
	async run({ parameters, node, ...given }: EngineRun): Promise<EngineResult> {
		const own = ownNode(NODE, 'walletService', parameters, credentialOfTest());
		const run = await this.runNode({ ...own, ...node }, given);
		const { data, error } = run.data.resultData.runData[NODE]?.at(-1) ?? {};
		const [output = [], errorOutput = []] = data?.main ?? [];
		return {
			items: output ?? [],
			errorItems: errorOutput ?? [],
			error: error ?? run.data.resultData.error,
			run,
		};
	}
}
