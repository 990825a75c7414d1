/** `npm start`, `npm run dev` and `npm run sandbox`: they print all addresses, and leave nothing running, even if killed. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import axios from 'axios';
import { execa } from 'execa';
import { ownerOf, signInAsOwner } from '../../../tools/n8n/owner.mts';
import { startLoggedProcess } from '../../../tools/process/running-process.mts';
import { descendants, leftBySignal, leftOver } from '../../support/processes.mts';
import { useResources } from '../../support/resources.mts';
import { until } from '../../support/until.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { copyForCommands } from '../../support/build-copy.mts';
import { copyPreparedFolder } from '../../support/n8n/prepared-folder.mts';
import { Service } from '../../support/sandbox/service.mts';

// Each test starts n8n, possibly on a busy machine.
const resources = useResources();
/** State of n8n, prepared but for the credentials. */
let state: string;
let project: string;

beforeAll(async () => {
	({ path: state } = await resources.use(temporaryFolder('n8n')));
	await copyPreparedFolder(state);
	({ path: project } = await resources.use(temporaryFolder('project')));
	await copyForCommands(project);
});

const READY = 'Ctrl-C stops it';

async function start() {
	const program = join(project, 'tools', 'start', 'start.mts');
	const args = [program, '--state', state];
	const command = await resources.use(
		startLoggedProcess(process.execPath, args, {
			cwd: project,
			logFile: join(state, 'start.log'),
			readyText: READY,
		}),
	);
	return { command, started: await descendants(command.pid) };
}

test('it prints the address of an editor that answers, and Ctrl-C stops everything', async () => {
	const { command, started } = await start();
	let shown = '';
	await until(async () => (shown = await readFile(command.logFile, 'utf8')).includes(READY));
	const editor = /editor.*(http:\/\/127\.0\.0\.1:\d+)/.exec(shown);
	const { status } = await axios.get(`${editor?.[1]}/healthz`);
	expect(status).toBe(200);
	const { email, password } = await ownerOf(state);
	expect(shown).toContain(`e-mail        ${email}\n  password      ${password}\n`);
	const client = await signInAsOwner({ url: String(editor?.[1]), userFolder: state });
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	expect(await client.get('/rest/settings')).toMatchObject({ timezone: timeZone });
	const options = { headers: { Host: 'rebound.example' }, validateStatus: () => true };
	for (const path of ['/', '/healthz', '/rest/settings', '/webhook/any']) {
		expect((await axios.get(`${editor?.[1]}${path}`, options)).status).toBe(421);
	}
	expect(started.map(({ command }) => command).join('\n')).toMatch(/anvil[^]*n8n start/);
	await using service = await Service.start();
	const { users, contracts } = service.ready;
	for (const { username, id } of users) expect(shown).toContain(`${username.padEnd(10)}  ${id}`);
	for (const address of [contracts.usd, contracts.gold]) expect(shown).toContain(address);
	expect(shown).toContain(`access token  ${users[0]?.accessToken}  (${users[0]?.username}, `);
	expect(shown).toContain('open the workflow "Start here"');
	expect(shown).not.toContain('curl');

	process.kill(command.pid, 'SIGINT');
	expect(await command.ended).toBe('ended with exit code 0');
	expect(await leftOver(started)).toEqual([]);
});

test('when n8n dies, it reports that and stops the rest', async () => {
	const { command, started } = await start();
	const n8n = started.find(({ command }) => command.endsWith('n8n start'));
	process.kill(n8n?.pid ?? 0, 'SIGKILL');
	expect(await command.ended).toBe('ended with exit code 1');
	expect(await readFile(command.logFile, 'utf8')).toContain('n8n ended by SIGKILL');
	expect(await leftOver(started)).toEqual([]);
});

// npm itself is killed and cannot end anything: the programs that it started end automatically.
describe.each(['SIGTERM', 'SIGKILL'] as const)('%s', (signal) => {
	// It does all that `npm start` does.
	test('to npm run dev leaves nothing behind', async () => {
		const args = ['run', 'dev', '--', '--state', state];
		expect(await leftBySignal(args, ['anvil', 'n8n start', 'gulp'], signal, project)).toEqual([]);
	});

	test('to npm run sandbox leaves nothing behind', async () => {
		expect(await leftBySignal(['run', 'sandbox'], ['anvil --host'], signal)).toEqual([]);
	});
});

test.each([
	['--help', 0, 'stdout'],
	['--helpme', 2, 'stderr'],
] as const)('%s ends with %d and the options', async (option, code, stream) => {
	const program = join(project, 'tools', 'start', 'start.mts');
	const ended = await execa(process.execPath, [program, option], { reject: false });
	expect(ended.exitCode).toBe(code);
	expect(ended[stream]).toContain('npm start -- --once ');
});
