/** When a suite is killed, its servers end too, even servers that do not watch their parent process. */
import { leftBySignal } from '../support/processes.mts';

test('SIGKILL to the npm of a suite leaves no database, chain or n8n behind', async () => {
	const suite = 'node tools/install.mjs jest --selectProjects queue --testPathPatterns cluster';
	const programs = ['redis-server', 'postgres -D', 'anvil --host', 'n8n worker'];
	expect(await leftBySignal(['exec', '--call', suite], programs, 'SIGKILL')).toEqual([]);
});
