import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { importWorkflows } from '../../../tools/n8n/cli.mts';
import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import { packPackage, unpackIntoN8n, type PackedPackage } from '../../../tools/n8n/package.mts';
import { assignN8n, lockedN8n } from '../../../tools/n8n/program.mts';
import { signInAsOwner, type N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../tools/n8n/server.mts';
import { readWorkflowRun, type WorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import type { ImportedCredential } from '../../../tools/sandbox/credentials.mts';
import { Executions } from '../../support/n8n/executions.mts';
import { WITHOUT_EDITOR } from '../../support/n8n/workspace.mts';
import { useResources, type Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { Service } from '../../support/sandbox/service.mts';
import { installN8n, olderVersions, statedResults, versionsOf } from './tested-versions.mts';

/** Time limit for the preparation: the first run installs the older versions of n8n. */
export const INSTALLATION_TIME = 600_000;

/** The tested versions, oldest first; the newest is the one that the lockfile pins. */
export const versions = [...olderVersions(), 'newest'];

/** An n8n folder with the packed package. */
interface PreparedFolder {
	readonly userFolder: string;
	/** Version of the Node.js that runs this n8n. */
	readonly nodeVersion: string;
	/** The documented test results, by the heading of their column. */
	readonly stated: Record<string, string> | undefined;
}

/** A running n8n of one version. */
export interface RunningN8n extends Omit<PreparedFolder, 'userFolder'> {
	readonly url: string;
	readonly client: N8nRestClient;
	/** Executes a workflow from its trigger *Start*, to its end. */
	run(workflow: string): Promise<WorkflowRun>;
}

export const resources = useResources();
/** The reference service of all tests. */
export let service: Service;
let directory: string;
let packed: PackedPackage;
const folders = new Map<string, Promise<PreparedFolder>>();

beforeAll(async () => {
	directory = (await resources.use(temporaryFolder('versions'))).path;
	packed = await packPackage(directory);
	service = await resources.use(Service.start());
}, INSTALLATION_TIME);

async function prepare(version: string): Promise<PreparedFolder> {
	const n8n = version === 'newest' ? lockedN8n : await installN8n(version);
	const [n8nVersion, nodeVersion] = await versionsOf(n8n);
	const userFolder = join(directory, version);
	if (n8n !== lockedN8n) await assignN8n(userFolder, n8n);
	await unpackIntoN8n(userFolder, packed);
	return { userFolder, nodeVersion, stated: (await statedResults()).get(n8nVersion) };
}

/** Starts n8n of one of {@link versions} on a folder with the package as it would be published, which all parts share. */
export async function startVersion(
	version: string,
	owner: Resources,
	workflows: readonly object[],
	credentials: readonly ImportedCredential[] = [],
): Promise<RunningN8n> {
	const folder = folders.get(version) ?? prepare(version);
	folders.set(version, folder);
	const { userFolder, ...about } = await folder;
	await importSandboxCredentials(userFolder, service.ready, credentials);
	// Imported, because newer versions of n8n refuse to save a workflow whose other nodes use the credentials of this package.
	// n8n 2.0 does not assign imported workflows a version.
	const versionId = randomUUID();
	await importWorkflows(
		userFolder,
		workflows.map((workflow) => ({ ...workflow, versionId })),
	);
	const { url } = await owner.use(startN8n(userFolder, 0, WITHOUT_EDITOR));
	const client = await signInAsOwner(url);
	const executions = await Executions.of(url, client);
	const run = async (workflow: string) =>
		readWorkflowRun(await executions.read(await executions.start(workflow, 'Start')));
	return { ...about, url, client, run };
}
