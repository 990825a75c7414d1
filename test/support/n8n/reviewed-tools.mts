/** Tools of an agent that a person reviews by e-mail. */
import axios from 'axios';
import { readText } from '../../../tools/files/json.mts';
import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { mailCredential } from '../../../tools/sandbox/credentials.mts';
import { until } from '../until.mts';
import type { startMailbox } from './mailbox.mts';
import { agentWorkflow, type AgentSetup } from './tools-of-models.mts';
import { webhook } from './workflow.mts';

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Creates a credential for the mailbox. */
export async function mailTo(client: N8nRestClient, { port }: Mailbox) {
	const { name, type, data } = mailCredential(port);
	const { id } = await client.post('/rest/credentials', { name, type, data });
	return { id: readText(id, 'the ID of the mail server'), name };
}

/** The call of a reviewed tool. */
export const reviewedCall = (toolParameters: object, hitlParameters = {}) => ({
	name: 'Reviewed',
	arguments: { toolParameters, hitlParameters },
});

/** An agent whose tool `Reviewed` needs a person's approval. Its webhook answers at once. */
export function reviewedWorkflow(
	id: string,
	setup: AgentSetup,
	smtp: { id: string; name: string },
) {
	const workflow = agentWorkflow(id, setup);
	const review = {
		name: 'Review',
		type: 'n8n-nodes-base.emailSendHitlTool',
		typeVersion: 2.1,
		id: 'Review',
		webhookId: 'review',
		position: [0, 0],
		credentials: { smtp },
		parameters: {
			operation: 'sendAndWait',
			responseType: 'approval',
			message: 'Pay?',
			subject: id,
			fromEmail: 'n8n@example.com',
			toEmail: 'approver@example.com',
			options: {},
		},
	};
	const toolOf = (node: string) => ({ ai_tool: [[{ node, type: 'ai_tool', index: 0 }]] });
	const connections = { Reviewed: toolOf('Review'), Review: toolOf('Agent') };
	const [trigger, ...nodes] = Object(workflow.nodes);
	return {
		...workflow,
		nodes: [{ ...trigger, ...webhook(id, 'atOnce') }, ...nodes, review],
		connections: { ...Object(workflow.connections), ...connections },
	};
}

/** n8n ignores the clicks of programs. */
const AS_A_PERSON = {
	headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0' },
	validateStatus: () => true,
};

/** Clicks on the approval in a message, which n8n sends before it has saved that the execution waits. */
export async function approve(url: string, mail: string): Promise<void> {
	const [, link = ''] = /href="([^"]*approved=true[^"]*)"/.exec(mail) ?? [];
	const { pathname, search } = new URL(link.replaceAll('&amp;', '&'));
	const click = async () => await axios.get(`${url}${pathname}${search}`, AS_A_PERSON);
	await until(async () => (await click()).status === 200);
}
