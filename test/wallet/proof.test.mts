/** The short version of the proof; `npm run service:proof` runs longer ones. */
import { execa } from 'execa';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, 'support', 'command.mts');

// At the same time: each waits for restarts most of the time.
test.concurrent.each(['sqlite', 'postgres'])(
	'100 writes, lying endpoints, 6 kills on %s: none is lost or doubled, and the control doubles',
	async (database) => {
		const args = [COMMAND, '--database', database, '--writes', '100', '--kills', '6'];
		const { stdout, exitCode } = await execa(process.execPath, args, { reject: false });
		const last = stdout.split('\n').at(-1);
		expect(last).toMatch(
			new RegExp(`^proven on ${database}: 100 writes, 6 kills, 0 lost, 0 doubled`),
		);
		expect(exitCode).toBe(0);
	},
	1_800_000,
);
