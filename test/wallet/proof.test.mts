/** The short version of the proof; `npm run service:proof` runs longer ones. */
import { execa } from 'execa';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, 'support', 'command.mts');

test.each(['sqlite', 'postgres'])(
	'200 writes, lying endpoints, 10 kills on %s: none is lost or doubled, and the control doubles',
	async (database) => {
		const args = ['--writes', '200', '--kills', '10', '--database', database];
		const { stdout, exitCode } = await execa(process.execPath, [COMMAND, ...args], {
			reject: false,
		});
		const last = stdout.split('\n').at(-1);
		expect(last).toMatch(
			new RegExp(`^proven on ${database}: 200 writes, 10 kills, 0 lost, 0 doubled`),
		);
		expect(exitCode).toBe(0);
	},
	1_800_000,
);
