/** Executions in the editor: a payment that n8n repeats is not sent again, unless Send Again is on. */
import { readText } from '../../../tools/files/json.mts';
import { readWorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { AS_GIVEN, mintedTo, mintItems, mintNode } from '../../support/n8n/minting.mts';
import { chainedWorkflow, formOf, type WorkflowNode } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { n8n } from '../support/shared-n8n.mts';

/** A node that only the editor's *Execute step* runs, and what runs before it. */
const LATER: WorkflowNode = { name: 'Later', type: 'n8n-nodes-base.noOp' };

/** Creates a workflow that mints to a new wallet, and continues with other nodes. Returns the wallet. */
async function create(id: string, following: WorkflowNode[], options = {}): Promise<string> {
	const { to } = mintItems();
	const item = JSON.stringify({ to, amount: '5' });
	const { parameters, ...mint } = mintNode('Pay', n8n.contracts, AS_GIVEN);
	const nodes: WorkflowNode[] = [
		{ name: 'Run It Now', type: 'n8n-nodes-base.manualTrigger' },
		{
			name: 'Item',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: item, options: {} },
		},
		{ ...mint, parameters: { ...Object(parameters), options } },
		...following,
	];
	await n8n.client.createWorkflow(chainedWorkflow(id, nodes));
	return to;
}

/** *Execute step* of the last node after the page was reloaded: n8n has no output of the nodes before it. */
async function executeStep(id: string) {
	const destinationNode = { nodeName: LATER.name, mode: 'inclusive' };
	const started = await n8n.client.post(`/rest/workflows/${id}/run`, { destinationNode });
	const execution = readText(started.executionId, 'the execution');
	await until(async () => (await n8n.executions.read(execution)).status === 'success');
	const saved = await n8n.executions.read(execution);
	return { paid: readWorkflowRun(saved).items('Pay'), saved: JSON.stringify(saved) };
}

test('Execute step of a later node does not pay twice, and says so', async () => {
	const to = await create('laterStep', [LATER]);
	const first = await executeStep('laterStep');
	const second = await executeStep('laterStep');
	const [hash] = await mintedTo(n8n.chain, to);
	expect(first.paid).toMatchObject([{ submitted: true, hash }]);
	expect(second.paid).toMatchObject([{ replayed: true, hash }]);
	expect(second.saved).toMatch(/Not sent again, already sent .{1,20} by execution \d+\. To send/);
	expect(await mintedTo(n8n.chain, to)).toHaveLength(1);
});

test('Send Again pays again', async () => {
	const to = await create('laterStepAgain', [LATER], { sendAgain: true });
	await executeStep('laterStepAgain');
	const { paid } = await executeStep('laterStepAgain');
	expect(paid[0]).not.toHaveProperty('replayed');
	expect(await mintedTo(n8n.chain, to)).toHaveLength(2);
});

test('an execution that continues after a Wait node does not pay again', async () => {
	const to = await create('resumedPayment', [formOf('resumedForm'), LATER]);
	const execution = await n8n.executions.start('resumedPayment');
	expect(await mintedTo(n8n.chain, to)).toHaveLength(1);
	await n8n.executions.answer(execution, 'Yes');
	const run = readWorkflowRun(await n8n.executions.read(execution));
	expect(run.hasRun(LATER.name)).toBe(true);
	expect(await mintedTo(n8n.chain, to)).toHaveLength(1);
});
