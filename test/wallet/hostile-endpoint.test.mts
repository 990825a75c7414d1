/** One of two endpoints lies about each method and field, at each moment; `npm run service:hostile` runs all cases. */
import { join } from 'node:path';
import { execa } from 'execa';

const COMMAND = join(import.meta.dirname, 'support', 'hostile-command.mts');

test('each 48th lie: what is told is so or open, nothing is paid beyond the limits, and all becomes right', async () => {
	const { stdout, exitCode } = await execa(process.execPath, [COMMAND, '--every', '48'], {
		reject: false,
	});
	expect(stdout.split('\n').at(-1)).toMatch(
		/^proven: [1-9]\d cases of one lying endpoint, 0 failed/,
	);
	expect(exitCode).toBe(0);
}, 3_600_000);
