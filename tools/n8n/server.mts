import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import axios from 'axios';
import { startLoggedProcess, type LoggedProcess } from '../process/running-process.mts';
import { freePort } from '../network/ports.mts';
import { endWithParent } from '../files/paths.mts';
import { n8nEnvironment } from './environment.mts';
import { IMPORTS } from './imports.mts';
import { n8nOf } from './program.mts';

/** A running n8n with its editor. */
export interface N8nServer extends LoggedProcess {
	/** Base URL of editor, REST API and webhooks, without a trailing slash. */
	url: string;
	/** Folder of its state. */
	userFolder: string;
}

export const n8nUrl = (port: number): string => `http://127.0.0.1:${port}`;

/** n8n's redirect URI for OAuth2 sign-ins. */
export const oauthRedirectUri = (url: string): string => `${url}/rest/oauth2-credential/callback`;

/** Starts a long-running n8n command, and waits until it reports that it is ready. */
async function startCommand(
	userFolder: string,
	command: string,
	settings: Record<string, string>,
	readyText: string,
): Promise<LoggedProcess> {
	await mkdir(userFolder, { recursive: true });
	const { node, program } = n8nOf(userFolder);
	return await startLoggedProcess(node, ['--require', endWithParent, program, command], {
		cwd: userFolder,
		env: { ...n8nEnvironment(userFolder, await freePort()), ...settings },
		logFile: join(userFolder, 'n8n.log'),
		readyText,
	});
}

/** Interval and time limit of the checks whether n8n is ready, in milliseconds. */
const CHECK_EVERY_MS = 250;
const READY_WITHIN_MS = 120_000;

/**
 * Waits until n8n reports that it is ready. If it was too busy to ping its database in time, it reports the opposite (503)
 * until its next ping.
 */
async function untilReady(url: string): Promise<void> {
	const latest = Date.now() + READY_WITHIN_MS;
	const validateStatus = (status: number) => status === 200 || status === 503;
	for (;;) {
		const { status } = await axios.get(`${url}/healthz/readiness`, { validateStatus });
		if (status === 200) return;
		if (Date.now() > latest) throw new Error(`n8n at ${url} does not become ready`);
		await setTimeout(CHECK_EVERY_MS);
	}
}

/**
 * Starts n8n and waits until its editor can be used and its imports are done.
 *
 * @param fixedPort - 0: any free port.
 * @param settings - Additional environment variables.
 * @throws Error if n8n ends before it is ready.
 */
export async function startN8n(
	userFolder: string,
	fixedPort = 0,
	settings: Record<string, string> = {},
): Promise<N8nServer> {
	const port = fixedPort || (await freePort());
	const url = n8nUrl(port);
	const variables = {
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `${url}/`,
		N8N_WEBHOOK_URL: `${url}/`,
		...IMPORTS,
		...settings,
	};
	const n8n = await startCommand(userFolder, 'start', variables, 'Editor is now accessible');
	try {
		await untilReady(url);
	} catch (error) {
		await n8n.stop();
		throw error;
	}
	return { ...n8n, url, userFolder };
}

/** Starts n8n for the imports that its folder waits for, and stops it. */
export async function importNow(userFolder: string): Promise<void> {
	const n8n = await startN8n(userFolder, 0, { N8N_DISABLE_UI: 'true' });
	await n8n.stop();
}

/** Starts a worker of n8n's queue mode, configured by its folder's `.env`. @throws Error if it ends before it is ready. */
export async function startN8nWorker(userFolder: string): Promise<LoggedProcess> {
	return await startCommand(userFolder, 'worker', {}, 'n8n worker is now ready');
}
