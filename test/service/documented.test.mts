/** docs/sandbox.md lists the settings and faults of the sources. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** The names in the first column of the tables under a heading. */
async function named(heading: string): Promise<string[]> {
	const document = await read('docs/sandbox.md');
	const section = document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
	const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
	return rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

test('every setting is documented, and no other', async () => {
	const source = await read('sandbox/src/settings.mts');
	const settings = source.match(/\b(?:PORT|RPC_URL|LOG_LEVEL|SANDBOX_[A-Z_]+)\b/g) ?? [];
	expect((await named('Settings')).sort()).toEqual([...new Set(settings)].sort());
});

test('every fault is documented, and no other', async () => {
	const source = await read('sandbox/src/faults/fault.mts');
	const lists = [...source.matchAll(/_KINDS = \[([^\]]*)\]/g)].map(([, list = '']) => list);
	const kinds = lists.flatMap((list) => list.match(/[a-z][a-z-]*/g) ?? []);
	expect((await named('Faults')).sort()).toEqual(kinds.sort());
});
