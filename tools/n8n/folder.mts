import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import { digestOfFiles, digestOfText } from '../files/digest.mts';
import { oncePerContent } from '../files/once-per-content.mts';
import { orderedExamples } from './ordered-examples.mts';
import { examplesDirectory } from '../files/paths.mts';
import { sandboxCredentials } from '../sandbox/credentials.mts';
import { importCredentials, importWorkflows } from './cli.mts';
import { recordInstalledPackage } from './installed-nodes.mts';
import { installPackage } from './package.mts';

/** How to prepare an n8n folder. */
export interface FolderOptions {
	/** Import the examples again although they were imported before: what was changed in n8n since then is lost. */
	restoreExamples?: boolean;
	/** Takes one line for each thing that was done. */
	report?: (line: string) => void;
}

/**
 * Makes an n8n folder ready: its database created, the built package installed, and the example workflows imported. n8n must not
 * run on the folder. What is there already is left alone, so that a second time is quick.
 *
 * @returns whether the examples were imported now, which leaves them inactive.
 */
export async function prepareFolder(
	userFolder: string,
	{ restoreExamples = false, report = () => undefined }: FolderOptions = {},
): Promise<{ importedExamples: boolean }> {
	await mkdir(userFolder, { recursive: true });
	const installed = await installPackage(userFolder);
	if (installed) report(`installed ${installed.name} ${installed.version} into n8n`);

	const stamp = join(userFolder, '.imported-examples');
	if (restoreExamples) await rm(stamp, { force: true });
	const digest = await digestOfFiles(examplesDirectory, ['*.json']);
	const importedExamples = await oncePerContent(stamp, digest, async () =>
		importWorkflows(userFolder, newestFirst(await orderedExamples())),
	);
	if (importedExamples) report('imported the example workflows');
	recordInstalledPackage(userFolder);
	return { importedExamples };
}

/**
 * What is imported with its times of change, the first one the latest. n8n lists workflows in that order, and its editor chooses the
 * latest credential for a new node: the first one works at once.
 */
function newestFirst<Imported extends object>(values: Imported[]): Imported[] {
	const now = Date.now();
	return values.map((value, index) => ({
		...value,
		updatedAt: new Date(now - index * 1_000).toISOString(),
	}));
}

/**
 * Imports a credential for every user of the sandbox, unless the same ones were imported before.
 *
 * @returns whether they were imported now.
 */
export async function importSandboxCredentials(
	userFolder: string,
	sandbox: SandboxReady,
): Promise<boolean> {
	const credentials = sandboxCredentials(sandbox);
	const stamp = join(userFolder, '.imported-credentials');
	return await oncePerContent(stamp, digestOfText(JSON.stringify(credentials)), () =>
		importCredentials(userFolder, newestFirst(credentials)),
	);
}
