import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SandboxReady } from '../../../sandbox/src/ready.mts';
import { digestOfFiles, digestOfText } from '../digest.mts';
import { oncePerContent } from '../once-per-content.mts';
import { examplesDirectory } from '../paths.mts';
import { sandboxCredentials } from '../sandbox-credentials.mts';
import { importCredentials, importWorkflows } from './cli.mts';
import { recordInstalledPackage } from './installed-nodes.mts';
import { installPackage } from './package.mts';

/**
 * Makes an n8n folder ready: the built package installed, a credential for every user of the sandbox, and the example workflows.
 * n8n must not run on the folder. What is there already is left alone, so that a second time is quick.
 *
 * @param report - Takes one line for each thing that was done.
 */
export async function prepareFolder(
	userFolder: string,
	sandbox: SandboxReady,
	report: (line: string) => void = () => undefined,
): Promise<void> {
	await mkdir(userFolder, { recursive: true });
	const installed = await installPackage(userFolder);
	if (installed) report(`installed ${installed.name} ${installed.version} into n8n`);

	const file = join(userFolder, 'credentials.json');
	const credentials = JSON.stringify(sandboxCredentials(sandbox), null, 2);
	await writeFile(file, credentials, { mode: 0o600 });
	const importedCredentials = await oncePerContent(
		join(userFolder, '.imported-credentials'),
		digestOfText(credentials),
		() => importCredentials(userFolder, file),
	);
	if (importedCredentials) report('imported a credential for every sandbox user');

	const importedExamples = await oncePerContent(
		join(userFolder, '.imported-examples'),
		await digestOfFiles(examplesDirectory, ['*.json']),
		() => importWorkflows(userFolder, examplesDirectory),
	);
	if (importedExamples) report('imported the example workflows');
	recordInstalledPackage(userFolder);
}
