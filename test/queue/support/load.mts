import axios from 'axios';
import type { JsonObject } from '../../../tools/files/json.mts';
import { readObject } from '../../../tools/files/json.mts';

/** The answer of a webhook. */
export interface WebhookAnswer {
	workflow: string;
	status: number;
	body: JsonObject;
}

/** Requests in flight at the same time. */
const CONNECTIONS = 50;

/**
 * Calls the production webhooks of workflows, many at a time, until every call has been answered.
 *
 * @param url - Of n8n's main process.
 * @param workflows - One entry for each call, in order.
 * @param onAnswer - Called with each answer as it arrives.
 */
export async function callWebhooks(
	url: string,
	workflows: string[],
	onAnswer: (answer: WebhookAnswer) => void,
): Promise<WebhookAnswer[]> {
	const answers: WebhookAnswer[] = [];
	const waiting = workflows.values();
	const call = async (): Promise<void> => {
		for (const workflow of waiting) {
			const { status, data } = await axios.post(`${url}/webhook/${workflow}`, undefined, {
				validateStatus: () => true,
			});
			const answer = { workflow, status, body: readObject(data, 'the answer') };
			answers.push(answer);
			onAnswer(answer);
		}
	};
	await Promise.all(Array.from({ length: CONNECTIONS }, call));
	return answers;
}
