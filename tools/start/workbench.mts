import { rm } from 'node:fs/promises';
import axios from 'axios';
import { startSandbox, type RunningSandbox } from '../sandbox/start.mts';
import { WEBHOOK_EXAMPLE } from '../compare/compare-examples.mts';
import { importSandboxCredentials, prepareFolder } from '../n8n/folder.mts';
import { signInAsOwner } from '../n8n/owner.mts';
import type { N8nRestClient } from '../n8n/rest-client.mts';
import { n8nUrl, oauthRedirectUri, startN8n, type N8nServer } from '../n8n/server.mts';
import { freePort } from '../network/ports.mts';
import { buildWhenChanged } from '../package/build.mts';
import { lockDirectory } from '../process/lock.mts';
import { fillPaymentsTable } from './payments-table.mts';
import { HOT_RELOAD, startWatching } from './watch.mts';

/** Preferred ports. */
const SANDBOX_PORT = 4010;
const N8N_PORT = 5678;

/** Interval between health checks of the sandbox, in milliseconds. */
const HEALTH_INTERVAL = 3_000;

/** A running sandbox and n8n, ready for trying out the node. */
export interface Workbench {
	sandbox: RunningSandbox['ready'];
	n8n: N8nServer;
	client: N8nRestClient;
	userFolder: string;
	/** Resolves to the reason if one of the two ends or stops answering. Never rejects. */
	failed: Promise<string>;
	/** Stops both and waits until they have ended. */
	stop(): Promise<void>;
}

interface WorkbenchOptions {
	/** Folder for n8n's state. */
	userFolder: string;
	/** Delete n8n's state from earlier starts. */
	fresh: boolean;
	/** Replace the examples in n8n with those in `examples/`. */
	restoreExamples: boolean;
	/** Rebuild and reload the node whenever one of its sources changes. */
	reload?: boolean;
	/** Receives one line per step. */
	report: (line: string) => void;
}

function untilUnhealthy(baseUrl: string): Promise<string> {
	return new Promise((resolve) => {
		const timer = setInterval(() => {
			axios.get(`${baseUrl}/healthz`).catch((error: unknown) => {
				clearInterval(timer);
				resolve(`the sandbox no longer answers (${String(error)})`);
			});
		}, HEALTH_INTERVAL);
		timer.unref();
	});
}

/** Builds and installs the node, starts the sandbox and n8n, and sets up login, credentials and examples. */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
	const { userFolder, fresh, restoreExamples, reload = false, report } = options;
	await lockDirectory(userFolder);
	if (fresh) await rm(userFolder, { recursive: true, force: true });
	report((await buildWhenChanged()) ? 'built the node' : 'the node is already built');

	const port = await freePort(SANDBOX_PORT);
	if (port !== SANDBOX_PORT) report(`port ${SANDBOX_PORT} is busy, the sandbox takes ${port}`);
	await using running = new AsyncDisposableStack();
	const n8nPort = await freePort(N8N_PORT);
	if (n8nPort !== N8N_PORT) report(`port ${N8N_PORT} is busy, n8n takes ${n8nPort}`);
	const env = { SANDBOX_REDIRECT_URIS: oauthRedirectUri(n8nUrl(n8nPort)) };
	const { ready: sandbox } = running.use(await startSandbox({ port, env }));
	report(`started the sandbox at ${sandbox.baseUrl}, chain ${sandbox.chainId}`);
	const { importsExamples } = await prepareFolder(userFolder, { restoreExamples, report });
	await importSandboxCredentials(userFolder, sandbox);
	// By default, n8n uses New York time for schedules and dates.
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const settings = { GENERIC_TIMEZONE: timeZone, ...(reload && HOT_RELOAD) };
	const n8n = running.use(await startN8n(userFolder, n8nPort, settings));
	const client = await signInAsOwner(n8n);
	if (importsExamples) await client.activateWorkflow(WEBHOOK_EXAMPLE);
	await fillPaymentsTable(client, sandbox);
	report(`started n8n at ${n8n.url}`);
	if (reload) running.use(await startWatching(userFolder));
	const failed = Promise.race([
		n8n.ended.then((reason) => `n8n ${reason}; see ${n8n.logFile}`),
		untilUnhealthy(sandbox.baseUrl),
	]);
	const kept = running.move();
	return { sandbox, n8n, client, userFolder, failed, stop: () => kept.disposeAsync() };
}
