/** The way of an item, as CONTRIBUTING.md draws it: the functions exist, and each file imports those that stand under it. */
import { readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');
const nodeFolder = join(root, 'nodes', 'WalletService');

interface Step {
	readonly depth: number;
	readonly file: string;
	readonly names: readonly string[];
}

/** The steps of a list; each says in one line how deep it stands, its file, and the functions. */
function stepsOf(list: string): Step[] {
	return [...list.matchAll(/^( *)- `([^`]+\.ts)`: (.+)$/gm)].map(
		([, indent = '', file = '', names = '']) => ({
			depth: indent.length / 2,
			file,
			names: [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
		}),
	);
}

/** The lists of the section. */
async function ways(): Promise<Step[][]> {
	const text = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
	const [, section = ''] = text.split('## The way of an item\n');
	const [own = ''] = section.split('\n## ');
	return own
		.split(/\n\*.+:\n/)
		.slice(1)
		.map(stepsOf);
}

const sourceOf = async (file: string) => await readFile(join(nodeFolder, file), 'utf8');

test('every function is exported by its file', async () => {
	const steps = (await ways()).flat();
	expect(steps.length).toBeGreaterThan(40);
	const missing = await Promise.all(
		steps.map(async ({ file, names }) => {
			const source = await sourceOf(file);
			const isExported = (name: string) =>
				new RegExp(`export (?:async )?(?:function|class|const) ${name}\\b`).test(source);
			return names.length === 0 ? [file] : names.filter((name) => !isExported(name));
		}),
	);
	expect(missing.flat()).toEqual([]);
});

test('each file imports those that stand under it', async () => {
	const broken: string[] = [];
	for (const list of await ways()) {
		for (const [index, { depth, file }] of list.entries()) {
			if (depth === 0) continue;
			const above = list.slice(0, index).findLast((step) => step.depth === depth - 1);
			const source = await sourceOf(above?.file ?? '');
			const imported = [...source.matchAll(/from '(\.[^']+)'/g)].map(([, path = '']) =>
				normalize(`${join(dirname(above?.file ?? ''), path)}.ts`),
			);
			if (!imported.includes(file)) broken.push(`${above?.file}: ${file}`);
		}
	}
	expect(broken).toEqual([]);
});
