/** The short version of the proof; `npm run service:proof` runs longer ones. */
import { execa } from 'execa';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, 'support', 'command.mts');

// At the same time: each waits for restarts most of the time.
test.concurrent.each(['sqlite', 'postgres'])(
	'500 writes, lying endpoints, 25 kills on %s: none is lost or doubled, and the control doubles',
	async (database) => {
		const args = [COMMAND, '--database', database];
		const { stdout, exitCode } = await execa(process.execPath, args, { reject: false });
		const last = stdout.split('\n').at(-1);
		expect(last).toMatch(
			new RegExp(`^proven on ${database}: 500 writes, 25 kills, 0 lost, 0 doubled`),
		);
		expect(exitCode).toBe(0);
	},
	1_800_000,
);
