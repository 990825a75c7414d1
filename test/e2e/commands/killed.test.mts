/** npm itself is killed, and can end nothing: what it started ends by itself. */
import { leftBySignal } from '../../support/npm-command.mts';
import { Cleanup } from '../../support/cleanup.mts';
import type { Workspace } from '../../support/n8n/workspace.mts';
import { createWorkspace, PREPARATION_TIME } from '../../support/n8n/workspace.mts';

const cleanup = new Cleanup();
let workspace: Workspace;

beforeAll(async () => {
	workspace = await createWorkspace(cleanup);
}, PREPARATION_TIME);
afterAll(async () => await cleanup.run());

describe.each(['SIGTERM', 'SIGKILL'] as const)('%s', (signal) => {
	test.each([
		['npm start', ['start'], ['anvil', 'n8n start']],
		['npm run dev', ['run', 'dev'], ['anvil', 'n8n start', 'gulp']],
	])('to %s leaves nothing behind', async (_command, command, programs) => {
		const args = [...command, '--', '--state', workspace.userFolder];
		expect(await leftBySignal(args, programs, signal)).toEqual([]);
	});

	test('to npm run sandbox leaves nothing behind', async () => {
		expect(await leftBySignal(['run', 'sandbox'], ['anvil --host'], signal)).toEqual([]);
	});
});
