import { AsyncLocalStorage } from 'node:async_hooks';

import type { IExecuteFunctions, INodeType, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { LoadedNodeTypes } from '../../support/node-types.mts';
import type { Job } from './jobs.mts';
import type { NodeRun } from './logs.mts';
import { clock } from './logs.mts';
import { askFor } from './parameters.mts';
import { AGENT_TYPE, scriptedAgent } from './scripted-agent.mts';

/** Type of the node under test; followed by `Tool` for the node as a tool. */
export const WRITE_TYPE = 'n8n-nodes-wallet-service.walletService';

/** Stops an execution, at this time. */
export class Stop extends AbortController {
	at?: number;
}

/** A job in its environment, accessible anywhere in the code of n8n and the node. */
export interface Work {
	readonly job: Job;
	readonly runs: NodeRun[];
	readonly lines: string[];
	readonly stop: Stop;
	readonly nodeTypes: LoadedNodeTypes;
	/** Prefix of all IDs. */
	readonly name: string;
	readonly executionId: string;
	readonly credentialId: string | null;
	readonly timeout: number | undefined;
	readonly additionalData: () => IWorkflowExecuteAdditionalData;
	/** The tool call, unless n8n's engine makes it. */
	readonly call?: string;
	readonly run?: NodeRun;
}

/** The work to which the current code belongs. */
export const work = new AsyncLocalStorage<Work>();

type Execute = NonNullable<INodeType['execute']>;

/** Records each attempt of a run or tool call of the node. */
function watched(execute: (this: IExecuteFunctions) => Promise<unknown>): Execute {
	return async function (this: IExecuteFunctions) {
		const current = work.getStore();
		if (current === undefined) throw new Error('The node was called outside any job');
		const node = this.getNode();
		const items = this.getInputData().map(({ json }) => json);
		const execution: string | undefined = this.getExecutionId();
		const index = Number(Reflect.get(this, 'runIndex'));
		const call = current.call ?? items[0]?.toolCallId;
		const scope = call === undefined ? `${execution}/${node.name}/${index}` : `call/${call}`;
		let run = current.runs.find((one) => one.scope === scope);
		if (run === undefined) {
			run = {
				scope,
				node: node.name,
				index,
				execution,
				isTool: node.type.endsWith('Tool'),
				hasErrorOutput: node.onError === 'continueErrorOutput',
				asks: items.map((item) => askFor(current.job, item)),
				tries: [],
				reports: [],
				get stoppedAt() {
					return current.stop.at;
				},
			};
			current.runs.push(run);
		}
		run.tries.push(clock());
		return (await work.run({ ...current, run }, async () => await execute.call(this))) as never;
	};
}

/** Wraps the node, unchanged, so that its attempts are recorded. */
function watch(node: INodeType): INodeType {
	const { execute, customOperations } = node;
	const { contract, token } = customOperations ?? {};
	if (execute === undefined) throw new Error('The node cannot be executed');
	return Object.create(node, {
		execute: { value: watched(execute as never) },
		...(customOperations && {
			customOperations: {
				value: {
					contract: { write: watched(contract?.write as never) },
					token: { send: watched(token?.send as never) },
				},
			},
		}),
	}) as INodeType;
}

/** The node types of n8n and of the built package, with attempts of the node under test recorded, also as a tool. */
export class WatchedNodeTypes extends LoadedNodeTypes {
	override getByNameAndVersion(type: string, version?: number): INodeType {
		if (type === AGENT_TYPE) return scriptedAgent;
		const node = super.getByNameAndVersion(type, version);
		return type === WRITE_TYPE ? watch(node) : node;
	}
}
