import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import { digestOfFiles, digestOfText } from '../digest.mts';
import { oncePerContent } from '../once-per-content.mts';
import { examplesDirectory } from '../paths.mts';
import { sandboxCredentials } from '../sandbox-credentials.mts';
import { importCredentials, importWorkflowFiles } from './cli.mts';
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
 * Makes an n8n folder ready: the built package installed, a credential for every user of the sandbox, and the example workflows.
 * n8n must not run on the folder. What is there already is left alone, so that a second time is quick.
 *
 * @returns whether the examples were imported now, which leaves them inactive.
 */
export async function prepareFolder(
	userFolder: string,
	sandbox: SandboxReady,
	{ restoreExamples = false, report = () => undefined }: FolderOptions = {},
): Promise<{ importedExamples: boolean }> {
	await mkdir(userFolder, { recursive: true });
	const installed = await installPackage(userFolder);
	if (installed) report(`installed ${installed.name} ${installed.version} into n8n`);

	const credentials = sandboxCredentials(sandbox);
	const importedCredentials = await oncePerContent(
		join(userFolder, '.imported-credentials'),
		digestOfText(JSON.stringify(credentials)),
		() => importCredentials(userFolder, credentials),
	);
	if (importedCredentials) report('imported a credential for every sandbox user');

	const examplesStamp = join(userFolder, '.imported-examples');
	if (restoreExamples) await rm(examplesStamp, { force: true });
	const importedExamples = await oncePerContent(
		examplesStamp,
		await digestOfFiles(examplesDirectory, ['*.json']),
		() => importWorkflowFiles(userFolder, examplesDirectory),
	);
	if (importedExamples) report('imported the example workflows');
	recordInstalledPackage(userFolder);
	return { importedExamples };
}
