import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../workbench/src/paths.mts';

/** One row of the documentation's table of what was run. */
export interface StatedResult {
	/** Version of Node.js. */
	node: string;
	/** Whether failed items leave by the error output: `yes` or `no`. */
	errorOutput: string;
	result: string;
}

/**
 * What `docs/compatibility.md` says of an n8n version.
 *
 * @throws Error when its table has no row for it.
 */
export async function statedResult(n8nVersion: string): Promise<StatedResult> {
	const page = await readFile(join(root, 'docs', 'compatibility.md'), 'utf8');
	const rows = page
		.split('\n')
		.filter((line) => line.startsWith('|'))
		.map((line) => line.split('|').map((cell) => cell.trim()));
	const [, , node, errorOutput, result] = rows.find(([, version]) => version === n8nVersion) ?? [];
	if (node === undefined || errorOutput === undefined || result === undefined) {
		throw new Error(`The table of docs/compatibility.md says nothing of n8n ${n8nVersion}`);
	}
	return { node, errorOutput, result };
}
