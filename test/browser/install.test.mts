/** The package's life in n8n as a user sees it: installed from a registry, found, used, updated and removed. */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommunityNodesPage } from '../../tools/editor/community-nodes.mts';
import type { Editor } from '../../tools/editor/editor.mts';
import { readObject } from '../../tools/files/json.mts';
import { packPackage, packVersion, type PackedPackage } from '../../tools/n8n/package.mts';
import { startN8n, type N8nServer } from '../../tools/n8n/server.mts';
import { startRegistry, type NpmRegistry } from '../../tools/registry/registry.mts';
import { WorkflowBuilder } from '../../tools/editor/workflow-builder.mts';
import { useResources } from '../support/resources.mts';
import { Service } from '../support/sandbox/service.mts';
import { temporaryFolder } from '../support/temporary-folder.mts';
import { openSignedInEditor } from './support/signed-in-editor.mts';

const NODE = 'Wallet Service';
const ACTION = 'Get native coin balance';
const PREVIOUS_VERSION = '0.0.1';

// Some tests load n8n's editor several times, and some restart n8n.
const resources = useResources();
let packed: PackedPackage;
let userFolder: string;
let service: Service;
let registry: NpmRegistry;
let n8n: N8nServer;
let editor: Editor;
let page: CommunityNodesPage;
let builder: WorkflowBuilder;
/** ID of the workflow that is built here, and its output. */
let workflowId: string;
let result: string[][];

beforeAll(async () => {
	const { path: directory } = await resources.use(temporaryFolder('install'));
	packed = await packPackage(directory);
	const registryFolder = join(directory, 'registry');
	await mkdir(registryFolder);
	registry = await resources.use(startRegistry(registryFolder));
	await registry.publish((await packVersion(packed, PREVIOUS_VERSION)).tarball);
	service = await resources.use(Service.start());
	userFolder = join(directory, 'n8n');
	n8n = await resources.use(startN8n(userFolder, 0, registry.environment));
	editor = await openSignedInEditor(resources, n8n);
	page = new CommunityNodesPage(editor);
	builder = new WorkflowBuilder(editor);
});

const nodesFolder = (): string => join(userFolder, '.n8n', 'nodes');

/** The packages that n8n has recorded as installed. */
async function installedPackages(): Promise<unknown> {
	const file = join(nodesFolder(), 'package.json');
	return readObject(JSON.parse(await readFile(file, 'utf8')), file).dependencies;
}

/** Restarts n8n, and loads the editor again from it. */
async function restartN8n(): Promise<void> {
	const port = Number(new URL(n8n.url).port);
	await n8n.stop();
	n8n = await resources.use(startN8n(userFolder, port, registry.environment));
	await editor.page.goto(`${n8n.url}/home/workflows`);
}

/** Executes the workflow that was built, and reads the output of its last node. */
async function runWorkflow(): Promise<string[][]> {
	await editor.openWorkflow(workflowId);
	await editor.execute(ACTION);
	await editor.openNode(ACTION);
	return await editor.outputTable();
}

test('Settings > Community nodes installs it from the registry', async () => {
	await page.open();
	await page.empty.waitFor();
	await page.fillInInstallation(packed.name);
	await page.install();
	await page.package(packed.name).getByText(`v${PREVIOUS_VERSION}`).waitFor();
	expect(await page.package(packed.name).textContent()).toContain('2 nodes');
	expect(await installedPackages()).toEqual({ [packed.name]: PREVIOUS_VERSION });
});

test('a workflow built by clicking outputs what the chain has', async () => {
	await builder.startManually();
	await builder.continue();
	await builder.search('wallet');
	await builder.choose(NODE, ACTION);
	const { id, address } = service.user('Nelly');
	await builder.createCredential(service.credential('Nelly'));
	await builder.testCredential();
	await builder.closePanel();
	await editor.execute(ACTION);
	await editor.openNode(ACTION);
	const [columns = [], values = []] = await editor.outputTable();
	const item = Object.fromEntries(columns.map((column, index) => [column, values[index]]));
	const balance = await service.chain.getBalance(address);
	expect(item).toMatchObject({ userId: id, symbol: 'ETH', baseUnits: balance.toString() });
	result = [columns, values];
	workflowId = new URL(editor.page.url()).pathname.split('/').at(2) ?? '';
});

test('after an update the workflow still exists, with the same output', async () => {
	await registry.publish(packed.tarball);
	await page.open();
	await page.update(packed.name);
	await page.package(packed.name).getByText(`v${packed.version}`).waitFor();
	expect(await installedPackages()).toEqual({ [packed.name]: packed.version });
	expect(await runWorkflow()).toEqual(result);
});

test('after a restart it still exists', async () => {
	await restartN8n();
	await page.open();
	await page.package(packed.name).waitFor();
	expect(await runWorkflow()).toEqual(result);
});

test('uninstalling leaves nothing behind, and n8n starts without errors', async () => {
	await page.open();
	await page.uninstall(packed.name);
	await page.empty.waitFor();
	expect(await installedPackages()).toEqual({});
	expect(await readdir(join(nodesFolder(), 'node_modules'))).toEqual([]);
	await builder.begin();
	await builder.search('ethereum');
	await builder.nothingFound.waitFor();

	await restartN8n();
	await page.open();
	await page.empty.waitFor();
	expect(await readFile(n8n.logFile, 'utf8')).not.toMatch(/error|packages are missing|wallet/i);
});

test('installed again, the workflow runs as before', async () => {
	await page.open();
	await page.fillInInstallation(packed.name);
	await page.install();
	expect(await runWorkflow()).toEqual(result);
});
