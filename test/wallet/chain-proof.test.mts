/** The short version of the proof on a wild chain; `npm run service:chains` runs longer ones. */
import { execa } from 'execa';
import { join } from 'node:path';

const COMMAND = join(import.meta.dirname, 'support', 'chain-command.mts');

test('24 writes under reorganisations, evictions and fee storms end as reported, and the control doubles', async () => {
	const { stdout, stderr, exitCode } = await execa(process.execPath, [COMMAND, '--writes', '24'], {
		reject: false,
	});
	expect(stderr).toBe('');
	expect(stdout.split('\n').at(-1)).toMatch(
		/^proven on anvil: 24 writes, 0 lost, 0 doubled, 0 false, 0 open/,
	);
	expect(exitCode).toBe(0);
});
