import type {
	EngineRequest,
	EngineResponse,
	IDataObject,
	IExecuteFunctions,
	INodeType,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/** Stands in for the agent or MCP trigger to which tools are connected. */
export const AGENT_TYPE = 'random-writes.agent';

/** Name of its tool. */
export const TOOL = 'Send Coins';

/** Rounds of simultaneous calls, each with its ID. */
type Rounds = readonly (readonly { readonly id: string; readonly input: IDataObject }[])[];

/** Asks n8n's engine to run its tools round by round, as agents of version 3 do. */
export const scriptedAgent: INodeType = {
	description: {
		displayName: 'Agent',
		name: 'agent',
		group: ['transform'],
		version: 1,
		description: 'Calls its tools as it is told',
		defaults: { name: 'Agent' },
		inputs: [NodeConnectionTypes.Main, { type: NodeConnectionTypes.AiTool }],
		outputs: [NodeConnectionTypes.Main],
		properties: [{ displayName: 'Rounds', name: 'rounds', type: 'json', default: '[]' }],
	},
	async execute(this: IExecuteFunctions, response?: EngineResponse<{ round?: number }>) {
		const rounds = JSON.parse(String(this.getNodeParameter('rounds', 0))) as Rounds;
		const round = response?.metadata.round ?? 0;
		const actions = rounds[round];
		if (actions === undefined) return [this.getInputData()];
		const request: EngineRequest<{ round?: number }> = {
			actions: actions.map(({ id, input }) => ({
				actionType: 'ExecutionNodeAction',
				nodeName: TOOL,
				type: NodeConnectionTypes.AiTool,
				id,
				input,
				metadata: { itemIndex: 0 } as never,
			})),
			metadata: { round: round + 1 },
		};
		return request;
	},
};
