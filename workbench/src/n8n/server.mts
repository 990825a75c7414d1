import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import axios from 'axios';
import type { Child } from '../child.mts';
import { watchOver } from '../child.mts';
import { freePort } from '../ports.mts';
import { n8nEnvironment } from './environment.mts';
import { n8nOf } from './program.mts';

const endWithParent = join(import.meta.dirname, 'end-with-parent.mjs');

/** A running n8n with its editor. */
export interface N8nServer extends Child {
	/** Address of editor, REST API and webhooks, without a trailing slash. */
	url: string;
	/** File with everything n8n printed. */
	logFile: string;
}

/** Address of an n8n that listens on a port of this machine. */
export const n8nUrl = (port: number): string => `http://127.0.0.1:${port}`;

/** Where n8n takes the codes of OAuth2 sign-ins. */
export const oauthRedirectUri = (url: string): string => `${url}/rest/oauth2-credential/callback`;

/**
 * Starts n8n and waits until its editor can be used.
 *
 * @param preferredPort - Taken when it is free, any other port otherwise.
 * @param settings - Environment variables of n8n on top of the usual ones.
 * @throws Error when n8n ends before it is ready.
 */
export async function startN8n(
	userFolder: string,
	preferredPort = 0,
	settings: Record<string, string> = {},
): Promise<N8nServer> {
	const port = await freePort(preferredPort);
	const url = n8nUrl(port);
	const logFile = join(userFolder, 'n8n.log');
	await mkdir(userFolder, { recursive: true });
	const { node, program } = n8nOf(userFolder);
	const n8n = spawn(node, ['--import', endWithParent, program, 'start'], {
		cwd: userFolder,
		env: {
			...n8nEnvironment(userFolder, await freePort()),
			N8N_PORT: String(port),
			N8N_EDITOR_BASE_URL: `${url}/`,
			N8N_WEBHOOK_URL: `${url}/`,
			...settings,
		},
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
	});
	const child = watchOver(n8n);
	const output = new PassThrough();
	n8n.stdout?.pipe(output, { end: false });
	n8n.stderr?.pipe(output, { end: false });
	n8n.once('close', () => output.end());
	output.pipe(createWriteStream(logFile));
	const accessible = new Promise<void>((resolve) => {
		createInterface(output).on('line', (line) => {
			if (line.includes('Editor is now accessible')) resolve();
		});
	});
	const reason = await Promise.race([accessible, child.ended]);
	if (reason !== undefined) throw new Error(`n8n ${reason} before it was ready; see ${logFile}`);
	await axios.get(`${url}/healthz/readiness`);
	return { ...child, url, logFile };
}
