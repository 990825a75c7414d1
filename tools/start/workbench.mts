import { rm } from 'node:fs/promises';
import axios from 'axios';
import type { RunningSandbox } from '../../sandbox/src/spawn.mts';
import { startSandbox } from '../../sandbox/src/spawn.mts';
import { buildWhenChanged } from '../package/build.mts';
import { lockDirectory } from '../process/lock.mts';
import { importSandboxCredentials, prepareFolder } from '../n8n/folder.mts';
import { signInAsOwner } from '../n8n/rest-client.mts';
import type { N8nServer } from '../n8n/server.mts';
import { n8nUrl, oauthRedirectUri, startN8n } from '../n8n/server.mts';
import { WEBHOOK_EXAMPLE } from '../compare/compare-examples.mts';
import { fillPaymentsTable } from './payments-table.mts';
import { freePort } from '../network/ports.mts';
import { HOT_RELOAD, startWatching } from './watch.mts';

/** Ports that are taken when they are free; otherwise any other one is. */
const SANDBOX_PORT = 4010;
const N8N_PORT = 5678;

/** How often a running sandbox is asked whether it still answers, in milliseconds. */
const HEALTH_INTERVAL = 3_000;

/** Sandbox and n8n, running, with everything in place to try the node. */
export interface Workbench {
	sandbox: RunningSandbox['ready'];
	n8n: N8nServer;
	userFolder: string;
	/** Settles with the reason when one of the two ends or no longer answers. Never rejects. */
	failed: Promise<string>;
	/** Stops both and waits until they have ended. */
	stop(): Promise<void>;
}

/** How to start. */
export interface WorkbenchOptions {
	/** Folder for the state of n8n. */
	userFolder: string;
	/** Forget everything that earlier starts left in n8n. */
	fresh: boolean;
	/** Put the examples back as they are in `examples/`. */
	restoreExamples: boolean;
	/** Rebuild the node whenever one of its sources changes, and have n8n load it again. */
	reload?: boolean;
	/** Takes one line for each step that was done. */
	report: (line: string) => void;
}

/** The sandbox runs as long as it answers. */
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

/**
 * Builds the node, starts the sandbox and n8n, installs the node, and puts login, credentials and examples in place.
 */
export async function startWorkbench({
	userFolder,
	fresh,
	restoreExamples,
	reload = false,
	report,
}: WorkbenchOptions): Promise<Workbench> {
	await lockDirectory(userFolder);
	if (fresh) await rm(userFolder, { recursive: true, force: true });
	report((await buildWhenChanged()) ? 'built the node' : 'the node is built already');

	const port = await freePort(SANDBOX_PORT);
	if (port !== SANDBOX_PORT) report(`port ${SANDBOX_PORT} is busy, the sandbox takes ${port}`);
	await using running = new AsyncDisposableStack();
	const n8nPort = await freePort(N8N_PORT);
	if (n8nPort !== N8N_PORT) report(`port ${N8N_PORT} is busy, n8n takes ${n8nPort}`);
	const redirectUri = oauthRedirectUri(n8nUrl(n8nPort));
	const settings = { SANDBOX_REDIRECT_URIS: redirectUri };
	const sandbox = running.use(await startSandbox({ port, env: settings }));
	report(`started the sandbox at ${sandbox.ready.baseUrl}, chain ${sandbox.ready.chainId}`);
	const { importedExamples } = await prepareFolder(userFolder, { restoreExamples, report });
	if (await importSandboxCredentials(userFolder, sandbox.ready)) {
		report('imported a credential for every sandbox user');
	}
	// Otherwise n8n's schedules and dates are those of New York.
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	const n8nSettings = { GENERIC_TIMEZONE: timeZone, ...(reload && HOT_RELOAD) };
	const n8n = running.use(await startN8n(userFolder, n8nPort, n8nSettings));
	const client = await signInAsOwner(n8n.url);
	if (importedExamples) await client.activateWorkflow(WEBHOOK_EXAMPLE);
	await fillPaymentsTable(client, sandbox.ready);
	report(`started n8n at ${n8n.url}`);
	if (reload) running.use(await startWatching(userFolder));
	const failed = Promise.race([
		n8n.ended.then((reason) => `n8n ${reason}; see ${n8n.logFile}`),
		untilUnhealthy(sandbox.ready.baseUrl),
	]);
	const kept = running.move();
	const stop = async () => await kept.disposeAsync();
	return { sandbox: sandbox.ready, n8n, userFolder, failed, stop };
}
