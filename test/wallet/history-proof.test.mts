/** The short version of the proof of the history; `npm run service:history` runs longer ones. */
import { execa } from 'execa';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, 'support', 'history-command.mts');

test.concurrent.each(['sqlite', 'postgres'])(
	'after 25 reorganisations, with endpoints that lie and lag, and two readers on %s, the history equals a new index',
	async (database) => {
		const args = [COMMAND, '--reorganisations', '25', '--database', database];
		const { stdout, exitCode } = await execa(process.execPath, args, { reject: false });
		expect(stdout.split('\n').at(-1)).toMatch(
			new RegExp(`^proven on ${database}: 25 reorganisations, 0 of 1 comparisons`),
		);
		expect(exitCode).toBe(0);
	},
);
