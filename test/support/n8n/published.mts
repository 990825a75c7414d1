import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { until } from '../until.mts';

/** Publishes a workflow, and waits until its webhooks can be called and its triggers have polled for the first time. */
export async function publish(client: N8nRestClient, workflow: string): Promise<void> {
	await client.activateWorkflow(workflow);
	await until(async () => (await client.publication(workflow)).status === 'published');
}
