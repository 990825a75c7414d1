/** Programs under a guard end with the process that started them, even if they ignore SIGTERM. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { spawnGuarded, type GuardedProgram } from '../../sandbox/src/process/guarded.mts';
import { descendants, leftOver, type ProcessEntry } from '../support/processes.mts';

/** A program that reports that it is running, and continues until it is stopped. */
const RUNS = `console.log('runs'); setInterval(() => undefined, 1000);`;
const IGNORES = `process.on('SIGTERM', () => undefined); ${RUNS}`;
const ASKS = `process.on('SIGINT', () => process.exit(7)); ${IGNORES}`;

interface Started {
	guard: ReturnType<typeof spawnGuarded>;
	program: ProcessEntry[];
	ended: Promise<unknown[]>;
}

async function start(source: string, more: Partial<GuardedProgram> = {}): Promise<Started> {
	const guard = spawnGuarded({ command: process.execPath, args: ['--eval', source], ...more });
	const ended = once(guard, 'exit');
	for await (const line of createInterface({ input: guard.stdout })) if (line === 'runs') break;
	const program = await descendants(guard.pid ?? 0);
	expect(program).toHaveLength(1);
	return { guard, program, ended };
}

test.each([
	['ends when it is asked to', RUNS],
	['does not listen', IGNORES],
])('a program that %s is gone once its guard is released', async (_case, source) => {
	const { guard, program, ended } = await start(source);
	guard.stdin.end();
	await ended;
	expect(await leftOver(program)).toEqual([]);
});

test('a signal to the guard reaches the program as the one configured for it', async () => {
	const { guard, program, ended } = await start(ASKS, { signal: 'SIGINT' });
	guard.kill('SIGTERM');
	expect(await ended).toEqual([7, null]);
	expect(await leftOver(program)).toEqual([]);
});

test('a program that cannot be started ends its guard with the reason', async () => {
	const guard = spawnGuarded({ command: '/no/such/program', args: [] });
	const [reason] = await once(createInterface({ input: guard.stderr }), 'line');
	expect(reason).toContain('/no/such/program');
	expect(await once(guard, 'exit')).toEqual([1, null]);
});
