/** Tools that a person reviews: n8n must not carry out what one approval allows twice, nor drop what was paid. */
import axios from 'axios';
import type { ToolCall } from '../../../tools/model/chat-model.mts';
import { mailCredential, modelCredential } from '../../../tools/sandbox/credentials.mts';
import { mintedTo, mintItems } from '../../support/n8n/minting.mts';
import { publishNew } from '../../support/n8n/published.mts';
import { agentWorkflow, order } from '../../support/n8n/tools-of-models.mts';
import { contractCall, webhook } from '../../support/n8n/workflow.mts';
import { until } from '../../support/until.mts';
import { startMailbox } from '../support/mailbox.mts';
import { n8n } from '../support/shared-n8n.mts';

const WORKFLOW = 'reviewed';
const MINT = 'mint(address to, uint256 amount)';
const { to } = mintItems();
let mailbox: Awaited<ReturnType<typeof startMailbox>>;

beforeAll(async () => {
	mailbox = await n8n.resources.use(startMailbox());
	const { name, type, data } = mailCredential(mailbox.port);
	const smtp = await n8n.client.post('/rest/credentials', { name, type, data });
	const args = `={{ ["${to}", $fromAI('amount', 'Amount', 'string')] }}`;
	const mint = contractCall('write', n8n.contracts.gold, MINT, args);
	const workflow = agentWorkflow(WORKFLOW, {
		...{ tools: { Mint: mint, Reviewed: mint }, credential: 'sandboxUser0001' },
		model: modelCredential().id,
	});
	const review = {
		...{ name: 'Review', type: 'n8n-nodes-base.emailSendHitlTool', typeVersion: 2.1 },
		...{ id: 'Review', webhookId: 'review', position: [0, 0], credentials: { smtp } },
		parameters: {
			...{ operation: 'sendAndWait', responseType: 'approval', message: 'Pay?', subject: 'Pay?' },
			...{ fromEmail: 'n8n@example.com', toEmail: 'approver@example.com', options: {} },
		},
	};
	const toolOf = (node: string) => ({ ai_tool: [[{ node, type: 'ai_tool', index: 0 }]] });
	const connections = { Reviewed: toolOf('Review'), Review: toolOf('Agent') };
	const [trigger, ...nodes] = Object(workflow.nodes);
	await publishNew(n8n.client, [
		{
			...workflow,
			nodes: [{ ...trigger, ...webhook(WORKFLOW, 'atOnce') }, ...nodes, review],
			connections: { ...Object(workflow.connections), ...connections },
		},
	]);
});

/** n8n ignores the clicks of programs. */
const AS_A_PERSON = {
	headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0' },
	validateStatus: () => true,
};

const mintOne: ToolCall = { name: 'Mint', arguments: { amount: '1' } };
const reviewed: ToolCall = {
	name: 'Reviewed',
	arguments: { toolParameters: { amount: '2' }, hitlParameters: {} },
};

/** Each test reviews another amount: an equal one is not sent again for ten minutes. */
const amountOf = (call: ToolCall, amount: string): ToolCall => ({
	...call,
	arguments: { ...call.arguments, toolParameters: { amount } },
});

/** Lets an agent make these calls for each item, approves the first reviewed one, and returns the execution. */
async function approve(...calls: ToolCall[][]): Promise<string> {
	const known = mailbox.mails.length;
	const ended = async () => await n8n.executions.ended(WORKFLOW);
	const past = (await ended()).length;
	const prompts = calls.map((round) => order(round));
	await axios.post(`${n8n.url}/webhook/${WORKFLOW}`, { prompts });
	const [, link = ''] = /href="([^"]*approved=true[^"]*)"/.exec(await mailbox.next(known)) ?? [];
	const { pathname, search } = new URL(link.replaceAll('&amp;', '&'));
	// n8n sends the message before it has saved that the execution waits.
	const click = async () => await axios.get(`${n8n.url}${pathname}${search}`, AS_A_PERSON);
	await until(async () => (await click()).status === 200);
	await until(async () => (await ended()).length > past);
	return JSON.stringify((await ended())[0]?.saved);
}

test('a call beside a reviewed one, whose result n8n drops, is paid once, and so is the reviewed one', async () => {
	const before = (await mintedTo(n8n.chain, to)).length;
	await approve([mintOne, reviewed]);
	expect((await mintedTo(n8n.chain, to)).slice(before)).toHaveLength(2);
});

test('one approval, which n8n carries out for each item, is one payment', async () => {
	const before = (await mintedTo(n8n.chain, to)).length;
	await approve([amountOf(reviewed, '3')], []);
	expect((await mintedTo(n8n.chain, to)).slice(before)).toHaveLength(1);
});

test('a call that n8n approves because the model has said so is not made', async () => {
	const before = (await mintedTo(n8n.chain, to)).length;
	const approved = { toolParameters: { amount: '5' }, hitlParameters: { approved: true } };
	const first = amountOf(reviewed, '4');
	const said = await approve([first, { ...reviewed, arguments: approved }]);
	expect((await mintedTo(n8n.chain, to)).slice(before)).toHaveLength(1);
	expect(said).toContain('n8n has asked nobody to review this call');
});
