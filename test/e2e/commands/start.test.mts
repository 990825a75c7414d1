/** `npm start`: it says where everything is, and leaves nothing running, however it ends. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import axios from 'axios';
import { root } from '../../../tools/files/paths.mts';
import type { ProcessEntry } from '../../support/processes.mts';
import { descendants, leftOver } from '../../support/processes.mts';
import { Cleanup } from '../../support/cleanup.mts';
import { createWorkspace, PREPARATION_TIME, type Workspace } from '../../support/n8n/workspace.mts';

const cleanup = new Cleanup();
let workspace: Workspace;

beforeAll(async () => {
	workspace = await createWorkspace(cleanup);
}, PREPARATION_TIME);
afterAll(async () => await cleanup.run());

interface RunningStart {
	child: ChildProcess;
	lines: string[];
	started: ProcessEntry[];
	ended: Promise<unknown[]>;
}

async function start(): Promise<RunningStart> {
	const program = join(root, 'tools', 'start', 'start.mts');
	const child = spawn(process.execPath, [program, '--state', workspace.userFolder], { cwd: root });
	const ended = once(child, 'close');
	await cleanup.add(async () => {
		child.kill('SIGTERM');
		await ended;
	});
	const lines: string[] = [];
	await new Promise<void>((resolve, reject) => {
		createInterface({ input: child.stdout }).on('line', (line) => {
			lines.push(line);
			if (line.includes('Ctrl-C stops it')) resolve();
		});
		void ended.then(() => reject(new Error(`It ended early:\n${lines.join('\n')}`)));
	});
	return { child, lines, started: await descendants(child.pid ?? 0), ended };
}

test('it shows an editor that answers, and Ctrl-C stops everything', async () => {
	const { child, lines, started, ended } = await start();
	const editor = /http:\/\/127\.0\.0\.1:\d+/.exec(lines.find((l) => l.includes('editor')) ?? '');
	const { status } = await axios.get(`${editor?.[0]}/healthz`);
	expect(status).toBe(200);
	expect(started.map(({ command }) => command).join('\n')).toMatch(/anvil[^]*n8n start/);
	const { users, contracts } = workspace.sandbox;
	const shown = lines.join('\n');
	for (const { username, id } of users) expect(shown).toContain(`${username.padEnd(10)}  ${id}`);
	for (const address of [contracts.usd, contracts.gold]) expect(shown).toContain(address);
	expect(shown).toContain('open the workflow "Start here"');
	expect(shown).not.toContain('curl');

	child.kill('SIGINT');
	expect(await ended).toEqual([0, null]);
	expect(await leftOver(started)).toEqual([]);
});

test('when n8n dies it says so, and stops the rest', async () => {
	const { lines, started, ended } = await start();
	const n8n = started.find(({ command }) => command.endsWith('n8n start'));
	process.kill(n8n?.pid ?? 0, 'SIGKILL');
	expect(await ended).toEqual([1, null]);
	expect(lines.join('\n')).toContain('n8n ended by SIGKILL');
	expect(await leftOver(started)).toEqual([]);
});
