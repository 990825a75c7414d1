/** A rejected token causes a clear error, and no token ever appears in anything that n8n stores or prints. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { walletWorkflow } from '../../support/n8n/workflow.mts';
import { EXPIRED, expiredToken, n8n } from '../support/shared-n8n.mts';

/** Every file under n8n's folder, database and log included, as raw bytes; without the installed package. */
async function everythingKept(): Promise<Buffer> {
	const entries = await readdir(n8n.userFolder, { recursive: true, withFileTypes: true });
	const files = entries.filter(
		(entry) => entry.isFile() && !entry.parentPath.includes('node_modules'),
	);
	return Buffer.concat(
		await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))),
	);
}

/** Requests the first user with a credential; returns the execution as n8n saved it. */
async function requestUser(id: string, credential: string): Promise<string> {
	const user = { resource: 'user', operation: 'get', userId: n8n.user().id };
	await n8n.client.createWorkflow(walletWorkflow(id, credential, { user }));
	return JSON.stringify(await n8n.executions.read(await n8n.executions.start(id, 'Start')));
}

test('a rejected token stops the workflow with an error that states what to do', async () => {
	const execution = await requestUser('rejected', EXPIRED);
	const { message, description } = await n8n.executions.lastError('rejected');
	expect(message).toMatch(/token/i);
	expect(description).toMatch(/credential/i);
	expect(execution).not.toContain(expiredToken);
});

test('a token that the service sends back appears nowhere', async () => {
	await n8n.faults.add({ match: { path: '/v1/users/.*' }, kind: 'echo-authorization' });
	const execution = await requestUser('echoed', 'sandboxUser0001');
	expect(await n8n.faults.requests()).not.toHaveLength(0);
	expect(execution).toContain('access token removed');
	expect(execution).not.toContain(n8n.user().accessToken);
	const kept = await everythingKept();
	expect(kept.includes('access token removed')).toBe(true);
	for (const token of [expiredToken, ...n8n.service.ready.users.map((one) => one.accessToken)]) {
		expect(kept.includes(token)).toBe(false);
	}
});
