import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { IDataObject, IExecuteFunctions, INodeType, INodeTypes, Logger } from 'n8n-workflow';

import { LoadedNodeTypes } from '../../support/node-types.mts';
import type { Ask, NodeRun } from './logs.mts';
import { clock } from './logs.mts';
import { AGENT_TYPE, scriptedAgent } from './scripted-agent.mts';

/** Type of the node under test; followed by `Tool` for the node as a tool. */
export const WRITE_TYPE = 'n8n-nodes-wallet-service.walletService';

/** The current work, accessible anywhere in the code of n8n and the node. */
export interface Work {
	readonly runs: NodeRun[];
	readonly lines: string[];
	readonly hasErrorOutput: boolean;
	/** The request of an item. */
	readonly ask: (item: IDataObject) => Ask;
	/** The tool call, unless n8n's engine makes it. */
	readonly call?: string;
	/** Time at which the execution was stopped. */
	readonly stop: { at?: number };
	readonly run?: NodeRun;
}

/** The work to which the current code belongs. */
export const work = new AsyncLocalStorage<Work>();

const heard = new WeakSet<Logger>();

/** Records the lines of n8n's log. */
function listen(logger: Logger): void {
	if (heard.has(logger)) return;
	heard.add(logger);
	for (const level of ['info', 'warn'] as const) {
		const write = logger[level].bind(logger);
		logger[level] = (message, metadata) => {
			work.getStore()?.lines.push(message);
			write(message, metadata);
		};
	}
}

type Execute = NonNullable<INodeType['execute']>;

/** Records each attempt of a run or tool call of the node. */
function watched(execute: (this: IExecuteFunctions) => Promise<unknown>): Execute {
	return async function (this: IExecuteFunctions) {
		listen(this.logger);
		const current = work.getStore();
		if (current === undefined) throw new Error('Nobody asked for this');
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
				hasErrorOutput: current.hasErrorOutput,
				asks: items.map(current.ask),
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

type Convert = (item: Pick<INodeType, 'description'>) => Pick<INodeType, 'description'>;

/** The function by which n8n's server turns a node into a tool. */
function converter(): Convert {
	const root = join(import.meta.dirname, '..', '..', '..', '..');
	const require = createRequire(
		createRequire(join(root, 'tools', 'package.json')).resolve('n8n/package.json'),
	);
	return require('./dist/tool-generation/ai-tools.js').convertNodeToAiTool;
}

/** The node types of n8n and of the built package, with the node under test watched, also as a tool. */
export class WatchedNodeTypes implements INodeTypes {
	readonly #loaded: LoadedNodeTypes;

	readonly #node: INodeType;

	readonly #tool: INodeType;

	private constructor(loaded: LoadedNodeTypes) {
		this.#loaded = loaded;
		const node = loaded.getByNameAndVersion(WRITE_TYPE);
		const { execute } = node;
		const { write } = node.customOperations?.contract ?? {};
		const { send } = node.customOperations?.token ?? {};
		if (execute === undefined) throw new Error('The node cannot be executed');
		this.#node = Object.create(node, {
			execute: { value: watched(execute as never) },
			...(write &&
				send && {
					customOperations: {
						value: {
							contract: { write: watched(write as never) },
							token: { send: watched(send as never) },
						},
					},
				}),
		}) as INodeType;
		const description = { ...node.description, properties: [...node.description.properties] };
		this.#tool = Object.create(this.#node, {
			description: { value: converter()({ description }).description },
		}) as INodeType;
	}

	/** @param isRouted see `LoadedNodeTypes.load` */
	static async load(isRouted = false): Promise<WatchedNodeTypes> {
		return new WatchedNodeTypes(await LoadedNodeTypes.load(isRouted));
	}

	credentialType(...given: Parameters<LoadedNodeTypes['credentialType']>) {
		return this.#loaded.credentialType(...given);
	}

	getByName(type: string): INodeType {
		return this.getByNameAndVersion(type);
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		if (type === AGENT_TYPE) return scriptedAgent;
		if (type === WRITE_TYPE) return this.#node;
		if (type === `${WRITE_TYPE}Tool`) return this.#tool;
		return this.#loaded.getByNameAndVersion(type, version);
	}

	getKnownTypes(): Record<string, never> {
		return {};
	}
}
