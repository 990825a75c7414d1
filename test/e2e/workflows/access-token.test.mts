/** A wrong token causes a clear error, and no token ever appears in anything that n8n stores or prints. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { executeWorkflow, importWorkflows, n8nCommand } from '../../../tools/n8n/cli.mts';
import { walletWorkflow } from '../../support/n8n/workflow.mts';
import {
	createWorkspace,
	limitedCredential,
	PREPARATION_TIME,
	type Workspace,
} from '../../support/n8n/workspace.mts';
import { useResources } from '../../support/resources.mts';

const WRONG_TOKEN = 'never-issued-0c7d4f1e9b';

const resources = useResources();
let workspace: Workspace;

beforeAll(async () => {
	workspace = await createWorkspace(resources, {}, (service) => [
		limitedCredential(service, 'wrongToken', {}, WRONG_TOKEN),
	]);
	const userId = workspace.service.user().id;
	const user = { resource: 'user', operation: 'get', userId };
	await importWorkflows(workspace.userFolder, [
		walletWorkflow('rejected', 'wrongToken', { user }),
		walletWorkflow('echoed', 'sandboxUser0001', { user }),
	]);
}, PREPARATION_TIME);

/** Every file under n8n's folder, database included, as raw bytes. */
async function everythingKept(): Promise<Buffer> {
	const entries = await readdir(workspace.userFolder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	return Buffer.concat(
		await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name)))),
	);
}

test('a rejected token stops the workflow with an error that states what to do', async () => {
	const run = await executeWorkflow(workspace.userFolder, 'rejected');
	expect(run.error).toMatch(/token/i);
	expect(run.printed).toMatch(/credential/i);
	expect(run.printed).not.toContain(WRONG_TOKEN);
	expect((await everythingKept()).includes(WRONG_TOKEN)).toBe(false);
});

test('a token that the service sends back appears nowhere', async () => {
	const { service, userFolder } = workspace;
	const token = service.user().accessToken;
	await service.faults.add({ match: { path: '/v1/users/.*' }, kind: 'echo-authorization' });
	const { output } = await n8nCommand(userFolder, ['execute', '--id=echoed', '--rawOutput']);
	expect(await service.faults.requests()).not.toHaveLength(0);
	expect(output).not.toContain(token);
	const kept = await everythingKept();
	expect(kept.includes(token)).toBe(false);
	// The stored data includes the failed execution.
	expect(kept.includes('access token removed')).toBe(true);
});
