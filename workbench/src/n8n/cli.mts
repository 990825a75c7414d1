import { execFile } from 'node:child_process';
import { freePort } from '../ports.mts';
import { n8nEnvironment, n8nProgram } from './environment.mts';
import type { WorkflowRun } from './workflow-run.mts';
import { parseWorkflowRun } from './workflow-run.mts';

/** Run data of a large workflow is printed in one piece. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** What one call of n8n's command line left behind. */
export interface CommandResult {
	exitCode: number;
	/** Everything that was printed, log lines included. */
	output: string;
}

/**
 * Runs one n8n command to its end.
 *
 * @param args - As on the command line, for example `['export:nodes', '--output=nodes.json']`.
 */
export async function n8nCommand(userFolder: string, args: string[]): Promise<CommandResult> {
	const env = n8nEnvironment(userFolder, await freePort());
	return await new Promise((resolve, reject) => {
		const child = execFile(
			process.execPath,
			[n8nProgram, ...args],
			{ env, cwd: userFolder, maxBuffer: MAX_OUTPUT_BYTES },
			(error, stdout, stderr) => {
				if (error && child.exitCode === null) reject(error);
				else resolve({ exitCode: child.exitCode ?? 1, output: stdout + stderr });
			},
		);
	});
}

async function importFile(userFolder: string, kind: string, args: string[]): Promise<void> {
	const { exitCode, output } = await n8nCommand(userFolder, [`import:${kind}`, ...args]);
	// n8n reports a failed import with exit code 0.
	if (exitCode !== 0 || !output.includes('Successfully imported')) {
		throw new Error(`n8n did not import the ${kind}:\n${output}`);
	}
}

/** Imports credentials from a JSON file with plain `data`; existing ones with the same id are replaced. */
export async function importCredentials(userFolder: string, file: string): Promise<void> {
	await importFile(userFolder, 'credentials', [`--input=${file}`]);
}

/** Imports one workflow file, or every `*.json` of a directory; existing ones with the same id are replaced. */
export async function importWorkflows(userFolder: string, path: string): Promise<void> {
	const separate = path.endsWith('.json') ? [] : ['--separate'];
	await importFile(userFolder, 'workflow', [`--input=${path}`, ...separate]);
}

/** Executes an imported workflow from its manual trigger, and gives its run data, failed or not. */
export async function executeWorkflow(userFolder: string, id: string): Promise<WorkflowRun> {
	const { output } = await n8nCommand(userFolder, ['execute', `--id=${id}`, '--rawOutput']);
	return parseWorkflowRun(output);
}
