/** In queue mode, a worker itself runs each call of a client of the MCP Server Trigger: not n8n's engine, but in an execution. */
import './support/environment.mts';

import { createRequire } from 'node:module';
import { createRunExecutionData, Workflow } from 'n8n-workflow';

import { n8nPackage } from '../../tools/n8n/engine-version.mts';
import { useService } from '../support/sandbox/service.mts';
import { storeCall } from './support/contract-calls.mts';
import { additionalDataFor, credentialOfTest } from './support/engine.mts';
import { StoredCredentials } from './support/stored-credentials.mts';
import { useNode } from './support/use-node.mts';
import { otherNode } from './support/workflow-parts.mts';

const node = useNode(useService());

const { JobProcessor } = createRequire(n8nPackage)('./dist/scaling/job-processor.js');

test('a client of the MCP Server Trigger writes', async () => {
	const args = "={{ [$fromAI('number', 'Number', 'string')] }}";
	const parameters = storeCall(node.service.contracts.shapes, { args });
	for (const { nodeTypes } of await node.ways()) {
		const tool = {
			...otherNode('Store', 'n8n-nodes-wallet-service.walletServiceTool', parameters as never),
			credentials: { walletServiceApi: { id: credentialOfTest(), name: 'Test credential' } },
		};
		const nodes = [tool];
		const workflow = new Workflow({ id: 'w1', nodes, connections: {}, active: false, nodeTypes });
		const credentials = new StoredCredentials(node.service.credential(), nodeTypes);
		const call = {
			workflow,
			sourceNodeName: 'Store',
			toolName: 'Store',
			toolArgs: { number: '9' },
			additionalData: additionalDataFor(credentials),
			runExecutionData: createRunExecutionData({}),
		};
		const output: unknown = await JobProcessor.prototype.invokeTool.call({ nodeTypes }, call);
		expect(output).toMatchObject([{ submitted: true }]);
	}
});
