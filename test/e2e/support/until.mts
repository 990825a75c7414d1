import { setTimeout } from 'node:timers/promises';
import type { N8nRestClient } from '../../../workbench/src/n8n/rest-client.mts';

/** Waits until something holds that can only be asked for. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
	while (!(await isSo())) await setTimeout(100);
}

/** Waits until a workflow's triggers are live: a polling one has polled for the first time by then. */
export async function untilPublished(client: N8nRestClient, workflow: string): Promise<void> {
	await until(async () => (await client.publication(workflow)).status === 'published');
}
