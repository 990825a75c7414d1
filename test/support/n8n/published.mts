import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { until } from '../until.mts';

/** Creates workflows in a running n8n and publishes them; a workflow called by others must precede them. */
export async function publishNew(
	client: N8nRestClient,
	workflows: readonly object[],
): Promise<void> {
	for (const workflow of workflows) await publish(client, await client.createWorkflow(workflow));
}

/** Publishes a workflow, and waits until its webhooks can be called and its triggers have polled for the first time. */
export async function publish(client: N8nRestClient, workflow: string): Promise<void> {
	await client.activateWorkflow(workflow);
	await until(async () => (await client.publication(workflow)).status === 'published');
}
