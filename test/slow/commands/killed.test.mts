/** npm itself is killed and cannot end anything: the programs it started end automatically. */
import { copyForCommands } from '../../support/build-copy.mts';
import { leftBySignal } from '../../support/npm-command.mts';
import { useResources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';

const resources = useResources();
let workspace: Workspace;
let project: string;

beforeAll(async () => {
	workspace = await createWorkspace(resources);
	({ path: project } = await resources.use(temporaryFolder('project')));
	await copyForCommands(project);
}, PREPARATION_TIME);

describe.each(['SIGTERM', 'SIGKILL'] as const)('%s', (signal) => {
	test.each([
		['npm start', ['start'], ['anvil', 'n8n start']],
		['npm run dev', ['run', 'dev'], ['anvil', 'n8n start', 'gulp']],
	])('to %s leaves nothing behind', async (_command, command, programs) => {
		const args = [...command, '--', '--state', workspace.userFolder];
		expect(await leftBySignal(args, programs, signal, project)).toEqual([]);
	});

	test('to npm run sandbox leaves nothing behind', async () => {
		expect(await leftBySignal(['run', 'sandbox'], ['anvil --host'], signal)).toEqual([]);
	});
});
