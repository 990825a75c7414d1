import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfFiles } from '../../../tools/files/digest.mts';
import { prepareFolder } from '../../../tools/n8n/folder.mts';
import { importNow } from '../../../tools/n8n/server.mts';
import { localState, root } from '../../../tools/files/paths.mts';

/** Everything that a prepared folder depends on. */
const CONTENT = ['dist/**', 'examples/*.json', 'package.json', 'pnpm-lock.yaml'];

/** Prepares a folder under a unique name first, so that no process finds a half-prepared one. */
async function prepareOnce(directory: string, name: string): Promise<void> {
	if ((await readdir(directory)).includes(name)) return;
	const beginning = await mkdtemp(join(directory, 'new-'));
	await prepareFolder(beginning);
	await importNow(beginning);
	try {
		await rename(beginning, join(directory, name));
	} catch {
		// Another process was faster, and its folder has the same content.
		await rm(beginning, { recursive: true });
	}
}

/** Copies an n8n folder with its database, the built package and the examples; preparing it takes long, so it is shared. */
export async function copyPreparedFolder(target: string): Promise<void> {
	const directory = join(localState, 'prepared');
	await mkdir(directory, { recursive: true });
	const name = (await digestOfFiles(root, CONTENT)).slice(0, 16);
	await prepareOnce(directory, name);
	await cp(join(directory, name), target, { recursive: true });
}
