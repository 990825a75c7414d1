import { join } from 'node:path';
import { startChatModel, type ChatModel } from '../../../tools/model/chat-model.mts';
import { importAtStart } from '../../../tools/n8n/imports.mts';
import { importSandboxCredentials } from '../../../tools/n8n/folder.mts';
import { packPackage, unpackIntoN8n, type PackedPackage } from '../../../tools/n8n/package.mts';
import { startTlsServer } from '../../../tools/network/tls-server.mts';
import { assignN8n, lockedN8n } from '../../../tools/n8n/program.mts';
import { signInAsOwner } from '../../../tools/n8n/owner.mts';
import type { N8nRestClient } from '../../../tools/n8n/rest-client.mts';
import { startN8n } from '../../../tools/n8n/server.mts';
import { readWorkflowRun, type WorkflowRun } from '../../../tools/n8n/workflow-run.mts';
import { modelCredential } from '../../../tools/sandbox/credentials.mts';
import { Executions } from '../../support/n8n/executions.mts';
import { obey } from '../../support/n8n/tools-of-models.mts';
import { limitedCredential, WITHOUT_EDITOR } from '../../support/n8n/workspace.mts';
import { useResources, type Resources } from '../../support/resources.mts';
import { temporaryFolder } from '../../support/temporary-folder.mts';
import { connectAccount, type Account } from '../../support/sandbox/connected-account.mts';
import { Service } from '../../support/sandbox/service.mts';
import { installN8n, statedResults, versionsOf } from './tested-versions.mts';
import {
	failingCredentials,
	failuresWorkflow,
	KEPT,
	keptWorkflow,
	operationsWorkflow,
	otherNodesWorkflow,
	retriedWorkflow,
	signedInWorkflow,
	writesWorkflow,
} from './workflows.mts';

/** Time limit for the preparation: the first run installs the older versions of n8n. */
const INSTALLATION_TIME = 600_000;

/** The seeded user who is signed in by OAuth2. */
export const SIGNED_IN = 'mika_dev';

/** An access token that the service refuses, so that the next request triggers a renewal. */
const ENDED = 'ended';

/** A running n8n of one version, with the package as it would be published. */
export interface RunningN8n {
	readonly url: string;
	/** Version of the Node.js that runs this n8n. */
	readonly nodeVersion: string;
	/** The documented test results, by the heading of their column. */
	readonly stated: Record<string, string> | undefined;
	readonly client: N8nRestClient;
	readonly executions: Executions;
	/** The sign-ins of the workflows. */
	readonly accounts: Record<'reads' | 'writes' | 'tools' | 'retried' | 'lost', Account>;
	/** Executes a workflow from its trigger *Start*, to its end. */
	run(workflow: string): Promise<WorkflowRun>;
	/** Kills n8n, so that it has no chance to end anything properly, and starts it again. */
	restart(): Promise<void>;
	/** Path of its database. */
	readonly database: string;
}

export const resources = useResources();
/** The reference service of all tests. */
export let service: Service;
/** Another one, which keeps writes. */
export let kept: Service;
let directory: string;
let packed: PackedPackage;
let model: ChatModel;

beforeAll(async () => {
	directory = (await resources.use(temporaryFolder('versions'))).path;
	packed = await packPackage(directory);
	service = await resources.use(Service.start());
	kept = await resources.use(Service.start({ SANDBOX_WRITE_KEYS: '1' }));
	model = await resources.use(startChatModel(obey));
}, INSTALLATION_TIME);

async function connectAccounts(owner: Resources): Promise<RunningN8n['accounts']> {
	const accounts = {
		reads: await connectAccount(service, 'reads', SIGNED_IN),
		writes: await connectAccount(service, 'writes', SIGNED_IN, ENDED),
		tools: await connectAccount(service, 'tools', SIGNED_IN, ENDED),
		retried: await connectAccount(service, 'retried', SIGNED_IN),
		lost: await connectAccount(service, 'lost', SIGNED_IN, ENDED),
	};
	accounts.lost.door.refuseWith = 'invalid_grant';
	for (const { door } of Object.values(accounts)) await owner.use(door);
	return accounts;
}

async function startVersion(
	n8n: RunningN8n,
	version: string,
	owner: Resources,
): Promise<Partial<RunningN8n>> {
	const installed = version === 'newest' ? lockedN8n : await installN8n(version);
	const [n8nVersion, nodeVersion] = await versionsOf(installed);
	const stated = (await statedResults()).get(n8nVersion);
	const userFolder = join(directory, version);
	if (installed !== lockedN8n) await assignN8n(userFolder, installed);
	await unpackIntoN8n(userFolder, packed);
	const { ready } = service;
	const accounts = await connectAccounts(owner);
	const unused = () => undefined;
	const badCertificate = await owner.use(startTlsServer(unused));
	await importSandboxCredentials(userFolder, ready, [
		...Object.values(accounts).map(({ credential }) => credential),
		...failingCredentials(ready, badCertificate.url),
		limitedCredential(kept, KEPT, {}),
		modelCredential(`${model.url}/v1`, 'not needed'),
	]);
	// Imported, because newer versions of n8n refuse to save a workflow whose other nodes use the credentials of this package.
	const workflows = [
		signedInWorkflow('reads', ready),
		signedInWorkflow('writes', ready),
		otherNodesWorkflow('reads', ready),
		operationsWorkflow(ready),
		writesWorkflow(ready),
		failuresWorkflow(ready),
		retriedWorkflow('retried', ready),
		retriedWorkflow('retriedSignedIn', ready, 'retried'),
		keptWorkflow('kept', kept.ready, {}),
		keptWorkflow('order', kept.ready, { orderId: `order in ${n8nVersion}` }, '7'),
	];
	await importAtStart(userFolder, 'workflow', workflows);
	const start = async () => {
		const server = await owner.use(startN8n(userFolder, 0, WITHOUT_EDITOR));
		const client = await signInAsOwner(server);
		const { url } = server;
		Object.assign(n8n, { url, client, executions: await Executions.of(url, client) });
		return server;
	};
	let server = await start();
	return {
		nodeVersion,
		stated,
		accounts,
		database: join(userFolder, '.n8n', 'database.sqlite'),
		async run(workflow) {
			const id = await n8n.executions.start(workflow, 'Start');
			return readWorkflowRun(await n8n.executions.read(id));
		},
		async restart() {
			process.kill(server.pid, 'SIGKILL');
			await server.ended;
			server = await start();
		},
	};
}

/** Starts n8n of a version before the tests of a group, and stops it after them. */
export function useVersion(version: string): RunningN8n {
	const running = useResources();
	/** Filled in before the tests. */
	const n8n = {} as RunningN8n;
	beforeAll(
		async () => Object.assign(n8n, await startVersion(n8n, version, running)),
		INSTALLATION_TIME,
	);
	return n8n;
}
