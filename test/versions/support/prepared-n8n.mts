import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { importWorkflows } from '../../../tools/n8n/cli.mts';
import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import { packPackage, unpackIntoN8n, type PackedPackage } from '../../../tools/n8n/package.mts';
import { assignN8n, lockedN8n } from '../../../tools/n8n/program.mts';
import type { Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { Service } from '../../support/sandbox/service.mts';
import { installN8n, olderVersions, versionsOf } from '../../support/n8n/install-n8n.mts';
import { statedResults, type StatedResult } from './stated-results.mts';

/** An older n8n is installed first, in the first run. */
export const INSTALLATION_TIME = 600_000;

/** How long n8n may take to start on a busy machine, and what it does then. */
export const START_TIME = 240_000;

/** The tested versions, oldest first; the newest is the one that the lockfile pins. */
export const versions = [...olderVersions(), 'newest'];

/** An n8n folder with the packed package and the sandbox's credentials. */
export interface PreparedN8n {
	userFolder: string;
	/** Version of the Node.js that it runs on. */
	nodeVersion: string;
	/** The documented results. */
	stated: StatedResult | undefined;
}

/** The service, and the package as it would be published, for folders of several versions. */
export class Versions {
	readonly service: Service;
	readonly #directory: string;
	readonly #packed: PackedPackage;

	private constructor(service: Service, directory: string, packed: PackedPackage) {
		this.service = service;
		this.#directory = directory;
		this.#packed = packed;
	}

	/** @param resources - Take over the service and the folders. */
	static async start(resources: Resources): Promise<Versions> {
		const { path: directory } = await resources.use(temporaryFolder('versions'));
		const packed = await packPackage(directory);
		const service = await resources.use(Service.start());
		return new Versions(service, directory, packed);
	}

	/** @param version - One of {@link versions}. */
	async prepare(version: string): Promise<PreparedN8n> {
		const n8n = version === 'newest' ? lockedN8n : await installN8n(version);
		const [n8nVersion, nodeVersion] = await versionsOf(n8n);
		const userFolder = join(this.#directory, version);
		if (n8n !== lockedN8n) await assignN8n(userFolder, n8n);
		await unpackIntoN8n(userFolder, this.#packed);
		await importSandboxCredentials(userFolder, this.service.ready);
		return { userFolder, nodeVersion, stated: (await statedResults()).get(n8nVersion) };
	}
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
