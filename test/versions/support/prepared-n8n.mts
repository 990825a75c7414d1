import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { importWorkflows } from '../../../tools/n8n/cli.mts';
import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import { packPackage, unpackIntoN8n, type PackedPackage } from '../../../tools/n8n/package.mts';
import { assignN8n, lockedN8n } from '../../../tools/n8n/program.mts';
import { useResources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { Service } from '../../support/sandbox/service.mts';
import { installN8n, olderVersions, statedResults, versionsOf } from './tested-versions.mts';

/** Time limit for the preparation: the first run installs the older versions of n8n. */
export const INSTALLATION_TIME = 600_000;

/** Time limit for the start of n8n on a busy machine, and for the test that follows. */
export const START_TIME = 240_000;

/** The tested versions, oldest first; the newest is the one that the lockfile pins. */
export const versions = [...olderVersions(), 'newest'];

/** An n8n folder with the packed package and the sandbox's credentials. */
export interface PreparedN8n {
	userFolder: string;
	/** Version of the Node.js that runs this n8n. */
	nodeVersion: string;
	/** The documented test results, by the heading of their column. */
	stated: Record<string, string> | undefined;
}

export const resources = useResources();
/** The reference service of all tests. */
export let service: Service;
let directory: string;
let packed: PackedPackage;
const folders = new Map<string, Promise<PreparedN8n>>();

beforeAll(async () => {
	directory = (await resources.use(temporaryFolder('versions'))).path;
	packed = await packPackage(directory);
	service = await resources.use(Service.start());
}, INSTALLATION_TIME);

async function prepareOnce(version: string): Promise<PreparedN8n> {
	const n8n = version === 'newest' ? lockedN8n : await installN8n(version);
	const [n8nVersion, nodeVersion] = await versionsOf(n8n);
	const userFolder = join(directory, version);
	if (n8n !== lockedN8n) await assignN8n(userFolder, n8n);
	await unpackIntoN8n(userFolder, packed);
	await importSandboxCredentials(userFolder, service.ready);
	return { userFolder, nodeVersion, stated: (await statedResults()).get(n8nVersion) };
}

/** A folder with the package as it would be published, for one of {@link versions}; all parts share it. */
export async function prepare(version: string): Promise<PreparedN8n> {
	const folder = folders.get(version) ?? prepareOnce(version);
	folders.set(version, folder);
	return await folder;
}

/** Imports workflows so that they can be executed. */
export async function importExecutable(userFolder: string, workflows: object[]): Promise<void> {
	// n8n 2.0 does not assign imported workflows a version automatically.
	const versionId = randomUUID();
	await importWorkflows(
		userFolder,
		workflows.map((workflow) => ({ ...workflow, versionId })),
	);
}
