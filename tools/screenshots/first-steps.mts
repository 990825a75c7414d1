import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxReady } from '../../sandbox/src/ready.mts';
import type { Browser } from '../editor/browser.mts';
import { CommunityNodesPage } from '../editor/community-nodes.mts';
import { Editor } from '../editor/editor.mts';
import { packPackage } from '../n8n/package.mts';
import { signInAsOwner } from '../n8n/rest-client.mts';
import { startN8n } from '../n8n/server.mts';
import { startRegistry } from '../registry/registry.mts';
import { WorkflowBuilder } from '../editor/workflow-builder.mts';

/** Takes a picture of what the editor shows. */
type Picture = (editor: Editor, name: string) => Promise<void>;

const ACTION = 'Get native coin balance';

/** Installs the package by hand and builds a first workflow, with a picture of each step. */
async function walk(
	editor: Editor,
	url: string,
	packageName: string,
	{ baseUrl, users }: SandboxReady,
	picture: Picture,
): Promise<void> {
	const page = new CommunityNodesPage(editor, url);
	await page.open();
	await page.fillInInstallation(packageName);
	await picture(editor, 'first-install');
	await page.install();
	await page.package(packageName).waitFor();
	await picture(editor, 'first-installed');

	const builder = new WorkflowBuilder(editor);
	await builder.startManually();
	await builder.continue();
	await builder.search('wallet');
	await builder.entry('Wallet Service').waitFor();
	await picture(editor, 'first-search');
	await builder.choose('Wallet Service', ACTION);
	const { id = '', accessToken = '' } = users.at(0) ?? {};
	await builder.createCredential({ baseUrl, accessToken, userId: id });
	await editor.executeStep();
	await picture(editor, 'first-result');
	await builder.closePanel();
	await editor.execute(ACTION);
	await picture(editor, 'first-workflow');
}

/** Takes the pictures of the first steps, in an n8n of their own that has no community packages yet. */
export async function takeFirstSteps(
	browser: Browser,
	sandbox: SandboxReady,
	picture: Picture,
): Promise<void> {
	await using folder = await mkdtempDisposable(join(tmpdir(), 'wallet-service-first-steps-'));
	const packed = await packPackage(folder.path);
	const registryFolder = join(folder.path, 'registry');
	await mkdir(registryFolder);
	await using registry = await startRegistry(registryFolder);
	await registry.publish(packed.tarball);
	await using n8n = await startN8n(join(folder.path, 'n8n'), 0, registry.environment);
	await signInAsOwner(n8n.url);
	const editor = await Editor.signIn(browser, n8n.url);
	await walk(editor, n8n.url, packed.name, sandbox, picture);
}
