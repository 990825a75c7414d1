/** The help and the documentation name all commands and options. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPTIONS } from '../../service/src/cli/command-line.mts';
import { COMMANDS, USAGE } from '../../service/src/cli/commands.mts';
import { root } from '../../tools/files/paths.mts';

test.each(Object.entries(COMMANDS))('%s', async (name, { argument, options = [], load }) => {
	const { commands } = await load();
	expect(commands).toHaveProperty([name]);
	const call = argument === undefined ? name : `${name} ${argument}`;
	const [, help = ''] = USAGE.split(`\n${call} `);
	const [own = ''] = help.split(/\n(?! )/);
	expect(own).toMatch(/^ +\w/);
	for (const option of options)
		expect(own).toContain(`    --${option} ${OPTIONS[option].value}`.trimEnd());
	const documents = await readFile(join(root, 'docs', 'service.md'), 'utf8');
	expect(documents).toContain(`\`${call.replace(/^(token list).*/, '$1')}\``);
	for (const option of options) expect(documents).toContain(`--${option}`);
});
