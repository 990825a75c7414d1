/** The short version of the proof of verdicts; `npm run service:verdicts` runs longer ones. */
import { execa } from 'execa';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, 'support', 'verdict-command.mts');

test('40 verdicts of the node about transactions on a chain that reorganises are what the chain was', async () => {
	const { stdout, stderr, exitCode } = await execa(process.execPath, [COMMAND, '--cases', '40'], {
		reject: false,
	});
	expect(stderr).toBe('');
	expect(stdout.split('\n').at(-1)).toMatch(/^proven: 40 verdicts \(.*\), 0 false, /);
	expect(exitCode).toBe(0);
});
