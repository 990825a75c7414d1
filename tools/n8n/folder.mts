import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import { digestOfFiles, digestOfText, oncePerContent } from '../files/digest.mts';
import { readJsonFile, readObject, readObjects, readText } from '../files/json.mts';
import { examplesDirectory } from '../files/paths.mts';
import { sandboxCredentials, type ImportedCredential } from '../sandbox/credentials.mts';
import { importAtStart } from './imports.mts';
import { installPackage } from './package.mts';

const FIRST = 'Start here';
const ORDER = 'Order of the Examples';

/** All example workflows: *Start here*, then the others in the order listed in its note. */
async function orderedExamples(): Promise<object[]> {
	const files = (await readdir(examplesDirectory)).filter((file) => file.endsWith('.json'));
	const examples = files.map((file) => readJsonFile(join(examplesDirectory, file)));
	const nodes = readObjects(examples.find(({ name }) => name === FIRST)?.nodes, FIRST);
	const note = nodes.find(({ name }) => name === ORDER);
	const content = readText(readObject(note?.parameters, ORDER).content, ORDER);
	const listed = [...content.matchAll(/^\d+\. \*\*(.*?)\*\*/gm)].map(([, name]) => name);
	const placeOf = (name: unknown) => [FIRST, ...listed].indexOf(String(name));
	return examples.sort((one, other) => placeOf(one.name) - placeOf(other.name));
}

/**
 * Adds modification times in descending order: n8n lists workflows in that order, and for a new node, its editor selects
 * the most recently changed credential.
 */
function newestFirst<Imported extends object>(values: Imported[]): Imported[] {
	const now = Date.now();
	const timeOf = (index: number) => new Date(now - index * 1_000).toISOString();
	return values.map((value, index) => ({ ...value, updatedAt: timeOf(index) }));
}

interface FolderOptions {
	/** Import the examples again; changes made to them in n8n are lost. */
	restoreExamples?: boolean;
	/** Receives one line per step. */
	report?: (line: string) => void;
}

/**
 * Prepares an n8n folder: installs the built package, and has the next start import the example workflows. n8n must not be
 * running on the folder. Steps already done are skipped.
 *
 * @returns whether the next start imports the examples, which leaves them inactive.
 */
export async function prepareFolder(
	userFolder: string,
	{ restoreExamples = false, report = () => undefined }: FolderOptions = {},
): Promise<{ importsExamples: boolean }> {
	await mkdir(userFolder, { recursive: true });
	const installed = await installPackage(userFolder);
	if (installed) {
		await importAtStart(userFolder, 'packages', [{ name: installed.name }]);
		report(`installed ${installed.name} ${installed.version} into n8n`);
	}

	const stamp = join(userFolder, '.imported-examples');
	if (restoreExamples) await rm(stamp, { force: true });
	const digest = await digestOfFiles(examplesDirectory, ['*.json']);
	const importsExamples = await oncePerContent(stamp, digest, async () =>
		importAtStart(userFolder, 'workflow', newestFirst(await orderedExamples())),
	);
	return { importsExamples };
}

/** Has the next start import the credentials of the sandbox, unless an earlier one did. */
export async function importSandboxCredentials(
	userFolder: string,
	sandbox: SandboxReady,
	others: readonly ImportedCredential[] = [],
): Promise<void> {
	const credentials = [...sandboxCredentials(sandbox), ...others];
	const stamp = join(userFolder, '.imported-credentials');
	await oncePerContent(stamp, digestOfText(JSON.stringify(credentials)), () =>
		importAtStart(userFolder, 'credentials', newestFirst(credentials)),
	);
}
