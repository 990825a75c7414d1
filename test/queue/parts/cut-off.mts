/**
 * A worker is killed in the middle of the payments of many executions at once, and the other one goes on: each payment is made
 * once, or not at all.
 */
import { CASES } from '../../support/n8n/cut-off-cases.mts';
import { testCutOff, type Payer } from '../../support/n8n/cut-off.mts';
import { cluster, LONG_LOCK, startAgain } from '../support/cluster.mts';

/** Of a worker that runs all executions. */
const ALONE = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '100' };

/**
 * The main process runs built-in agents, calls of MCP clients have a part of their own, and of an agent of version 2 n8n has
 * nothing to retry, because it saves the progress.
 */
const LEFT_OUT = ['a built-in agent', 'MCP Server Trigger', 'AI Agent 2.2', 'AI Agent Tool 2.2'];

/** @param letters with which the IDs of their workflows begin */
const payersOf = ([kept = '', plain = '']: string): Record<string, Payer> => ({
	'with keys': { letter: kept, service: () => cluster.kept, isKept: true },
	'without keys': { letter: plain, service: () => cluster.service, isKept: false },
});

async function kill(number: number): Promise<void> {
	const worker = cluster.workers[number];
	if (worker === undefined) throw new Error(`There is no worker ${number}`);
	process.kill(worker.pid, 'SIGKILL');
	await worker.ended;
}

describe('the killed worker does not come back: n8n has kept nothing to retry', () => {
	beforeAll(async () => {
		await cluster.workers[1]?.stop();
		await startAgain(0, ALONE);
	});

	testCutOff(
		cluster,
		payersOf('lm'),
		['a list', 'a loop', 'a wait', 'the payment behind a wait', 'AI Agent 3.1'],
		{
			async die() {
				await kill(0);
				await startAgain(1);
			},
			shownAs: 'error',
		},
	);
});

describe('the killed worker starts again in its folder, and the other one retries', () => {
	beforeAll(async () => {
		await cluster.workers[0]?.stop();
		await startAgain(1, { ...ALONE, ...LONG_LOCK });
	});

	const names = Object.keys(CASES).filter((name) => !LEFT_OUT.includes(name));
	testCutOff(cluster, payersOf('kp'), names, {
		async die() {
			await kill(1);
			await (await startAgain(1)).stop();
			await startAgain(0);
		},
		shownAs: 'crashed',
	});
});
