/** The way of an item, as CONTRIBUTING.md draws it, names functions that exist, each called by the file above it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const nodeFolder = join(root, 'nodes', 'WalletService');

interface Step {
	readonly file: string;
	readonly names: readonly string[];
}

/** The lists of the section, each with its steps. */
async function ways(): Promise<Step[][]> {
	const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
	const [, section = ''] = text.split('## The way of an item\n');
	const [own = ''] = section.split('\n## ');
	return own
		.split(/\n\*.+:\n/)
		.slice(1)
		.map((list) =>
			list.split('\n').flatMap((line) => {
				const parts = [...line.matchAll(/`([^`]+\.ts)`: ((?:`\w+`(?:, )?)+)/g)];
				return parts.map(([, file = '', names = '']) => ({
					file,
					names: [...names.matchAll(/\w+/g)].map(([name]) => name),
				}));
			}),
		);
}

test('every function is exported by its file', async () => {
	const steps = (await ways()).flat();
	expect(steps.length).toBeGreaterThan(40);
	const missing = await Promise.all(
		steps.map(async ({ file, names }) => {
			const source = await readFile(join(nodeFolder, file), 'utf8');
			return names.filter(
				(name) => !new RegExp(`export (?:async )?(?:function|class|const) ${name}\\b`).test(source),
			);
		}),
	);
	expect(missing.flat()).toEqual([]);
});

test('a balance takes few steps, and comes back to few files', async () => {
	const [balance = []] = await ways();
	const files = balance.map(({ file }) => file);
	expect(files.length).toBeLessThanOrEqual(40);
	expect(files.length - new Set(files).size).toBeLessThanOrEqual(12);
});
