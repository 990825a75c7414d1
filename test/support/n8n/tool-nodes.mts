import type { JsonObject } from '../../../tools/files/json.mts';

/** Wallet Service nodes that are tools of another node. */
export interface ToolSetup {
	/** What the tools do: name to parameters. */
	tools: Record<string, JsonObject>;
	/** ID of the tools' `walletServiceApi` credential. */
	credential: string;
	/** Settings of the tools' nodes, for example `retryOnFail`. */
	toolSettings?: JsonObject;
}

/** The nodes of tools, and their connections to the node that offers them. */
export function toolNodes({ tools, credential, toolSettings = {} }: ToolSetup, offeredBy: string) {
	const names = Object.keys(tools);
	const nodes = Object.entries(tools).map(([name, parameters], index) => ({
		id: name,
		name,
		type: 'n8n-nodes-wallet-service.walletServiceTool',
		typeVersion: 1,
		position: [300 + 150 * index, 200],
		parameters,
		credentials: { walletServiceApi: { id: credential, name: credential } },
		...toolSettings,
	}));
	const type = 'ai_tool';
	const connection = { [type]: [[{ node: offeredBy, type, index: 0 }]] };
	return { nodes, connections: Object.fromEntries(names.map((name) => [name, connection])) };
}
